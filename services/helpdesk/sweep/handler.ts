import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRecordQuarantine, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { runSweep } from './stage.ts';

const variables = helpdeskEnvironment.pick({
  ...CARRY_OUT_VARIABLES,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'helpdesk-sweep' },
  });
  const quarantine = createRecordQuarantine(logger, systemClock.now);
  const sqs = createSqsClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const ports = {
    stores: createHelpdeskStores(createDocumentClient(), tables, systemClock.now, quarantine),
    ...createHelpdeskSenders(sqs, settings),
    clock: systemClock,
    random: systemRandom,
    report: createReport(logger),
    quarantine,
    pause: (ms: number) => wait(ms),
  };
  return async () => {
    const report = await runSweep(ports);
    if (report.looks > 0) logger.info(report, 'swept');
    return report;
  };
}
