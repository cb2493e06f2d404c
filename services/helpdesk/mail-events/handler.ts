import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRecordQuarantine, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createMailSender } from '#lib/adapters/ses/mail-sender.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import { type RawEnvironment, readEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { mailEventsEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { mailEventSchema } from './message.ts';
import { createMailEventStage } from './stage.ts';

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(mailEventsEnvironment, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'mail-events' },
  });
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const stage = createMailEventStage({
    stores: createHelpdeskStores(
      db,
      tables,
      systemClock.now,
      createRecordQuarantine(logger, systemClock.now),
    ),
    ...createHelpdeskSenders(sqs, settings),
    sender: createMailSender(),
    clock: systemClock,
    random: systemRandom,
    report,
    pause: (ms) => wait(ms),
  });
  const log = createBatchLog(logger, { stage: 'mail-events', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(mailEventSchema, stage, log, systemClock.now, report);
}
