// Every setting of a deployment as data: what it may be, what holds when it is not given, what it does. The readers take
// bounds and defaults from here, and docs/reference/settings.md is made from it, so that neither can say something else.

/** A setting whose value is a whole number. */
export interface NumberSetting {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
  readonly meaning: string;
}

interface OtherSetting {
  readonly values: string;
  /** What holds when it is not given. */
  readonly otherwise: string;
  readonly meaning: string;
}

const whole = (min: number, max: number, fallback: number) => ({ min, max, fallback });
/** Lambda accepts nothing else as the maximum concurrency of a queue. */
const ofQueue = (fallback: number) => whole(2, 1_000, fallback);

const FLAG = { values: '`true`, `false`', otherwise: '`false`' };
const HTTP_URL = 'http or https URL';
const PAGE_URLS = 'https URLs, with commas between; http for `localhost`';

export const NUMBER_SETTINGS = {
  normalizeConcurrency: { ...ofQueue(50), meaning: 'Invocations of normalize at once.' },
  fanOutConcurrency: { ...ofQueue(50), meaning: 'Invocations of fan-out at once.' },
  deliveryConcurrency: {
    ...ofQueue(10),
    meaning: 'Invocations of deliver at once for each platform’s queue.',
  },
  aggregateConcurrency: { ...ofQueue(5), meaning: 'Invocations of aggregate at once.' },
  drainConcurrency: { ...ofQueue(50), meaning: 'Invocations of drain at once.' },
  replayConcurrency: { ...ofQueue(10), meaning: 'Invocations of replay at once, each a step of one plan.' },
  tasksConcurrency: {
    ...ofQueue(10),
    meaning: 'Invocations of tasks at once, each a step of one job of a merchant.',
  },
  auditConcurrency: {
    ...ofQueue(5),
    meaning: 'Invocations of reconcile at once, which recount the hours of all merchants.',
  },
  browserConcurrency: {
    ...whole(0, 1_000, 50),
    meaning:
      'Invocations of browser ingestion at once: kept for it, and the most it gets; 0 = neither. Not in an ephemeral deployment.',
  },
  ingestionConcurrency: {
    ...whole(0, 100_000, 400),
    meaning:
      'Invocations of ingestion for servers at once: kept for it, and the most it gets, ten requests a second each; 0 = neither. Not in an ephemeral deployment.',
  },
  apiConcurrency: { ...whole(0, 10_000, 50), meaning: 'Invocations of the API of events at once, likewise.' },
  helpdeskApiConcurrency: {
    ...whole(0, 10_000, 50),
    meaning: 'Invocations of the API of the helpdesk at once, likewise.',
  },
  retentionDaysMax: {
    ...whole(1, 400, 400),
    meaning:
      'The most days a merchant may keep personal data; a longer wish from before counts as this. Rows of events are deleted 35 days after it, and after 135 days at the earliest.',
  },
  browserEventsPerMinuteMax: {
    ...whole(1, 600_000, 12_000),
    meaning:
      'The most browser events a minute that a merchant may set as its ceiling; a higher one from before counts as this.',
  },
  serverEventsPerMinuteMax: {
    ...whole(1, 60_000_000, 1_200_000),
    meaning: 'The most events that the servers of one merchant may send in a minute; more are answered 429.',
  },
  replaysPerDayMax: {
    ...whole(1, 1_000_000_000, 1_000_000),
    meaning:
      'Replays that the plans of one merchant may store in a UTC day; what is left goes on the day after.',
  },
  aiRequestsPerMinute: {
    ...whole(1, 10_000, 10),
    meaning: 'Questions that one person, or one API key, may ask the assistant in a minute.',
  },
  aiRequestsPerDay: {
    ...whole(1, 1_000_000, 1_000),
    meaning: 'Questions that one merchant may ask the assistant in a UTC day.',
  },
  aiTokensPerDay: {
    ...whole(1, 1_000_000_000, 5_000_000),
    meaning: 'Tokens, in and out, after which a merchant’s questions of that UTC day are refused.',
  },
  linesPerMinute: {
    ...whole(0, 600, 10),
    meaning:
      'Requests, and calls of platforms, that have a log line of their own, by minute and process; the others are summed into one line a minute. Failures have up to 60.',
  },
} satisfies Readonly<Record<string, NumberSetting>>;

