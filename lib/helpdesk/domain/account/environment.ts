// Every environment variable the helpdesk's functions read: name, shape and meaning. Each function picks the ones it needs and
// fails at start, naming the variable, when one is missing.
import * as z from 'zod';
import { parseOrigins } from '#lib/core/tenancy/origins.ts';

export { type RawEnvironment, readEnvironment } from '#lib/core/work/read-environment.ts';

const name = (description: string) => z.string().min(1).meta({ description });

export const helpdeskEnvironment = z.object({
  HELPDESK_TABLE: name('DynamoDB table of the helpdesk’s records.'),
  HELPDESK_AUDIT_TABLE: name('DynamoDB table of the helpdesk’s audit log: nothing in it is changed.'),
  HELPDESK_DELIVERIES_QUEUE_URL: name('SQS queue of events on their way to webhooks.'),
  HELPDESK_RUNS_QUEUE_URL: name('SQS queue of drafts by a language model.'),
  HELPDESK_MAILS_QUEUE_URL: name('SQS queue of replies on their way to customers by e-mail.'),
  HELPDESK_TASKS_QUEUE_URL: name('SQS queue of jobs through many records.'),
  WEBHOOK_ALLOW_PRIVATE_CIDRS: z.string().optional().meta({
    description:
      'Networks that webhooks may reach although they are private, as `127.0.0.0/8, ::1/128`; by http and on any port. For a laptop and for tests only: the CDK app refuses it.',
  }),
  CONFIG_TABLE: name('DynamoDB table of merchants, members and keys.'),
  RATES_TABLE: name('DynamoDB table of rate limits and of answers to requests with an Idempotency-Key.'),
  VAULT_KEY_ARN: z
    .string()
    .optional()
    .meta({ description: 'KMS key that wraps the data keys of merchants.' }),
  VAULT_KEY_FILE: z
    .string()
    .optional()
    .meta({ description: 'Instead of a KMS key, a file of mode 0600 that holds one. For a laptop only.' }),
  HELPDESK_MAIL_DOMAIN: z.string().min(1).optional().meta({
    description: 'Domain under which replies go out and come in; without it tickets have no e-mail.',
  }),
  HELPDESK_INBOUND_MAIL_QUEUE_URL: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'SQS queue of mails that came in; mails that were put aside go there once more.' }),
  AUTH_ISSUER: name('Issuer of session tokens (`iss`).').optional(),
  AUTH_AUDIENCE: name('Audience of access tokens (`aud`; `client_id` at Cognito).').optional(),
  AUTH_JWKS_URL: name('Where the keys that sign session tokens are published.').optional(),
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
        'Origins of the web pages that may call the API from a browser, separated by commas; none where absent.',
    }),
  LOG_LEVEL: z
    .string()
    .optional()
    .meta({ description: 'trace, debug, info, warn, error or silent; default info.' }),
});

/** Of every function that carries out what a change promised: the records, and where their messages go; and how much it logs. */
export const CARRY_OUT_VARIABLES = {
  HELPDESK_TABLE: true,
  HELPDESK_AUDIT_TABLE: true,
  HELPDESK_DELIVERIES_QUEUE_URL: true,
  HELPDESK_RUNS_QUEUE_URL: true,
  HELPDESK_MAILS_QUEUE_URL: true,
  HELPDESK_TASKS_QUEUE_URL: true,
  LOG_LEVEL: true,
} as const;
