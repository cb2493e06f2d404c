// Every setting of a deployment as data: what it may be, what holds when it is not given, what it does. The readers take
// bounds and defaults from here, and docs/reference/settings.md is made from it, so that neither can say something else.

interface OtherSetting {
  readonly values: string;
  /** What holds when it is not given. */
  readonly otherwise: string;
  readonly meaning: string;
}

export const FLAG = { values: '`true`, `false`', otherwise: '`false`' };
const HTTP_URL = 'http or https URL';
const PAGE_URLS = 'https URLs, with commas between; http for `localhost`';

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
  signUp: {
    ...FLAG,
    meaning: 'People make shops themselves; Cognito verifies their addresses, with 50 mails a day.',
  },
  account: {
    values: 'twelve digits, in quotes',
    otherwise: 'the one of the credentials',
    meaning: 'Account that this is deployed to; credentials of another are refused.',
  },
  region: {
    values: 'such as `eu-central-1`',
    otherwise: 'the one of the environment or the AWS profile',
    meaning: 'Region that this is deployed to; another is refused.',
  },
  environment: {
    values: 'the name of the file: lower-case letters, digits and hyphens, a letter first',
    otherwise: '`Millrace…`, as one environment of an account and region may be',
    meaning:
      'In the names of all stacks (`MillraceStaging…`), so that several fit into an account and region. Another name is another deployment.',
  },
  products: {
    values: '`events`, `helpdesk`, with commas between',
    otherwise: 'both',
    meaning: 'Products that are deployed.',
  },
  platforms: {
    values: 'slugs, with commas between (`meta,ga4`)',
    otherwise: 'all',
    meaning:
      'Platforms that are deployed; connecting another is 409. What waits for one that is taken out ends.',
  },
  signInDomainPrefix: {
    values: 'lower-case letters, digits and hyphens',
    otherwise: '`millrace-` and the number of the account',
    meaning: 'Of the address of Cognito’s sign-in pages; unique in the region.',
  },
  alarmEmail: {
    values: 'e-mail address',
    otherwise: 'subscribe to `AlarmTopicArn` yourself',
    meaning: 'Who gets alarms.',
  },
  edgeSecret: {
    values: '32 characters or more; two, with a comma between, while one replaces the other',
    otherwise: 'the client address is the connection’s',
    meaning: 'What a CDN in front of browser ingestion adds to each request as `x-millrace-edge-secret`.',
  },
  edgeSecretParameter: {
    values: 'name of a String parameter (`/millrace/edge-secret`)',
    otherwise:
      'with `domain`, `/millrace/edge-secret`; with `environment`, `/millrace/<environment>/edge-secret`',
    meaning:
      'Parameter of Systems Manager that holds `edgeSecret` instead, so that it is in no template and no function. `millrace deploy` makes a missing one.',
  },
  domain: {
    values: 'domain names, with commas between, the first of them the deployment’s',
    otherwise: 'addresses of CloudFront and Lambda',
    meaning:
      'Pixel, ingestion, APIs and, with `dashboard`, pages under names of yours, over TLS 1.2, first-party to their sites. With `account`, `region`, and `domainZone` or `domainCertificate`. Not when ephemeral.',
  },
  domainZone: {
    values: 'id of a hosted zone of Route 53 in the account (`Z0123456789ABC`)',
    otherwise: 'the certificate is `domainCertificate`, and DNS is yours: a CNAME to `DistributionName`',
    meaning: 'Zone of all names of `domain`, in which certificate and records are made.',
  },
  domainCertificate: {
    values: 'ARN of a certificate in us-east-1 for all names of `domain`',
    otherwise: 'one is made, with `domainZone`',
    meaning: 'Certificate of Certificate Manager.',
  },
  firewall: {
    ...FLAG,
    meaning:
      'In front of `domain`: addresses that AWS knows for attacks, or with more than 2,000 requests in five minutes, get 403. $7.00 a month and $0.60 a million requests.',
  },
  accessLogs: {
    ...FLAG,
    meaning:
      'Requests to `domain`, with addresses of visitors, without cookies, are kept 30 days in the bucket `AccessLogsBucket`.',
  },
  edgeAddressHeader: {
    values: 'name of a header',
    otherwise: '`cloudfront-viewer-address`; `x-viewer-address` with `oneOrigin` or `domain`',
    meaning: 'Where that CDN names the client address.',
  },
  oneOrigin: {
    ...FLAG,
    meaning:
      'A CloudFront distribution has ingestion and API at one address, `OneOriginUrl`. With `edgeSecret` or `edgeSecretParameter`.',
  },
  dashboard: {
    ...FLAG,
    meaning:
      'The pages for merchants and the APIs at an address of CloudFront, `DashboardUrl`: name it in `signInCallbackUrls` (with `/sign-in/callback`) and `signInLogoutUrls` (with `/`). Not when ephemeral.',
  },
  cloudwatchDashboard: {
    ...FLAG,
    meaning: 'A dashboard of CloudWatch: queues, functions, throttled tables.',
  },
  pages: {
    ...FLAG,
    otherwise: '`true`',
    meaning:
      'Events older than a week leave the tables for pages in a bucket, which cost a tenth. Switched off again, pages stay readable and tables delete nothing.',
  },
  ownPartitions: {
    ...FLAG,
    meaning:
      'Teams, routings and data keys lie in their own partitions: for a new deployment, or an older one once `npx millrace migrate partitions` has nothing left. What delivers may then write nothing but routings of a merchant.',
  },
  multiRegionKey: {
    ...FLAG,
    meaning:
      'The vault key can be replicated to other regions, where copies of the tables can then be opened. For good: said by the first deployment, refused when it changes.',
  },
  release: {
    values: '`all-at-once`, `alias`, `gradual`',
    otherwise: '`all-at-once`',
    meaning:
      'How new versions take over: `gradual` with a tenth of the work first; `alias` at once, at the same addresses. Those of `all-at-once` are others.',
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
      'Metrics in the log lines, $0.30 a month each while something happens: seven, or those and three for each platform.',
  },
  otlpUrl: {
    values: HTTP_URL,
    otherwise: 'no spans',
    meaning:
      'OpenTelemetry collector of spans, by OTLP over HTTP. Each invocation with a span waits for it, a second at most: have it near, or in a layer (`http://localhost:4318`).',
  },
  apiCorsOrigins: {
    values: 'origins, with commas between',
    otherwise: 'none',
    meaning: 'Web pages that may call the API from a browser.',
  },
  aiProvider: {
    values: '`none`, `bedrock`, `anthropic`, `openai-compatible`',
    otherwise: '`none`: there is no assistant',
    meaning: 'Who runs the assistant’s language model, and gets its text.',
  },
  aiModel: {
    values: 'id of a model as its provider writes it; at Bedrock also of an inference profile',
    otherwise: 'needed with `aiProvider`',
    meaning: 'At Bedrock the API may use no other model.',
  },
  aiBaseUrl: {
    values: 'http or https URL, with the version (`https://llm.example/v1`)',
    otherwise: 'the provider’s own; needed with `openai-compatible`',
    meaning: 'Where the provider is.',
  },
  aiApiKeyParameter: {
    values: 'name of a SecureString parameter (`/millrace/ai-api-key`)',
    otherwise: 'no key; needed with `anthropic`',
    meaning: 'Holds the provider’s key in Systems Manager, under the account’s own key.',
  },
  stripeSecretKeyParameter: {
    values: 'name of a SecureString parameter (`/millrace/stripe-secret-key`)',
    otherwise: 'nothing is sold: plans and usage are shown',
    meaning: 'Holds the secret key of Stripe, likewise. With `stripeWebhookSecretParameter`.',
  },
  stripeWebhookSecretParameter: {
    values: 'name of a SecureString parameter',
    otherwise: 'see `stripeSecretKeyParameter`',
    meaning: 'Holds the signing secret of the webhook that calls `/v1/billing/webhook`.',
  },
  stripeApiUrl: {
    values: HTTP_URL,
    otherwise: 'Stripe itself',
    meaning: 'Where requests to Stripe go instead. Only with `ephemeral`.',
  },
  mailDomain: {
    values: 'domain name',
    otherwise: 'tickets have no e-mail',
    meaning: 'Domain of the helpdesk’s mails by SES; what its DNS must say is in the outputs.',
  },
  capacityMode: {
    values: '`on-demand`, `provisioned`',
    otherwise: '`on-demand`',
    meaning: 'Whether the figures of `provisionedCapacity` hold.',
  },
  provisionedCapacity: {
    values:
      'JSON by table and index: `{"read": {"min", "max", "target"}, "write": {…}}`; target 20 to 90, default 70',
    otherwise: 'what is not named is on demand',
    meaning:
      'Units a second between which auto scaling keeps a table or index, and percent of them to be in use. A table comes with all its indexes.',
  },
  warmThroughput: {
    values: 'JSON by table and index: `{"read": units, "write": units}`, either or both',
    otherwise: 'what DynamoDB gives: 12,000 reads and 4,000 writes a second for a new table on demand',
    meaning: 'Units a second that a table or index takes at once. Charged once, never lowered.',
  },
} satisfies Readonly<Record<string, OtherSetting>>;

export type OtherSettingName = keyof typeof OTHER_SETTINGS;
