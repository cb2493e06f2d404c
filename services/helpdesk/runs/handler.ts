import { configuredModel } from '#lib/adapters/ai/configured-model.ts';
import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createDailyBudget } from '#lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { assistantEnvironment } from '#lib/core/assistant/environment.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { pointerSchema } from '#lib/helpdesk/domain/pointer.ts';
import type { DraftModel } from './ports.ts';
import { createRunStage } from './stage.ts';

const variables = helpdeskEnvironment.pick({ ...CARRY_OUT_VARIABLES, RATES_TABLE: true });

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const ai = readEnvironment(assistantEnvironment, env);
  const base = createFunctionBase('runs', settings);
  const stage = createRunStage({
    ...helpdeskPorts(base, settings),
    model: modelOf(ai, env.AWS_REGION),
    perDay: createDailyBudget(base.db, settings.RATES_TABLE),
    limits: { requests: ai.AI_REQUESTS_PER_DAY, tokens: ai.AI_TOKENS_PER_DAY },
    deadline: (ms) => AbortSignal.timeout(ms),
    pause: systemPause,
  });
  return stageFunction('runs', base, pointerSchema, stage);
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
