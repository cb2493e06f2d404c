// Names that the CDK app, the functions and the embedded host share. Only the CDK app (cdk/) defines which resources
// exist and how they are wired.

/** Environment variables of this product's functions, besides those of core (lib/core/topology.ts); environment.ts says more. */
export const ENV = {
  eventsTable: 'EVENTS_TABLE',
  batchesTable: 'BATCHES_TABLE',
  analyticsTable: 'ANALYTICS_TABLE',
  acceptedQueueUrl: 'ACCEPTED_QUEUE_URL',
  normalizedQueueUrl: 'NORMALIZED_QUEUE_URL',
  counterRefreshQueueUrl: 'COUNTER_REFRESH_QUEUE_URL',
  dueWorkQueueUrl: 'DUE_WORK_QUEUE_URL',
  replaysQueueUrl: 'REPLAYS_QUEUE_URL',
  auditQueueUrl: 'AUDIT_QUEUE_URL',
  taskWorkQueueUrl: 'TASK_WORK_QUEUE_URL',
  noticeMailDomain: 'NOTICE_MAIL_DOMAIN',
  /** JSON object: platform slug → queue URL. */
  deliveryQueueUrls: 'DELIVERY_QUEUE_URLS',
  platforms: 'PLATFORMS',
  signUp: 'SIGN_UP',
  readUnitsPerDayMax: 'READ_UNITS_PER_DAY_MAX',
  writeUnitsPerDayMax: 'WRITE_UNITS_PER_DAY_MAX',
  edgeSecretParameter: 'EDGE_SECRET_PARAMETER',
  /** When set, requests to platforms go here instead, as `{url}/{vendor host}/{path}`: local and test only. */
  sandboxUrl: 'PLATFORM_SANDBOX_URL',
  /** The CDN in front of browser ingestion adds it as `x-millrace-edge-secret`. */
  edgeSecret: 'EDGE_SECRET',
  edgeAddressHeader: 'EDGE_ADDRESS_HEADER',
  stripeSecretKeyParameter: 'STRIPE_SECRET_KEY_PARAMETER',
  stripeWebhookSecretParameter: 'STRIPE_WEBHOOK_SECRET_PARAMETER',
  stripeApiUrl: 'STRIPE_API_URL',
  pagesBucket: 'PAGES_BUCKET',
  pages: 'PAGES',
  /** Limits set by the operator. */
  retentionDaysMax: 'RETENTION_DAYS_MAX',
  browserEventsPerMinuteMax: 'BROWSER_EVENTS_PER_MINUTE_MAX',
  serverEventsPerMinuteMax: 'SERVER_EVENTS_PER_MINUTE_MAX',
  serverEventsPerDayMax: 'SERVER_EVENTS_PER_DAY_MAX',
  replaysPerDayMax: 'REPLAYS_PER_DAY_MAX',
} as const;

/** Indexes of the tables. */
export const INDEX = {
  /** events: a merchant's rows of one UTC day by time of receipt (`tp`, `ts`), keys only. */
  eventsByTime: 'by_time',
  /** events and batches (by group), analytics (by time): what is due (`dp`, `da`), sparse, keys only. */
  due: 'due',
} as const;

/**
 * Messages one invocation of deliver gets at most. More would need a batching window, which a single event would wait
 * for.
 */
export const DELIVERY_MESSAGES_MAX = 10;

/** The same for normalize. Its window is a second: it also ends with fewer messages. */
export const ACCEPTED_MESSAGES_MAX = 300;
