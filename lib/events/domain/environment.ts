// Every environment variable the functions read: name, shape and meaning. Each function picks the ones it needs and
// fails at start, naming the variable, when one is missing. docs/reference/environment.md is generated from this.
import * as z from 'zod';
import { parseOrigins } from '../../core/tenancy/origins.ts';

const name = (description: string) => z.string().min(1).meta({ description });

const positive = (fallback: number, description: string) =>
  z.coerce.number().int().min(1).max(1_000_000_000).default(fallback).meta({ description });

export const environment = z.object({
  EVENTS_TABLE: name('DynamoDB table of event rows.'),
  BATCHES_TABLE: name('DynamoDB table of what rows normalized together share, and of what became of them.'),
  ANALYTICS_TABLE: name('DynamoDB table of counters.'),
  CONFIG_TABLE: name('DynamoDB table of merchants, keys, connections, rules and routing snapshots.'),
  RATES_TABLE: name('DynamoDB table of browser rate limits.'),
  ACCEPTED_QUEUE_URL: name('SQS queue from ingestion to normalize.'),
  NORMALIZED_QUEUE_URL: name('SQS queue from normalize to fan-out.'),
  COUNTER_REFRESH_QUEUE_URL: name('SQS queue of changed time slots, to aggregate.'),
  DUE_WORK_QUEUE_URL: name(
    'SQS queue from the sweep to drain: merchants with more due than a page, and what is released.',
  ),
  REPLAYS_QUEUE_URL: name('SQS queue of replay plans that are to go on, to replay.'),
  AUDIT_QUEUE_URL: name('SQS queue of parts of an hour that are to be recounted, to reconcile.'),
  DELIVERY_QUEUE_URLS: z
    .string()
    .transform((text, context) => {
      const parsed = z.record(z.string(), z.string().min(1)).safeParse(safeJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: 'must be a JSON object of queue URLs' });
      return z.NEVER;
    })
    .meta({ description: 'JSON object: platform slug to the URL of its delivery queue.' }),
  VAULT_KEY_ARN: z
    .string()
    .optional()
    .meta({ description: 'KMS key that wraps the data keys of merchants.' }),
  VAULT_KEY_FILE: z
    .string()
    .optional()
    .meta({ description: 'Instead of a KMS key, a file of mode 0600 that holds one. For a laptop only.' }),
  PLATFORM_SANDBOX_URL: z
    .string()
    .optional()
    .meta({ description: 'Requests to platforms go here instead. For a laptop and for tests only.' }),
  AUTH_ISSUER: name('Issuer of session tokens (`iss`).'),
  AUTH_AUDIENCE: name('Audience of access tokens (`aud`; `client_id` at Cognito).'),
  AUTH_JWKS_URL: name('Where the keys that sign session tokens are published.'),
  API_CORS_ORIGINS: z
    .string()
    .transform((text, context) => {
      try {
        return parseOrigins(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .optional()
    .meta({
      description:
        'Origins of the web pages that may call the API from a browser, separated by commas; none where absent. Set by the CDK setting `apiCorsOrigins`.',
    }),
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
  EDGE_SECRET: z
    .string()
    .optional()
    .transform((text) => (text ?? '').split(',').filter((secret) => secret !== ''))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'must have 32 characters or more')
    .meta({
      description:
        'What a CDN in front adds to every request as `x-edge-secret`, so that its word on the client address is taken; two while one replaces the other, with a comma between. Unset: the address is the connection’s.',
    }),
  EDGE_ADDRESS_HEADER: z
    .string()
    .default('cloudfront-viewer-address')
    .transform((name) => name.toLowerCase())
    .meta({ description: 'Header in which that CDN names the client address, alone or with a port.' }),
  LOG_LEVEL: z
    .string()
    .optional()
    .meta({ description: 'trace, debug, info, warn, error or silent; default info.' }),
});

export type RawEnvironment = Readonly<Record<string, string | undefined>>;

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The variables of one function, or an error that names what is missing. */
export function readEnvironment<T extends z.ZodType>(schema: T, env: RawEnvironment): z.output<T> {
  // Read once: generating a parser would take longer than parsing.
  const parsed = schema.safeParse(env, { jitless: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`environment: ${problems.join('; ')}`);
}