export const OTHER_SETTINGS = {
  ephemeral: {
    ...FLAG,
    meaning: 'For laptops and CI: tables and key go with their stack, nothing is protected from deletion.',
  },
  sandboxUrl: {
    values: HTTP_URL,
    otherwise: 'the platforms themselves',
    meaning: 'Where requests to platforms go instead. Only with `ephemeral`.',
  },
  authIssuer: {
    values: HTTP_URL,
    otherwise: 'a Cognito user pool is made',
    meaning: 'Who signs the sessions of the dashboard (`iss`). With `authAudience` and `authJwksUrl`.',
  },
  authAudience: {
    values: 'text',
    otherwise: 'see `authIssuer`',
    meaning:
      'For whom access tokens are signed: `aud` of tokens by RFC 9068 (`typ` is `at+jwt`), `client_id` of Cognito’s.',
  },
  authJwksUrl: {
    values: HTTP_URL,
    otherwise: 'see `authIssuer`',
    meaning: 'Where the issuer publishes its keys.',
  },
  signInCallbackUrls: {
    values: PAGE_URLS,
    otherwise: 'none: no one can sign in, the API takes keys only',
    meaning: 'Pages of the dashboard that get the code of a sign-in at Cognito, letter by letter.',
  },
  signInLogoutUrls: {
    values: PAGE_URLS,
    otherwise: 'none',
    meaning: 'Pages that Cognito may send people to after they signed out.',
  },
  account: {
    values: 'twelve digits, in quotes',
    otherwise: 'the one of the credentials',
    meaning: 'Number of the account that this is deployed to; with credentials of another it is refused.',
  },
  region: {
    values: 'such as `eu-central-1`',
    otherwise: 'the one of the environment or the AWS profile',
    meaning: 'Region that this is deployed to; in another it is refused.',
  },
  signInDomainPrefix: {
    values: 'lower-case letters, digits and hyphens',
    otherwise: '`millrace-` and the number of the account',
    meaning: 'Of the address of Cognito’s sign-in pages; unique in the region.',
  },
  alarmEmail: {
    values: 'e-mail address',
    otherwise: 'subscribe to `AlarmTopicArn` yourself',
    meaning: 'Who gets the alarms.',
  },
  edgeSecret: {
    values: '32 characters or more; two, with a comma between, while one replaces the other',
    otherwise: 'the client address is the connection’s',
    meaning: 'What a CDN in front of browser ingestion adds to each request as `x-millrace-edge-secret`.',
  },
  edgeAddressHeader: {
    values: 'name of a header',
    otherwise: '`cloudfront-viewer-address`; `x-viewer-address` with `oneOrigin`',
    meaning: 'Where that CDN names the client address.',
  },
  oneOrigin: {
    ...FLAG,
    meaning:
      'A CloudFront distribution puts ingestion and the API under one address, `OneOriginUrl`, as a page needs them. With `edgeSecret`.',
  },
  dashboard: {
    ...FLAG,
    meaning:
      'The pages for merchants behind a CloudFront distribution of their own, with the APIs at the same address, `DashboardUrl`. Name that address in `signInCallbackUrls` (with `/sign-in/callback`) and `signInLogoutUrls` (with `/`). Not in an ephemeral deployment.',
  },
  cloudwatchDashboard: {
    ...FLAG,
    meaning: 'A dashboard of CloudWatch: queues, functions, throttled tables.',
  },
  pages: {
    ...FLAG,
    otherwise: '`true`',
    meaning:
      'Events older than a week leave the tables for pages in a bucket, which cost a tenth. What is there stays readable when it is switched off.',
  },
  ownPartitions: {
    ...FLAG,
    meaning:
      'Says that teams, routings and data keys lie in their own partitions: true for a new deployment, and for an older one once `npm run move:partitions` has nothing left. What delivers may then write routings and nothing else of a merchant.',
  },
  logLevel: {
    values: '`trace`, `debug`, `info`, `warn`, `error`, `fatal`',
    otherwise: '`info`',
    meaning: 'Log lines below it are not written.',
  },
  metrics: {
    values: '`none`, `few`, `by-platform`',
    otherwise: '`few`',
    meaning:
      'Metrics that are written with the log lines, $0.30 a month each while something happens: seven, or those and three for each platform.',
  },
  otlpUrl: {
    values: HTTP_URL,
    otherwise: 'no spans',
    meaning:
      'OpenTelemetry collector that takes spans by OTLP over HTTP. Each invocation with a span waits for it, a second at most: near, or in a layer (`http://localhost:4318`).',
  },
  apiCorsOrigins: {
    values: 'origins, with commas between',
    otherwise: 'none',
    meaning: 'Web pages that may call the API from a browser.',
  },
  aiProvider: {
    values: '`none`, `bedrock`, `anthropic`, `openai-compatible`',
    otherwise: '`none`: there is no assistant',
    meaning: 'Who runs the language model behind the assistant. The text it gets leaves for there.',
  },
  aiModel: {
    values: 'id of a model as its provider writes it; at Bedrock also of an inference profile',
    otherwise: 'needed with `aiProvider`',
    meaning: 'The model. At Bedrock the API may use this one and no other.',
  },
  aiBaseUrl: {
    values: 'http or https URL, with the version (`https://llm.example/v1`)',
    otherwise: 'the provider’s own; needed with `openai-compatible`',
    meaning: 'Where the provider is.',
  },
  aiApiKeyParameter: {
    values: 'name of a SecureString parameter (`/millrace/ai-api-key`)',
    otherwise: 'no key; needed with `anthropic`',
    meaning: 'Parameter of Systems Manager, under the account’s own key, that holds the key of the provider.',
  },
  stripeSecretKeyParameter: {
    values: 'name of a SecureString parameter (`/millrace/stripe-secret-key`)',
    otherwise: 'nothing is sold: plans and usage are shown',
    meaning:
      'Parameter of Systems Manager, under the account’s own key, that holds the secret key of Stripe. With `stripeWebhookSecretParameter`.',
  },
  stripeWebhookSecretParameter: {
    values: 'name of a SecureString parameter',
    otherwise: 'see `stripeSecretKeyParameter`',
    meaning: 'The same for the signing secret of the webhook that calls `/v1/billing/webhook`.',
  },
  stripeApiUrl: {
    values: HTTP_URL,
    otherwise: 'Stripe itself',
    meaning: 'Where requests to Stripe go instead. Only with `ephemeral`.',
  },
  mailDomain: {
    values: 'domain name',
    otherwise: 'tickets have no e-mail',
    meaning:
      'Domain under which the helpdesk sends replies and receives mails by SES; what its DNS must say is in the outputs.',
  },
  capacityMode: {
    values: '`on-demand`, `provisioned`',
    otherwise: '`on-demand`',
    meaning: 'Whether the figures of `provisionedCapacity` hold.',
  },
  provisionedCapacity: {
    values:
      'JSON by table and index: `{"read": {"min", "max", "target"}, "write": {…}}`; target 20 to 90, default 70',
    otherwise: 'every table is on demand',
    meaning:
      'Units a second between which auto scaling keeps a table or index, and how many percent of them are to be in use. A table comes with all its indexes; one that is not named stays on demand.',
  },
  warmThroughput: {
    values: 'JSON by table and index: `{"read": units, "write": units}`, either or both',
    otherwise: 'what DynamoDB gives: 12,000 reads and 4,000 writes a second for a new table on demand',
    meaning: 'Units a second that a table or index takes at once. Charged once, and never lowered again.',
  },
} satisfies Readonly<Record<string, OtherSetting>>;

export type NumberSettingName = keyof typeof NUMBER_SETTINGS;
export type OtherSettingName = keyof typeof OTHER_SETTINGS;
