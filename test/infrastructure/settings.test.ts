import { describe, expect, it } from 'vitest';
import { NUMBER_SETTINGS } from '../../cdk/number-settings.ts';
import { OTHER_SETTINGS } from '../../cdk/setting-list.ts';
import { readSettings } from '../../cdk/settings.ts';

const RANGE = { min: 1, max: 10 };
const TABLE = { read: RANGE, write: RANGE };
const DOMAIN = {
  account: '111122223333',
  region: 'eu-central-1',
  domain: 't.shop.example',
  domainZone: 'Z1',
};
const PARAMETERS = { stripeSecretKeyParameter: '/stripe/key', stripeWebhookSecretParameter: '/stripe/hook' };
const provisioned = (provisionedCapacity: unknown) => ({ capacityMode: 'provisioned', provisionedCapacity });

const read = (context: Readonly<Record<string, unknown>>) => readSettings((name) => context[name]);

describe('settings of a deployment', () => {
  it('are a production deployment when nothing is said', () => {
    expect(read({})).toEqual({
      ephemeral: false,
      normalizeConcurrency: 50,
      gatherSec: 2,
      fanOutConcurrency: 50,
      deliveryConcurrency: 10,
      aggregateConcurrency: 5,
      drainConcurrency: 50,
      replayConcurrency: 10,
      tasksConcurrency: 10,
      auditConcurrency: 5,
      browserConcurrency: 50,
      ingestionConcurrency: 400,
      linesPerMinute: 10,
      monthlyUsd: 0,
      apiConcurrency: 50,
      helpdeskApiConcurrency: 50,
      retentionDaysMax: 400,
      browserEventsPerMinuteMax: 12_000,
      serverEventsPerMinuteMax: 1_200_000,
      serverEventsPerDayMax: 5_000_000,
      replaysPerDayMax: 1_000_000,
      readUnitsPerDayMax: 10_000_000,
      writeUnitsPerDayMax: 1_000_000,
      aiRequestsPerMinute: 10,
      aiRequestsPerDay: 1_000,
      aiTokensPerDay: 5_000_000,
      products: ['events', 'helpdesk'],
      oneOrigin: false,
      dashboard: false,
      cloudwatchDashboard: false,
      ownPartitions: false,
      multiRegionKey: false,
      pages: true,
      logLevel: 'info',
      metrics: 'few',
      release: 'all-at-once',
      otlpUrl: undefined,
      apiCorsOrigins: [],
      signInPages: { callbackUrls: [], logoutUrls: [] },
      signUp: false,
      signUpShopsMax: 1,
      signUpsPerAddressMax: 5,
      signUpEventsPerDay: 10_000,
      signUpBrowserEventsPerMinute: 60,
      capacity: { provisioned: new Map(), warm: new Map() },
    });
  });

  it('are listed, each of them and no other', () => {
    const asked = new Set<string>();
    readSettings((name) => {
      asked.add(name);
      // Without an assistant nothing else of it is read.
      return { aiProvider: 'bedrock', aiModel: 'm' }[name];
    });
    expect([...asked].sort()).toEqual(Object.keys({ ...NUMBER_SETTINGS, ...OTHER_SETTINGS }).sort());
  });

  it('are not given where they are empty', () => {
    expect(read({ browserConcurrency: '', provisionedCapacity: '', capacityMode: '' })).toEqual(read({}));
  });

  it('take capacity as JSON text or as it is, with 70 % as the target', () => {
    const { capacity } = read(provisioned(JSON.stringify({ rates: TABLE })));
    expect(capacity).toEqual(read(provisioned({ rates: TABLE })).capacity);
    const scaled = { ...RANGE, target: 70 };
    expect(capacity.provisioned).toEqual(new Map([['rates', { read: scaled, write: scaled }]]));
  });

  it('warm a table to no less than it has', () => {
    const warmThroughput = (units: number) => ({ warmThroughput: { rates: { write: units } } });
    expect(read(warmThroughput(4_000)).capacity.warm).toEqual(new Map([['rates', { write: 4_000 }]]));
    expect(() => read(warmThroughput(3_999))).toThrow(
      'Setting warmThroughput rates write must be a whole number from 4000 on.',
    );
    // A provisioned table begins with its maximum, which may be more or less than that.
    expect(read({ ...provisioned({ rates: TABLE }), ...warmThroughput(10) }).capacity.warm.size).toBe(1);
    expect(() => read({ ...provisioned({ rates: TABLE }), ...warmThroughput(9) })).toThrow(
      'whole number from 10 on',
    );
  });

  it('take names of parameters for the secrets of Stripe', () => {
    const stripe = { secretKeyParameter: '/stripe/key', webhookSecretParameter: '/stripe/hook' };
    expect(read(PARAMETERS).stripe).toEqual(stripe);
    const apiUrl = 'http://127.0.0.1:12111';
    expect(read({ ...PARAMETERS, stripeApiUrl: apiUrl, ephemeral: true }).stripe).toEqual({
      ...stripe,
      apiUrl,
    });
  });

  it('take the command line’s text for what it means', () => {
    const settings = read({
      ephemeral: 'true',
      sandboxUrl: 'http://127.0.0.1:4103',
      deliveryConcurrency: '25',
      apiCorsOrigins: 'https://app.example, https://staging.example',
    });
    expect(settings).toMatchObject({
      ephemeral: true,
      sandboxUrl: 'http://127.0.0.1:4103',
      deliveryConcurrency: 25,
      apiCorsOrigins: ['https://app.example', 'https://staging.example'],
    });
  });

  it('say who answers for the assistant, and nothing where nobody does', () => {
    expect(read({ aiProvider: 'none', aiModel: 'm', aiBaseUrl: 'x' })).toEqual(read({}));
    expect(
      read({ aiProvider: 'bedrock', aiModel: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0' }).assistant,
    ).toEqual({
      provider: 'bedrock',
      model: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    });
  });

  it.each([
    [{ domain: 't.shop.example' }, /domain needs account and region/],
    [{ ...DOMAIN, domainZone: undefined }, /domain needs domainZone, or domainCertificate/],
    [{ ...DOMAIN, domain: 'https://t.shop.example' }, /domain must be domain names, each once/],
    [{ ...DOMAIN, domain: 'a.example,a.example' }, /domain must be domain names, each once/],
    [{ ...DOMAIN, domainZone: '/hostedzone/Z1' }, /domainZone must be the id of a hosted zone/],
    [
      { ...DOMAIN, domainCertificate: 'arn:aws:acm:eu-central-1:111122223333:certificate/a' },
      /domainCertificate must be the ARN of a certificate in us-east-1/,
    ],
    [{ ...DOMAIN, ephemeral: true }, /domain is for lasting deployments/],
    [{ ...DOMAIN, edgeAddressHeader: 'x-ip' }, /edgeAddressHeader is for a CDN of your own/],
    [{ firewall: true }, /firewall needs domain/],
    [{ accessLogs: 'true' }, /accessLogs needs domain/],
    [{ domainZone: 'Z1' }, /domainZone needs domain/],
    [{ edgeSecret: 'x'.repeat(32), edgeSecretParameter: '/a' }, /give one/],
    [{ edgeSecretParameter: 'a secret' }, /edgeSecretParameter must be the name of a parameter/],
    [{ environment: 'Staging' }, /environment must be 1 to 20 lower-case/],
    [{ environment: 'a'.repeat(21) }, /environment must be/],
    [{ environment: 'a-' }, /environment must be/],
    [{ environment: '1a' }, /environment must be/],
    [{ products: 'event' }, /products: there is no event, only events, helpdesk/],
    [{ products: 'events,' }, /products: there is no empty name/],
    [{ platforms: 'facebook' }, /platforms: there is no facebook, only amazon, /],
    [{ platforms: ['meta', 7] }, /platforms must be text/],
    [{ sandboxUrl: 'http://127.0.0.1:4103' }, /sandboxUrl.*ephemeral/],
    [{ sandboxUrl: 'http://127.0.0.1:4103', ephemeral: 'false' }, /sandboxUrl.*ephemeral/],
    [{ sandboxUrl: 'ftp://x', ephemeral: true }, /sandboxUrl/],
    [{ ephemeral: 'yes' }, /ephemeral/],
    [{ authIssuer: 'https://id.example' }, /authIssuer, authAudience and authJwksUrl/],
    [{ authIssuer: 'id.example', authAudience: 'a', authJwksUrl: 'https://id.example/jwks' }, /authIssuer/],
    [{ signInCallbackUrls: 'http://app.example/' }, /signInCallbackUrls must be https URLs/],
    [{ signInCallbackUrls: 'https://app.example/#x' }, /signInCallbackUrls/],
    [{ signInCallbackUrls: 'https://app.example/,javascript:alert(1)' }, /signInCallbackUrls/],
    [{ signInCallbackUrls: 'https://*.example/' }, /signInCallbackUrls/],
    [{ signInCallbackUrls: 'https://me@app.example/' }, /signInCallbackUrls/],
    [{ signInLogoutUrls: 'app.example' }, /signInLogoutUrls/],
    [{ signUp: 'open' }, /signUp/],
    [{ signUp: true, products: 'helpdesk' }, /signUp needs the product events/],
    [{ signUpShopsMax: 21 }, /signUpShopsMax must be a whole number from 1 to 20/],
    [{ signUp: true, signUpEventsPerDay: 1_000_001 }, /signUpEventsPerDay must be at most replaysPerDayMax/],
    [{ signUp: true, browserEventsPerMinuteMax: 30 }, /signUpBrowserEventsPerMinute must be at most/],
    [{ account: 111122223333 }, /account must be text/],
    [{ account: '1111-2222-3333' }, /account must be the twelve digits/],
    [{ region: 'Frankfurt' }, /region must be the name of a region/],
    [{ signInDomainPrefix: 'Shop' }, /signInDomainPrefix/],
    [{ signInDomainPrefix: 'my-cognito' }, /signInDomainPrefix must not contain/],
    [{ deliveryConcurrency: 1 }, /deliveryConcurrency/],
    [{ deliveryConcurrency: '2.5' }, /deliveryConcurrency/],
    [{ browserConcurrency: -1 }, /browserConcurrency/],
    [{ browserConcurrency: ' ' }, /browserConcurrency must be a whole number from 0 to 1000/],
    [{ browserConcurrency: true }, /browserConcurrency/],
    [{ normalizeConcurrency: 1001 }, /normalizeConcurrency must be a whole number from 2 to 1000/],
    [{ fanOutConcurrency: 'many' }, /fanOutConcurrency/],
    [{ aggregateConcurrency: 0 }, /aggregateConcurrency/],
    [{ auditConcurrency: 1 }, /auditConcurrency/],
    [{ aiProvider: 'openai' }, /aiProvider must be one of none, bedrock/],
    [{ aiProvider: 'bedrock' }, /aiModel/],
    [{ aiProvider: 'bedrock', aiModel: 'x/*' }, /aiModel must be the id of a model/],
    [{ aiProvider: 'anthropic', aiModel: 'm' }, /aiApiKeyParameter is needed/],
    [{ aiProvider: 'anthropic', aiModel: 'm', aiApiKeyParameter: 'sk-ant-api03-x' }, /not what it holds/],
    [{ aiProvider: 'openai-compatible', aiModel: 'm' }, /aiBaseUrl is needed/],
    [{ aiProvider: 'openai-compatible', aiModel: 'm', aiBaseUrl: 'file:///x' }, /aiBaseUrl/],
    [{ aiRequestsPerMinute: 0 }, /aiRequestsPerMinute must be a whole number from 1/],
    [{ capacityMode: 'elastic' }, /capacityMode must be one of on-demand, provisioned/],
    [{ capacityMode: 'provisioned' }, /capacityMode=provisioned needs provisionedCapacity/],
    [{ provisionedCapacity: { rates: TABLE } }, /provisionedCapacity needs capacityMode=provisioned/],
    [provisioned('{"rates":'), /provisionedCapacity must be a JSON object/],
    [provisioned([TABLE]), /provisionedCapacity must be a JSON object/],
    [provisioned({ rates: 5 }), /provisionedCapacity rates must be an object of read, write/],
    [provisioned({ rates: { read: RANGE } }), /rates write must be an object of min, max, target/],
    [provisioned({ rates: { ...TABLE, both: RANGE } }), /rates has both; it takes read, write/],
    [
      provisioned({ rates: { ...TABLE, read: { min: 0, max: 10 } } }),
      /rates read min must be a whole number from 1 on/,
    ],
    [
      provisioned({ rates: { ...TABLE, read: { min: 10, max: 9 } } }),
      /rates read max must be a whole number from 10 on/,
    ],
    [
      provisioned({ rates: { ...TABLE, write: { ...RANGE, target: 91 } } }),
      /rates write target must be a whole number from 20 to 90/,
    ],
    [
      provisioned({ rates: { ...TABLE, write: { min: '1', max: 10 } } }),
      /rates write min must be a whole number/,
    ],
    [{ warmThroughput: { rates: {} } }, /warmThroughput rates must say read, write or both/],
    [{ warmThroughput: { rates: { read: 11_999 } } }, /rates read must be a whole number from 12000 on/],
    [{ warmThroughput: { rates: { writes: 5_000 } } }, /rates has writes; it takes read, write/],
    [{ edgeSecret: 'short' }, /edgeSecret/],
    [{ edgeSecret: `${'x'.repeat(32)},short` }, /edgeSecret/],
    [{ edgeSecret: 'x'.repeat(32), edgeAddressHeader: 'no header' }, /edgeAddressHeader/],
    [{ oneOrigin: 'true' }, /oneOrigin needs edgeSecret/],
    [{ oneOrigin: 'true', edgeSecret: 'x'.repeat(32), edgeAddressHeader: 'x-ip' }, /edgeAddressHeader/],
    [{ oneOrigin: 'yes' }, /oneOrigin/],
    [{ cloudwatchDashboard: 'yes' }, /cloudwatchDashboard must be true or false/],
    [{ stripeSecretKeyParameter: '/stripe' }, /stripeSecretKeyParameter and stripeWebhookSecretParameter/],
    [{ stripeWebhookSecretParameter: '/stripe' }, /come together or not at all/],
    [{ ...PARAMETERS, stripeSecretKeyParameter: 'sk_live_abc' }, /stripeSecretKeyParameter must be the name/],
    [
      { ...PARAMETERS, stripeWebhookSecretParameter: '/a/*' },
      /stripeWebhookSecretParameter must be the name/,
    ],
    [{ ...PARAMETERS, stripeWebhookSecretParameter: '/a//b' }, /stripeWebhookSecretParameter/],
    [{ ...PARAMETERS, stripeApiUrl: 'http://127.0.0.1:12111' }, /stripeApiUrl.*ephemeral/],
    [{ ...PARAMETERS, stripeApiUrl: '127.0.0.1', ephemeral: true }, /stripeApiUrl must be an http/],
    [{ logLevel: 'loud' }, /logLevel/],
    [{ metrics: 'many' }, /metrics/],
    [{ alarmEmail: 7 }, /alarmEmail/],
    [{ apiCorsOrigins: '*' }, /apiCorsOrigins must be origins/],
    [{ apiCorsOrigins: 'https://app.example/path' }, /apiCorsOrigins must be origins/],
  ])('refuse %j', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence);
  });
});
