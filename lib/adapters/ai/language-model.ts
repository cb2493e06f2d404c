// Which model answers, and who runs it: Bedrock, Anthropic, or whoever speaks the protocol of OpenAI's chat completions.
// Guarantees: only the provider that is configured is loaded; a key goes to the configured address and nowhere else,
// whatever that address redirects to.
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
