// The language model of a deployment, from its settings: null where none is configured. Refuses, at the start, settings that do
// not go together; the library and the key are loaded by the first question, and a failure is not remembered.
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { assistantEnvironment } from '../../core/assistant/environment.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import { onceItWorks } from '../../core/work/once-it-works.ts';

export type ModelEnvironment = z.output<typeof assistantEnvironment>;

/** Opens a SecureString parameter by its name. */
export type ReadParameter = (name: string) => Promise<string | undefined>;

export function configuredModel(
  settings: ModelEnvironment,
  region: string | undefined,
  readParameter: ReadParameter,
): (() => Promise<ChatModel>) | null {
  const load = loaderOf(settings, region ?? 'us-east-1', readParameter);
  return load === null ? null : onceItWorks(load);
}

function loaderOf(
  settings: ModelEnvironment,
  region: string,
  readParameter: ReadParameter,
): (() => Promise<ChatModel>) | null {
  const { AI_PROVIDER: provider, AI_MODEL: model, AI_BASE_URL: baseUrl } = settings;
  if (provider === 'none') return null;
  if (model === undefined) throw new Error('environment: AI_MODEL: is needed with AI_PROVIDER');
  const hasKey = settings.AI_API_KEY_PARAMETER !== undefined || settings.AI_API_KEY_FILE !== undefined;
  if (provider === 'openai-compatible' && baseUrl === undefined)
    throw new Error('environment: AI_BASE_URL: is needed with AI_PROVIDER openai-compatible');
  if (provider === 'anthropic' && !hasKey)
    throw new Error('environment: AI_API_KEY_PARAMETER: is needed with AI_PROVIDER anthropic');
  return async () => {
    const { createChatModel } = await import('./chat-model.ts');
    const apiKey = hasKey ? await keyOf(settings, readParameter) : undefined;
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

async function keyOf(
  { AI_API_KEY_PARAMETER: name, AI_API_KEY_FILE: file }: ModelEnvironment,
  readParameter: ReadParameter,
): Promise<string> {
  if (name === undefined) return (await readFile(file ?? '', 'utf8')).trim();
  const key = await readParameter(name);
  if (key === undefined) throw new Error(`there is no parameter ${name}`);
  return key;
}
