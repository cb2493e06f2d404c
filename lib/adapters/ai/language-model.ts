// The language model and its provider: Bedrock, Anthropic, or any service with OpenAI's chat completions protocol.
// Guarantees: only the configured provider is loaded; a key is sent to the configured address only, and redirects are
// refused.
import type { LanguageModel } from 'ai';

export type ModelSettings =
  | {
      readonly provider: 'bedrock';
      readonly model: string;
      readonly region: string;
      readonly baseUrl?: string;
    }
  | {
      readonly provider: 'anthropic';
      readonly model: string;
      readonly apiKey: string;
      readonly baseUrl?: string;
    }
  | {
      readonly provider: 'openai-compatible';
      readonly model: string;
      readonly baseUrl: string;
      readonly apiKey?: string;
    };

/** A redirect would carry headers with the key in them to another origin. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

export async function loadLanguageModel(settings: ModelSettings): Promise<LanguageModel> {
  const common = {
    fetch: fetchHere,
    ...(settings.baseUrl === undefined ? {} : { baseURL: settings.baseUrl }),
  };
  switch (settings.provider) {
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      // Credentials are those of the function, from its environment.
      return createAmazonBedrock({ ...common, region: settings.region })(settings.model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ ...common, apiKey: settings.apiKey })(settings.model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'openai-compatible',
        fetch: fetchHere,
        baseURL: settings.baseUrl,
        includeUsage: true,
        ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
      })(settings.model);
    }
  }
}
