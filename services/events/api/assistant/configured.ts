// The assistant of a deployment, from its environment: null where none is configured. Refuses, at the start, settings that
// do not go together; the library and the key are loaded by the first question.
import { configuredModel } from '#lib/adapters/ai/configured-model.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createDailyBudget } from '#lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { createOneTimeStore } from '#lib/adapters/dynamodb/core/one-time-store.ts';
import { assistantEnvironment } from '#lib/core/assistant/environment.ts';
import { createLeasedWindow } from '#lib/core/work/leased-window.ts';
import { type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import type { AssistantPorts } from '../ports.ts';

const MINUTE_MS = 60_000;

export function assistantOf(
  env: RawEnvironment,
  db: Parameters<typeof createOneTimeStore>[0],
  table: string,
): AssistantPorts | null {
  const settings = readEnvironment(assistantEnvironment, env);
  const model = configuredModel(settings, env.AWS_REGION, readParameter);
  if (model === null) return null;
  return {
    model,
    confirmations: createOneTimeStore(db, table),
    // Nothing for free, one at a time: the limit is exact, for one small write a question.
    perMinute: createLeasedWindow(createLeaseStore(db, table), {
      windowMs: MINUTE_MS,
      free: () => 0,
      share: () => 1,
    }),
    perDay: createDailyBudget(db, table),
    limits: {
      requestsPerMinute: settings.AI_REQUESTS_PER_MINUTE,
      requests: settings.AI_REQUESTS_PER_DAY,
      tokens: settings.AI_TOKENS_PER_DAY,
    },
    deadline: (ms) => AbortSignal.timeout(ms),
  };
}

async function readParameter(name: string): Promise<string | undefined> {
  const { readParameters } = await import('#lib/adapters/ssm/parameters.ts');
  return (await readParameters([name])).get(name);
}
