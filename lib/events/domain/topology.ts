// Names that the CDK app, the functions and the embedded host share. What exists, and how it is wired, is
// only in the CDK app (cdk/): nothing else lists resources.

/** Environment variables the functions read; each is documented by the schema in the service that reads it. */
export const ENV = {
  eventsTable: 'EVENTS_TABLE',
  batchesTable: 'BATCHES_TABLE',
  analyticsTable: 'ANALYTICS_TABLE',
  configTable: 'CONFIG_TABLE',
  ratesTable: 'RATES_TABLE',
  acceptedQueueUrl: 'ACCEPTED_QUEUE_URL',
  normalizedQueueUrl: 'NORMALIZED_QUEUE_URL',
  counterRefreshQueueUrl: 'COUNTER_REFRESH_QUEUE_URL',
  /** JSON object: platform slug → queue URL. */
  deliveryQueueUrls: 'DELIVERY_QUEUE_URLS',
  /** ARN of the KMS key that wraps merchants' data keys. */
  vaultKeyArn: 'VAULT_KEY_ARN',
  /** Instead of a KMS key, a file (mode 0600) holding one: laptops only. */
  vaultKeyFile: 'VAULT_KEY_FILE',
  /** When set, requests to platforms go here instead, as `{url}/{vendor host}/{path}`: local and test only. */
  sandboxUrl: 'PLATFORM_SANDBOX_URL',
  authIssuer: 'AUTH_ISSUER',
  authAudience: 'AUTH_AUDIENCE',
  authJwksUrl: 'AUTH_JWKS_URL',
  apiCorsOrigins: 'API_CORS_ORIGINS',
  /** What the CDN in front of browser ingestion adds as `x-edge-secret`. */
  edgeSecret: 'EDGE_SECRET',
  edgeAddressHeader: 'EDGE_ADDRESS_HEADER',
  logLevel: 'LOG_LEVEL',
} as const;

/** Indexes of the tables. */
export const INDEX = {
  /** events: a merchant's rows of one UTC day by time of receipt (`tp`, `ts`), keys only. */
  eventsByTime: 'by_time',
  /** events, batches and analytics: rows somebody must look at again (`dp`, `da`), sparse, keys only. */
  due: 'due',
} as const;

/** Messages one invocation of deliver gets at most. More would need a batching window, which a lone event would wait for. */
export const DELIVERY_MESSAGES_MAX = 10;
