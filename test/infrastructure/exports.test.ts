// Goal: a stack that is deployed can be deployed again without a setting that another stack no longer has, because what others
// may import is exported whether or not they do: CloudFormation refuses to take away what a deployed stack still imports.
// Method: each setting alone, given and not given; only those of a stack itself may change what it exports.
import { describe, expect, it } from 'vitest';
import { NUMBER_SETTINGS, type NumberSetting } from '../../cdk/number-settings.ts';
import type { OtherSettingName } from '../../cdk/setting-list.ts';
import type { Synthesized } from '../../cdk/synthesize.ts';
import { synthesized } from './synthesized.ts';

const AUTH = {
  authIssuer: 'https://id.example',
  authAudience: 'millrace',
  authJwksUrl: 'https://id.example/keys',
};
const EDGE = { edgeSecret: 'x'.repeat(32) };
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/a-b';
const DOMAIN = {
  account: '111122223333',
  region: 'eu-central-1',
  domain: 't.shop.example',
  domainZone: 'Z1',
};
const ASSISTANT = { aiProvider: 'bedrock', aiModel: 'eu.amazon.nova-pro-v1:0' };
const OTHER = { ...ASSISTANT, aiProvider: 'openai-compatible', aiBaseUrl: 'https://llm.example/v1' };
const STRIPE = { stripeSecretKeyParameter: '/a/b', stripeWebhookSecretParameter: '/a/c' };
const RANGE = { min: 1, max: 10 };

/** Each with what it needs; null where it is for ephemeral deployments alone, or tried elsewhere. */
const SAMPLES: Readonly<Record<OtherSettingName, Readonly<Record<string, unknown>> | null>> = {
  ephemeral: null,
  sandboxUrl: null,
  stripeApiUrl: null,
  authIssuer: AUTH,
  authAudience: AUTH,
  authJwksUrl: AUTH,
  // In the names themselves: stacks.test.ts.
  environment: null,
  products: { products: 'events' },
  platforms: { platforms: 'meta,ga4' },
  account: { account: '111122223333' },
  region: { region: 'eu-central-1' },
  signInCallbackUrls: { signInCallbackUrls: 'https://app.example/sign-in/callback' },
  signInLogoutUrls: { signInLogoutUrls: 'https://app.example/' },
  signInDomainPrefix: { signInDomainPrefix: 'shop' },
  signUp: { signUp: true, dashboard: true },
  alarmEmail: { alarmEmail: 'alarms@shop.example' },
  edgeSecret: EDGE,
  edgeSecretParameter: { edgeSecretParameter: '/a/edge' },
  domain: DOMAIN,
  domainZone: DOMAIN,
  domainCertificate: { ...DOMAIN, domainCertificate: CERTIFICATE },
  firewall: { ...DOMAIN, firewall: true },
  accessLogs: { ...DOMAIN, accessLogs: true },
  edgeAddressHeader: { ...EDGE, edgeAddressHeader: 'x-ip' },
  oneOrigin: { ...EDGE, oneOrigin: true },
  dashboard: { dashboard: true },
  cloudwatchDashboard: { cloudwatchDashboard: true },
  ownPartitions: { ownPartitions: true },
  multiRegionKey: { multiRegionKey: true },
  pages: { pages: false },
  logLevel: { logLevel: 'debug' },
  metrics: { metrics: 'none' },
  otlpUrl: { otlpUrl: 'http://localhost:4318' },
  apiCorsOrigins: { apiCorsOrigins: 'https://app.example' },
  release: { release: 'gradual' },
  aiProvider: ASSISTANT,
  aiModel: ASSISTANT,
  aiBaseUrl: OTHER,
  aiApiKeyParameter: { ...OTHER, aiApiKeyParameter: '/a/key' },
  stripeSecretKeyParameter: STRIPE,
  stripeWebhookSecretParameter: STRIPE,
  mailDomain: { mailDomain: 'help.shop.example' },
  capacityMode: {
    capacityMode: 'provisioned',
    provisionedCapacity: { rates: { read: RANGE, write: RANGE } },
  },
  provisionedCapacity: {
    capacityMode: 'provisioned',
    provisionedCapacity: { rates: { read: RANGE, write: RANGE } },
  },
  warmThroughput: { warmThroughput: { rates: { write: 5_000 } } },
};
/** All at once: no two of them are of the same resource. */
const NUMBERS = Object.fromEntries(
  Object.entries<NumberSetting>(NUMBER_SETTINGS).map(([name, { min, fallback }]) => [
    name,
    min === fallback ? min + 1 : min,
  ]),
);
const CASES = [
  ...Object.entries(SAMPLES).flatMap(([name, context]) =>
    context === null ? [] : [[name, context] as const],
  ),
  ['every number', NUMBERS] as const,
];

/** Stack → names of what it exports. */
function exportsOf({ stacks }: Synthesized): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...stacks].map(([stack, { Outputs }]) => [
      stack,
      Object.values(Outputs ?? {})
        .flatMap((output) => {
          const { Export } = output as { readonly Export?: { readonly Name: string } };
          return Export === undefined ? [] : [Export.Name];
        })
        .sort(),
    ]),
  );
}

describe('exports', () => {
  const plain = () => exportsOf(synthesized({ ephemeral: false }));

  it.each(CASES)('stay what they are with %s', (name, context) => {
    const {
      MillraceDashboard: _,
      MillraceObservability: __,
      MillraceEdge: ___,
      ...changed
    } = exportsOf(synthesized({ ephemeral: false, context }));
    const { MillraceCore: core = [], ...others } = plain();
    const { MillraceCore: changedCore = [], ...changedOthers } = changed;
    const isThere = ([stack]: readonly [string, unknown]) => name !== 'products' || !/Helpdesk/.test(stack);
    expect(changedOthers).toEqual(Object.fromEntries(Object.entries(others).filter(isThere)));
    // Core's own: whether it has a user pool.
    const ofUsers = (one: string) => /DashboardUsers/.test(one);
    expect(changedCore).toEqual(name.startsWith('auth') ? core.filter((one) => !ofUsers(one)) : core);
  });

  it('hold all that any stack imports', () => {
    const all = synthesized({
      ephemeral: false,
      context: { dashboard: true, ...EDGE, ...DOMAIN, oneOrigin: true, mailDomain: 'a.example' },
    });
    const exported = new Set(Object.values(plain()).flat());
    const imported = [...JSON.stringify([...all.stacks.values()]).matchAll(/"Fn::ImportValue":"([^"]+)"/g)];
    expect(imported.map(([, one]) => one).filter((one) => !exported.has(one ?? ''))).toEqual([]);
  });
});
