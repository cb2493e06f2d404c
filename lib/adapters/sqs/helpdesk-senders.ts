// The queues of the helpdesk, as everything that carries out a change needs them.
import type { MessageSender } from '../../core/ports/queue.ts';
import type { createSqsClient } from './client.ts';
import { createMessageSender } from './message-sender.ts';

interface Pointer {
  readonly workspaceId: string;
  readonly id: string;
}

export interface HelpdeskSenders {
  readonly deliveries: MessageSender<Pointer>;
  readonly runs: MessageSender<Pointer>;
  readonly mails: MessageSender<Pointer>;
  readonly tasks: MessageSender<Pointer & { readonly kind: string }>;
}

export function createHelpdeskSenders(
  sqs: ReturnType<typeof createSqsClient>,
  urls: {
    readonly HELPDESK_DELIVERIES_QUEUE_URL: string;
    readonly HELPDESK_RUNS_QUEUE_URL: string;
    readonly HELPDESK_MAILS_QUEUE_URL: string;
    readonly HELPDESK_TASKS_QUEUE_URL: string;
  },
): HelpdeskSenders {
  return {
    deliveries: createMessageSender(sqs, urls.HELPDESK_DELIVERIES_QUEUE_URL),
    runs: createMessageSender(sqs, urls.HELPDESK_RUNS_QUEUE_URL),
    mails: createMessageSender(sqs, urls.HELPDESK_MAILS_QUEUE_URL),
    tasks: createMessageSender(sqs, urls.HELPDESK_TASKS_QUEUE_URL),
  };
}
