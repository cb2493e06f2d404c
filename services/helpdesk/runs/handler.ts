import { setTimeout as wait } from 'node:timers/promises';
import { configuredModel } from '#lib/adapters/ai/configured-model.ts';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDailyBudget } from '#lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRecordQuarantine, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import { assistantEnvironment } from '#lib/core/assistant/environment.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { runPointerSchema } from './message.ts';
import type { DraftModel } from './ports.ts';
import { createRunStage } from './stage.ts';

const variables = helpdeskEnvironment.pick({
  ...CARRY_OUT_VARIABLES,
  RATES_TABLE: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const ai = readEnvironment(assistantEnvironment, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'runs' } });
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const quarantine = createRecordQuarantine(logger, systemClock.now);
  const stage = createRunStage({
    stores: createHelpdeskStores(db, tables, systemClock.now, quarantine),
    ...createHelpdeskSenders(sqs, settings),
    model: modelOf(ai, env.AWS_REGION),
    perDay: createDailyBudget(db, settings.RATES_TABLE),
    limits: { requests: ai.AI_REQUESTS_PER_DAY, tokens: ai.AI_TOKENS_PER_DAY },
    deadline: (ms) => AbortSignal.timeout(ms),
    clock: systemClock,
    random: systemRandom,
    report,
    pause: (ms) => wait(ms),
  });
  const log = createBatchLog(logger, { stage: 'runs', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(runPointerSchema, stage, log, systemClock.now, report);
}

function modelOf(
  settings: Parameters<typeof configuredModel>[0],
  region: string | undefined,
): DraftModel | null {
  const load = configuredModel(settings, region, readParameter);
  return load === null ? null : { provider: settings.AI_PROVIDER, name: settings.AI_MODEL ?? '', load };
}

async function readParameter(name: string): Promise<string | undefined> {
  const { readParameters } = await import('#lib/adapters/ssm/parameters.ts');
  return (await readParameters([name])).get(name);
}
