// What every function of the helpdesk needs to change records and to carry out what follows.
import { systemClock, systemRandom } from '../adapters/clock/system-clock.ts';
import { createHelpdeskStores } from '../adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { createSqsClient } from '../adapters/sqs/client.ts';
import { createHelpdeskSenders } from '../adapters/sqs/helpdesk-senders.ts';
import type { FunctionBase } from './function-base.ts';

export interface HelpdeskSettings {
  readonly HELPDESK_TABLE: string;
  readonly HELPDESK_AUDIT_TABLE: string;
  readonly HELPDESK_DELIVERIES_QUEUE_URL: string;
  readonly HELPDESK_RUNS_QUEUE_URL: string;
  readonly HELPDESK_MAILS_QUEUE_URL: string;
  readonly HELPDESK_TASKS_QUEUE_URL: string;
}

export function helpdeskPorts(
  { db, report, quarantine }: FunctionBase,
  settings: HelpdeskSettings,
  sqs = createSqsClient(),
) {
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  return {
    stores: createHelpdeskStores(db, tables, systemClock.now, quarantine.records),
    ...createHelpdeskSenders(sqs, settings),
    clock: systemClock,
    random: systemRandom,
    report,
  };
}
