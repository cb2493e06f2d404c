// Environment variables of a function that has the assistant, whichever product it belongs to. Apart from those of all functions:
// who has no assistant does not load them. docs/reference/environment.md is generated from this as well.
import * as z from 'zod';

const positive = (fallback: number, description: string) =>
  z.coerce.number().int().min(1).max(1_000_000_000).default(fallback).meta({ description });

export const assistantEnvironment = z.object({
  AI_PROVIDER: z.enum(['none', 'bedrock', 'anthropic', 'openai-compatible']).default('none').meta({
    description:
      'Who runs the language model behind the assistant; `none`: there is no assistant. Set by the CDK setting `aiProvider`.',
  }),
  AI_MODEL: z.string().min(1).optional().meta({ description: 'Id of the model, as its provider writes it.' }),
  AI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'Address of the provider, with its version; needed by `openai-compatible`.' }),
  AI_API_KEY_PARAMETER: z.string().min(1).optional().meta({
    description:
      'Name of the SecureString parameter that holds the key of the provider. Set by the CDK setting `aiApiKeyParameter`.',
  }),
  AI_API_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Instead of a parameter, a file that holds the key. For a laptop only.' }),
  AI_REQUESTS_PER_MINUTE: positive(10, 'Questions that one person may ask the assistant in a minute.'),
  AI_REQUESTS_PER_DAY: positive(1_000, 'Questions that a merchant may ask the assistant in a UTC day.'),
  AI_TOKENS_PER_DAY: positive(
    5_000_000,
    'Tokens of a merchant and UTC day, in and out, after which no question is taken any more.',
  ),
});
