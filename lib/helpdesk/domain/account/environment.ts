// Every environment variable the helpdesk's functions read: name, shape and meaning. Each function picks the ones it needs and
// fails at start, naming the variable, when one is missing.
import * as z from 'zod';
import { named as name, SHARED_VARIABLES as SHARED } from '#lib/core/tenancy/environment.ts';

export { type RawEnvironment, readEnvironment } from '#lib/core/work/read-environment.ts';

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
  VAULT_KEY_ARN: SHARED.VAULT_KEY_ARN,
  VAULT_KEY_FILE: SHARED.VAULT_KEY_FILE,
  HELPDESK_MAIL_DOMAIN: z.string().min(1).optional().meta({
    description: 'Setting `mailDomain`.',
  }),
  HELPDESK_INBOUND_MAIL_QUEUE_URL: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'SQS queue of mails that came in; mails that were put aside go there once more.' }),
  AUTH_ISSUER: SHARED.AUTH_ISSUER.optional(),
  AUTH_AUDIENCE: SHARED.AUTH_AUDIENCE.optional(),
  AUTH_JWKS_URL: SHARED.AUTH_JWKS_URL.optional(),
  API_CORS_ORIGINS: SHARED.API_CORS_ORIGINS,
  EVENT_SOURCES: SHARED.EVENT_SOURCES,
  LINES_PER_MINUTE: SHARED.LINES_PER_MINUTE,
  METRICS: SHARED.METRICS,
  METRIC_NAMESPACE: SHARED.METRIC_NAMESPACE,
  OTLP_URL: SHARED.OTLP_URL,
  LOG_LEVEL: SHARED.LOG_LEVEL,
});

/** Of every function that carries out what a change promised: the records, and where their messages go; and how much it logs. */
export const CARRY_OUT_VARIABLES = {
  HELPDESK_TABLE: true,
  HELPDESK_AUDIT_TABLE: true,
  HELPDESK_DELIVERIES_QUEUE_URL: true,
  HELPDESK_RUNS_QUEUE_URL: true,
  HELPDESK_MAILS_QUEUE_URL: true,
  HELPDESK_TASKS_QUEUE_URL: true,
  LINES_PER_MINUTE: true,
  METRICS: true,
  METRIC_NAMESPACE: true,
  OTLP_URL: true,
  LOG_LEVEL: true,
} as const;
