// Which language model answers, as a deployment chooses it. Refuses what does not go together, and a key in the place of the
// name of the parameter that holds it.
import { type Context, httpUrl, oneOf, parameterName, text } from './context.ts';

export interface AssistantSettings {
  readonly provider: 'bedrock' | 'anthropic' | 'openai-compatible';
  /** Id as the provider writes it; at Bedrock of a foundation model or of an inference profile. */
  readonly model: string;
  readonly baseUrl: string | undefined;
  /** Name of the parameter: the key itself is in no template. */
  readonly apiKeyParameter: string | undefined;
}

const PROVIDERS = ['none', 'bedrock', 'anthropic', 'openai-compatible'] as const;
/** What an ARN may end in. */
const MODEL_ID = /^[\w.:/-]{1,200}$/;

export function readAssistant(context: Context): AssistantSettings | undefined {
  const provider = oneOf(context, 'aiProvider', PROVIDERS) ?? 'none';
  // Without a provider the other settings of the assistant are not read.
  if (provider === 'none') return undefined;
  const model = text(context, 'aiModel');
  const baseUrl = httpUrl(context, 'aiBaseUrl');
  const apiKeyParameter = parameterName(context, 'aiApiKeyParameter');
  if (model === undefined || !MODEL_ID.test(model))
    throw new Error('Setting aiModel must be the id of a model where aiProvider is given.');
  if (baseUrl === undefined && provider === 'openai-compatible')
    throw new Error('Setting aiBaseUrl is needed with aiProvider openai-compatible.');
  if (apiKeyParameter === undefined && provider === 'anthropic')
    throw new Error('Setting aiApiKeyParameter is needed with aiProvider anthropic.');
  return { provider, model, baseUrl, apiKeyParameter };
}
