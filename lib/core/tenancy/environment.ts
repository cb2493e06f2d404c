// Environment variables that functions of both products read.
import * as z from 'zod';
import { readTextBy } from '../record/read-by-schema.ts';
import { parseOrigins } from './origins.ts';

export const named = (description: string) => z.string().min(1).meta({ description });

/** A JSON object of texts; `what` they are. */
export const namedTexts = (what: string) =>
  z.string().transform((text, context) => {
    const parsed = readTextBy(z.record(z.string(), z.string().min(1)), text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message: `must be a JSON object of ${what}` });
    return z.NEVER;
  });

export const SHARED_VARIABLES = {
  VAULT_KEY_ARN: z
    .string()
    .optional()
    .meta({ description: 'KMS key that wraps the data keys of merchants.' }),
  VAULT_KEY_FILE: z
    .string()
    .optional()
    .meta({ description: 'Instead of a KMS key, a file of mode 0600 that holds one. For a laptop only.' }),
  AUTH_ISSUER: named('Issuer of session tokens (`iss`).'),
  AUTH_AUDIENCE: named('Audience of access tokens (`aud`; `client_id` at Cognito).'),
  AUTH_JWKS_URL: named('Where the keys that sign session tokens are published.'),
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
      description: 'Setting `apiCorsOrigins`.',
    }),
  EVENT_SOURCES: namedTexts('ids').default({}).meta({
    description: 'JSON object: queue to the id of its event source mapping, for those that rest.',
  }),
  LINES_PER_MINUTE: z.coerce.number().int().min(0).max(600).default(10).meta({
    description: 'Setting `linesPerMinute`.',
  }),
  METRICS: z.enum(['none', 'few', 'by-platform']).default('few').meta({
    description: 'Setting `metrics`.',
  }),
  METRIC_NAMESPACE: z.string().optional().meta({
    description: 'Of those metrics; `Millrace` where absent. Setting `environment`.',
  }),
  OTLP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'Setting `otlpUrl`; without `/v1/traces`.',
    }),
  LOG_LEVEL: z.string().optional().meta({ description: 'Setting `logLevel`, or `silent`.' }),
};
