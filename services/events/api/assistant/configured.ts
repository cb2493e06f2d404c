// The assistant of a deployment, from its environment: null where none is configured. Refuses, at the start, settings that
// do not go together; the library and the key are loaded by the first question.
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { createDailyBudget } from '../../../../lib/adapters/dynamodb/core/daily-budget.ts';
import { createLeaseStore } from '../../../../lib/adapters/dynamodb/core/lease-store.ts';
import { createOneTimeStore } from '../../../../lib/adapters/dynamodb/core/one-time-store.ts';
import { assistantEnvironment } from '../../../../lib/core/assistant/environment.ts';
import type { ChatModel } from '../../../../lib/core/ports/chat-model.ts';
import { createLeasedWindow } from '../../../../lib/core/work/leased-window.ts';
import { type RawEnvironment, readEnvironment } from '../../../../lib/events/domain/environment.ts';
import type { AssistantPorts } from './ports.ts';

type Settings = z.output<typeof assistantEnvironment>;

const MINUTE_MS = 60_000;

export function assistantOf(
  env: RawEnvironment,
  db: Parameters<typeof createOneTimeStore>[0],
  table: string,
): AssistantPorts | null {
  const settings = readEnvironment(assistantEnvironment, env);
  const load = modelOf(settings, env.AWS_REGION);
  if (load === null) return null;
  return {
    model: onceItWorks(load),
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

function modelOf(settings: Settings, region = 'us-east-1'): (() => Promise<ChatModel>) | null {
  const { AI_PROVIDER: provider, AI_MODEL: model, AI_BASE_URL: baseUrl } = settings;
  if (provider === 'none') return null;
  if (model === undefined) throw new Error('environment: AI_MODEL: is needed with AI_PROVIDER');
  const hasKey = settings.AI_API_KEY_PARAMETER !== undefined || settings.AI_API_KEY_FILE !== undefined;
  if (provider === 'openai-compatible' && baseUrl === undefined)
    throw new Error('environment: AI_BASE_URL: is needed with AI_PROVIDER openai-compatible');
  if (provider === 'anthropic' && !hasKey)
    throw new Error('environment: AI_API_KEY_PARAMETER: is needed with AI_PROVIDER anthropic');
  return async () => {
    const { createChatModel } = await import('../../../../lib/adapters/ai/chat-model.ts');
    const apiKey = hasKey ? await keyOf(settings) : undefined;
    const common = { model, ...(baseUrl === undefined ? {} : { baseUrl }) };
    if (provider === 'bedrock') return await createChatModel({ ...common, provider, region });
    if (provider === 'anthropic') return await createChatModel({ ...common, provider, apiKey: apiKey ?? '' });
    return await createChatModel({
      ...common,
      provider,
      baseUrl: baseUrl ?? '',
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  };
}

async function keyOf({ AI_API_KEY_PARAMETER: name, AI_API_KEY_FILE: file }: Settings): Promise<string> {
  if (name === undefined) return (await readFile(file ?? '', 'utf8')).trim();
  const { readParameters } = await import('../../../../lib/adapters/ssm/parameters.ts');
  const key = (await readParameters([name])).get(name);
  if (key === undefined) throw new Error(`there is no parameter ${name}`);
  return key;
}

/** Loaded once; a failure is not remembered. */
function onceItWorks<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
