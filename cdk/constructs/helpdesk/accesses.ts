// What the helpdesk's functions are permitted, each named after what it is for.
import { HELPDESK_ENV, HELPDESK_INDEX } from '#lib/helpdesk/domain/topology.ts';
import type { CoreStack } from '../../stacks/core.ts';
import type { HelpdeskDataStack } from '../../stacks/helpdesk-data.ts';
import type { QueueWithDlq } from '../queue-with-dlq.ts';
import type { Access } from '../stage-function.ts';

export interface HelpdeskStores {
  readonly core: CoreStack;
  readonly data: HelpdeskDataStack;
}

export interface HelpdeskQueues {
  readonly deliveries: QueueWithDlq;
  readonly runs: QueueWithDlq;
  readonly mails: QueueWithDlq;
  readonly tasks: QueueWithDlq;
}

/**
 * To change a record and see to what follows: rows of messages, tokens and jobs, an entry of the audit log, and a pointer for
 * each job. No function may change an entry that is there.
 */
export function changing({ data }: HelpdeskStores, queues: HelpdeskQueues): readonly Access[] {
  return [
    data.records.items('GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
    data.audit.items('PutItem'),
    queues.deliveries.sender(HELPDESK_ENV.deliveriesQueueUrl),
    queues.runs.sender(HELPDESK_ENV.runsQueueUrl),
    queues.mails.sender(HELPDESK_ENV.mailsQueueUrl),
    queues.tasks.sender(HELPDESK_ENV.tasksQueueUrl),
  ];
}

/** To find records by a list, or by how long their customer waits. */
export function listing({ data }: HelpdeskStores): readonly Access[] {
  return [data.records.query(HELPDESK_INDEX.lists), data.records.query(HELPDESK_INDEX.waiting)];
}

/** To erase people, and tickets that are kept no longer: no other function deletes. */
export function erasing({ data }: HelpdeskStores): readonly Access[] {
  return [data.records.items('DeleteItem'), data.records.query(HELPDESK_INDEX.lists)];
}

/** To find what is due. */
export function finding({ data }: HelpdeskStores): readonly Access[] {
  return [data.records.query(HELPDESK_INDEX.due)];
}
