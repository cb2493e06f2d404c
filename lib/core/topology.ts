// Names of environment variables that the CDK app and the functions of every product share.

export const CORE_ENV = {
  configTable: 'CONFIG_TABLE',
  ratesTable: 'RATES_TABLE',
  /** ARN of the KMS key that wraps merchants' data keys. */
  vaultKeyArn: 'VAULT_KEY_ARN',
  /** Instead of a KMS key, a file (mode 0600) holding one: laptops only. */
  vaultKeyFile: 'VAULT_KEY_FILE',
  authIssuer: 'AUTH_ISSUER',
  authAudience: 'AUTH_AUDIENCE',
  authJwksUrl: 'AUTH_JWKS_URL',
  apiCorsOrigins: 'API_CORS_ORIGINS',
  aiProvider: 'AI_PROVIDER',
  aiModel: 'AI_MODEL',
  aiBaseUrl: 'AI_BASE_URL',
  aiApiKeyParameter: 'AI_API_KEY_PARAMETER',
  aiRequestsPerMinute: 'AI_REQUESTS_PER_MINUTE',
  aiRequestsPerDay: 'AI_REQUESTS_PER_DAY',
  aiTokensPerDay: 'AI_TOKENS_PER_DAY',
  /** Of the people who sign in, where the deployment keeps them itself. */
  userPoolId: 'USER_POOL_ID',
  /** `true`: a function of an operator refuses requests whose caller AWS does not name. */
  operatorsNamed: 'OPERATORS_NAMED',
  /** JSON object: name of a queue → id of the event source mapping that polls it. */
  eventSources: 'EVENT_SOURCES',
  logLevel: 'LOG_LEVEL',
  linesPerMinute: 'LINES_PER_MINUTE',
  metrics: 'METRICS',
  metricNamespace: 'METRIC_NAMESPACE',
  otlpUrl: 'OTLP_URL',
} as const;

/** Attributes of a profile and its key, as scans of the config table for merchants ask for them; the permission to scan names them. */
export const SCANNED = ['pk', 'sk', 'merchant', 'susp', 'epm', 'epd', 'bpm', 'rpd'] as const;

/** Of all figures of an environment that are counted from log lines, or written in them. */
export const metricNamespace = (environment?: string): string =>
  environment === undefined ? 'Millrace' : `Millrace/${environment}`;
