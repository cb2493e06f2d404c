// Environment variables of a function that has the assistant, whichever product it belongs to. Apart from those of all functions:
// who has no assistant does not load them. docs/reference/environment.md is generated from this as well.
import * as z from 'zod';

const positive = (fallback: number, description: string) =>
  z.coerce.number().int().min(1).max(1_000_000_000).default(fallback).meta({ description });

export const assistantEnvironment = z.object({
  AI_PROVIDER: z.enum(['none', 'bedrock', 'anthropic', 'openai-compatible']).default('none').meta({
    description: 'Setting `aiProvider`.',
  }),
  AI_MODEL: z.string().min(1).optional().meta({ description: 'Setting `aiModel`.' }),
  AI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'Setting `aiBaseUrl`.' }),
  AI_API_KEY_PARAMETER: z.string().min(1).optional().meta({
    description: 'Setting `aiApiKeyParameter`.',
  }),
  AI_API_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Instead of a parameter, a file that holds the key. For a laptop only.' }),
  AI_REQUESTS_PER_MINUTE: positive(10, 'Setting `aiRequestsPerMinute`.'),
  AI_REQUESTS_PER_DAY: positive(1_000, 'Setting `aiRequestsPerDay`.'),
  AI_TOKENS_PER_DAY: positive(5_000_000, 'Setting `aiTokensPerDay`.'),
});
