// Every environment variable the functions read: name, shape and meaning. Each function picks the ones it needs and
// fails at start, naming the variable, when one is missing. docs/reference/environment.md is generated from this.
import * as z from 'zod';
import { named as name, namedTexts, SHARED_VARIABLES as SHARED } from '../../core/tenancy/environment.ts';

export { type RawEnvironment, readEnvironment } from '../../core/work/read-environment.ts';

const setting = (name: string) => ({ description: `Setting \`${name}\`.` });
/** Of the operator; the highest that the code allows where none is given. */
const ceiling = (max: number) => z.coerce.number().int().min(1).max(max).default(max);

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
  TASK_WORK_QUEUE_URL: name('SQS queue of jobs.'),
  NOTICE_MAIL_DOMAIN: z.string().optional().meta({
    description: 'Domain from which merchants get mails about their account. Absent: none are sent.',
  }),
  DELIVERY_QUEUE_URLS: namedTexts('queue URLs')
    .transform(({ '': base = '', ...names }) =>
      Object.fromEntries(Object.entries(names).map(([slug, name]) => [slug, base + name])),
    )
    .meta({
      description:
        'JSON object: platform slug to the name of its delivery queue; under the empty key, what the URLs of all begin with.',
    }),
  EVENT_SOURCES: SHARED.EVENT_SOURCES,
  VAULT_KEY_ARN: SHARED.VAULT_KEY_ARN,
  VAULT_KEY_FILE: SHARED.VAULT_KEY_FILE,
  PLATFORM_SANDBOX_URL: z
    .string()
    .optional()
    .meta({ description: 'Requests to platforms go here instead. For a laptop and for tests only.' }),
  AUTH_ISSUER: SHARED.AUTH_ISSUER,
  AUTH_AUDIENCE: SHARED.AUTH_AUDIENCE,
  AUTH_JWKS_URL: SHARED.AUTH_JWKS_URL,
  API_CORS_ORIGINS: SHARED.API_CORS_ORIGINS,
  STRIPE_SECRET_KEY_PARAMETER: z.string().min(1).optional().meta(setting('stripeSecretKeyParameter')),
  STRIPE_WEBHOOK_SECRET_PARAMETER: z.string().min(1).optional().meta(setting('stripeWebhookSecretParameter')),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta(setting('stripeApiUrl')),
  RETENTION_DAYS_MAX: ceiling(400).meta(setting('retentionDaysMax')),
  BROWSER_EVENTS_PER_MINUTE_MAX: ceiling(600_000).meta(setting('browserEventsPerMinuteMax')),
  SERVER_EVENTS_PER_MINUTE_MAX: ceiling(60_000_000).meta(setting('serverEventsPerMinuteMax')),
  SERVER_EVENTS_PER_DAY_MAX: ceiling(10_000_000_000).meta(setting('serverEventsPerDayMax')),
  REPLAYS_PER_DAY_MAX: ceiling(1_000_000_000).meta(setting('replaysPerDayMax')),
  PLATFORMS: z
    .string()
    .optional()
    .transform((text) => text?.split(','))
    .meta(setting('platforms')),
  READ_UNITS_PER_DAY_MAX: ceiling(1_000_000_000).default(10_000_000).meta(setting('readUnitsPerDayMax')),
  WRITE_UNITS_PER_DAY_MAX: ceiling(1_000_000_000).default(1_000_000).meta(setting('writeUnitsPerDayMax')),
  PAGES_BUCKET: z.string().optional().meta({
    description: 'S3 bucket of events that have left the tables. Absent: none has.',
  }),
  PAGES: z.enum(['on', 'off']).default('on').meta({
    description: 'Whether events older than a week leave the tables. Set by the CDK setting `pages`.',
  }),
  CALL_LIMITS_FACTOR: z.coerce.number().int().min(1).max(1_000).default(1).meta({
    description: 'Multiplies what a caller of the API may ask for in a minute. For tests only.',
  }),
  EDGE_SECRET: z
    .string()
    .optional()
    .transform((text) => (text ?? '').split(',').filter((secret) => secret !== ''))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'must have 32 characters or more')
    .meta(setting('edgeSecret')),
  EDGE_SECRET_PARAMETER: z.string().optional().meta({
    description: 'Setting `edgeSecretParameter`; read again where a request has another secret.',
  }),
  EDGE_ADDRESS_HEADER: z
    .string()
    .default('cloudfront-viewer-address')
    .transform((name) => name.toLowerCase())
    .meta({ description: 'Setting `edgeAddressHeader`; the address alone or with a port.' }),
  LINES_PER_MINUTE: SHARED.LINES_PER_MINUTE,
  METRICS: SHARED.METRICS,
  METRIC_NAMESPACE: SHARED.METRIC_NAMESPACE,
  OTLP_URL: SHARED.OTLP_URL,
  LOG_LEVEL: SHARED.LOG_LEVEL,
});
