import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
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
import { mailInEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { taskPointerSchema } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { createTaskStage } from './stage.ts';

const variables = helpdeskEnvironment
  .pick({
    ...CARRY_OUT_VARIABLES,
    LOG_LEVEL: true,
  })
  // Only where tickets have e-mail.
  .extend({ HELPDESK_MAIL_BUCKET: mailInEnvironment.shape.HELPDESK_MAIL_BUCKET.optional() });

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'helpdesk-tasks' },
  });
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const quarantine = createRecordQuarantine(logger, systemClock.now);
  const stage = createTaskStage({
    stores: createHelpdeskStores(db, tables, systemClock.now, quarantine),
    ...createHelpdeskSenders(sqs, settings),
    originals: originalsOf(settings.HELPDESK_MAIL_BUCKET),
    clock: systemClock,
    random: systemRandom,
    report,
    pause: (ms) => wait(ms),
  });
  const log = createBatchLog(logger, { stage: 'tasks', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(taskPointerSchema, stage, log, systemClock.now, report);
}

/** Loaded by the first mail that is to go. */
function originalsOf(bucket: string | undefined): TaskPorts['originals'] {
  if (bucket === undefined) return null;
  return {
    remove: async (key) => {
      const { createObjectStore } = await import('#lib/adapters/s3/object-store.ts');
      await createObjectStore(bucket).remove(key);
    },
  };
}
