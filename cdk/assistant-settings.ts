// Which language model answers, as a deployment chooses it. Refuses what does not go together, and a key in the place of the
// name of the parameter that holds it.
import { type Context, oneOf, text, wholeNumber } from './context.ts';

export interface AssistantSettings {
  readonly provider: 'bedrock' | 'anthropic' | 'openai-compatible';
  /** Id as the provider writes it; at Bedrock of a foundation model or of an inference profile. */
  readonly model: string;
  readonly baseUrl?: string;
  /** Name of the parameter: the key itself is in no template. */
  readonly apiKeyParameter?: string;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  readonly tokensPerDay: number;
}

const PROVIDERS = ['none', 'bedrock', 'anthropic', 'openai-compatible'] as const;
/** A key that is pasted here would be in the template: none has the form of a name with a slash first. */
const PARAMETER_NAME = /^(?:\/[\w.-]+){1,15}$/;
/** What an ARN may end in. */
const MODEL_ID = /^[\w.:/-]{1,200}$/;

export function readAssistant(context: Context): { readonly assistant?: AssistantSettings } {
  const provider = oneOf(context, 'aiProvider', PROVIDERS) ?? 'none';
  const model = text(context, 'aiModel');
  const baseUrl = text(context, 'aiBaseUrl');
  const apiKeyParameter = text(context, 'aiApiKeyParameter');
  const limits = {
    requestsPerMinute: wholeNumber(context, 'aiRequestsPerMinute'),
    requestsPerDay: wholeNumber(context, 'aiRequestsPerDay'),
    tokensPerDay: wholeNumber(context, 'aiTokensPerDay'),
  };
  if (provider === 'none') return {};
  if (model === undefined || !MODEL_ID.test(model))
    throw new Error('Setting aiModel must be the id of a model where aiProvider is given.');
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new Error('Setting aiBaseUrl must be an http or https URL.');
  if (baseUrl === undefined && provider === 'openai-compatible')
    throw new Error('Setting aiBaseUrl is needed with aiProvider openai-compatible.');
  if (apiKeyParameter === undefined && provider === 'anthropic')
    throw new Error('Setting aiApiKeyParameter is needed with aiProvider anthropic.');
  if (apiKeyParameter !== undefined && !PARAMETER_NAME.test(apiKeyParameter))
    throw new Error('Setting aiApiKeyParameter must be the name of a parameter, not what it holds.');
  return {
    assistant: {
      provider,
      model,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKeyParameter === undefined ? {} : { apiKeyParameter }),
      ...limits,
    },
  };
}
