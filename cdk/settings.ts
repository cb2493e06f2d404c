// What a deployment may choose, read from its file of settings (environment-file.ts).
// Guarantees: a setting that would weaken production (a platform sandbox, tables without protection) is refused
// unless the deployment calls itself ephemeral.
// What each setting may be and does is data: setting-list.ts, printed in docs/reference/settings.md.
import type { IStackSynthesizer } from 'aws-cdk-lib';
import { parseOrigins } from '../lib/core/tenancy/origins.ts';
import { PLATFORMS } from '../lib/events/platforms/registry.ts';
import { MAIL_DOMAIN } from '../lib/helpdesk/domain/mail/environment.ts';
import { type AssistantSettings, readAssistant } from './assistant-settings.ts';
import { type Capacity, readCapacity } from './capacity.ts';
import { type Context, flag, httpUrl, listOf, oneOf, parameterName, text, wholeNumbers } from './context.ts';
import { type DomainSettings, type EdgeSettings, readDomain, readEdge } from './domain-settings.ts';
import type { NumberSettingName } from './number-settings.ts';
import { UNNAMED } from './stack-names.ts';

/** What every stack is made from. */
export interface MillraceStackProps {
  readonly settings: Settings;
  readonly synthesizer: IStackSynthesizer;
}

/** Who signs the sessions of the dashboard API. */
export interface SessionIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** Pages of the dashboard that Cognito may send people back to. */
export interface SignInPages {
  /** Where codes go; nobody can sign in where there is none. */
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  /** Of the managed login pages; unique in the region. */
  readonly domainPrefix: string | undefined;
}

/** Names of the parameters that hold the secrets: they themselves are in no template. */
export interface StripeSettings {
  readonly secretKeyParameter: string;
  readonly webhookSecretParameter: string;
  /** Instead of Stripe. Ephemeral deployments only. */
  readonly apiUrl: string | undefined;
}

/** What a deployment chose: the numbers of the list by their names there, and everything else. */
export interface Settings extends Readonly<Record<NumberSettingName, number>> {
  /** For laptops and CI: tables and key are deleted with their stack, nothing is protected. Default false. */
  readonly ephemeral: boolean;
  /** In the names of its stacks. */
  readonly environment: string | undefined;
  readonly products: readonly ProductName[];
  /** Slugs; absent: all. */
  readonly platforms: readonly string[] | undefined;
  /** Where alone it may be deployed; absent: wherever credentials and region lead. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** Send what is meant for the platforms here instead. Ephemeral deployments only. */
  readonly sandboxUrl: string | undefined;
  /** Absent: a Cognito user pool is created (in an ephemeral deployment no session is accepted instead). */
  readonly sessionIssuer: SessionIssuer | undefined;
  readonly signInPages: SignInPages;
  /** Whether people make shops without the operator. */
  readonly signUp: boolean;
  readonly alarmEmail: string | undefined;
  /** What a CDN in front of browser ingestion adds as `x-millrace-edge-secret`, and the header it names the client address in. */
  readonly edge: EdgeSettings | undefined;
  /** Absent: addresses are those of AWS. */
  readonly domain: DomainSettings | undefined;
  /** Absent: there is no assistant. */
  readonly assistant: AssistantSettings | undefined;
  /** Whether a distribution puts both parts under one address; it is the edge then. */
  readonly oneOrigin: boolean;
  readonly dashboard: boolean;
  readonly cloudwatchDashboard: boolean;
  /** Absent: plans and usage are shown, nothing is sold. */
  readonly stripe: StripeSettings | undefined;
  /** Absent: tickets have no e-mail. */
  readonly mailDomain: string | undefined;
  /** Whether no merchant's routing lies in the shared partition any more: decision 0069. */
  readonly ownPartitions: boolean;
  /** Whether the vault key may have replicas in other regions, which no update of a key changes. */
  readonly multiRegionKey: boolean;
  /** Whether events older than a week leave the tables for pages in a bucket. Default true. */
  readonly pages: boolean;
  /** `alias`: what `gradual` deploys, without the shift. */
  readonly release: Release;
  readonly logLevel: string;
  readonly metrics: string;
  readonly otlpUrl: string | undefined;
  readonly apiCorsOrigins: readonly string[];
  readonly capacity: Capacity;
}

const PRODUCT_NAMES = ['events', 'helpdesk'] as const;
export type ProductName = (typeof PRODUCT_NAMES)[number];
export const PLATFORM_SLUGS: readonly string[] = PLATFORMS.map(({ slug }) => slug as string);
const RELEASES = ['all-at-once', 'alias', 'gradual'] as const;
type Release = (typeof RELEASES)[number];
const METRIC_SETS = ['none', 'few', 'by-platform'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Whether what calls a function names an alias of it. */
export const isBehindAlias = ({ release }: Pick<Settings, 'release'>): boolean => release !== 'all-at-once';

/** Reads and checks every setting. Throws with a sentence that names the setting. */
export function readSettings(context: Context): Settings {
  const ephemeral = flag(context, 'ephemeral');
  const sandboxUrl = httpUrl(context, 'sandboxUrl');
  if (sandboxUrl !== undefined && !ephemeral) {
    throw new Error(
      'Setting sandboxUrl diverts every delivery to a sandbox: it needs ephemeral=true as well.',
    );
  }
  return {
    ...wholeNumbers(context),
    ephemeral,
    environment: readEnvironmentName(context),
    products: listOf(context, 'products', PRODUCT_NAMES) ?? PRODUCT_NAMES,
    platforms: listOf(context, 'platforms', PLATFORM_SLUGS),
    account: readAccount(context),
    region: readRegion(context),
    sandboxUrl,
    sessionIssuer: readSessionIssuer(context),
    signInPages: readSignInPages(context),
    signUp: readSignUp(context),
    alarmEmail: readAlarmEmail(context),
    edge: readEdge(context),
    domain: readDomain(context, ephemeral),
    assistant: readAssistant(context),
    oneOrigin: flag(context, 'oneOrigin'),
    dashboard: readDashboard(context, ephemeral),
    cloudwatchDashboard: flag(context, 'cloudwatchDashboard'),
    stripe: readStripe(context, ephemeral),
    mailDomain: readMailDomain(context),
    ownPartitions: flag(context, 'ownPartitions'),
    multiRegionKey: flag(context, 'multiRegionKey'),
    pages: flag(context, 'pages', true),
    release: oneOf(context, 'release', RELEASES) ?? 'all-at-once',
    logLevel: oneOf(context, 'logLevel', LOG_LEVELS) ?? 'info',
    otlpUrl: httpUrl(context, 'otlpUrl'),
    metrics: oneOf(context, 'metrics', METRIC_SETS) ?? 'few',
    apiCorsOrigins: readOrigins(context),
    capacity: readCapacity(context),
  };
}

function readEnvironmentName(context: Context): string | undefined {
  const name = text(context, 'environment');
  // Names of stacks and queues hold it: the longest of them may have 80 characters.
  if (name === undefined) return undefined;
  if (name.length > 20 || name === UNNAMED || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new Error(
      `Setting environment must be 1 to 20 lower-case letters, digits and inner hyphens, a letter first, and not ${UNNAMED}.`,
    );
  return name;
}

function readAccount(context: Context): string | undefined {
  const account = text(context, 'account');
  if (account !== undefined && !/^\d{12}$/.test(account))
    throw new Error('Setting account must be the twelve digits of an account, in quotes.');
  return account;
}

function readRegion(context: Context): string | undefined {
  const region = text(context, 'region');
  if (region !== undefined && !/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
    throw new Error('Setting region must be the name of a region, such as eu-central-1.');
  return region;
}

function readAlarmEmail(context: Context): string | undefined {
  const address = text(context, 'alarmEmail');
  if (address !== undefined && !/^[^\s@,]+@[^\s@,.]+(?:\.[^\s@,.]+)+$/.test(address))
    throw new Error('Setting alarmEmail must be one e-mail address, such as alarms@shop.example.');
  return address;
}

function readDashboard(context: Context, ephemeral: boolean): boolean {
  const wanted = flag(context, 'dashboard');
  if (wanted && ephemeral)
    throw new Error('Setting dashboard is for lasting deployments: nobody can sign in at an ephemeral one.');
  return wanted;
}

function readSessionIssuer(context: Context): SessionIssuer | undefined {
  const issuer = httpUrl(context, 'authIssuer');
  const audience = text(context, 'authAudience');
  const jwksUrl = httpUrl(context, 'authJwksUrl');
  if (issuer === undefined && audience === undefined && jwksUrl === undefined) return undefined;
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) {
    throw new Error('Setting authIssuer, authAudience and authJwksUrl come together or not at all.');
  }
  return { issuer, audience, jwksUrl };
}

function readSignInPages(context: Context): SignInPages {
  const domainPrefix = text(context, 'signInDomainPrefix');
  if (domainPrefix !== undefined && !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(domainPrefix))
    throw new Error(
      'Setting signInDomainPrefix must be 1 to 63 lower-case letters, digits and inner hyphens.',
    );
  if (domainPrefix !== undefined && /aws|amazon|cognito/.test(domainPrefix))
    throw new Error('Setting signInDomainPrefix must not contain aws, amazon or cognito.');
  return {
    callbackUrls: pageUrls('signInCallbackUrls', context),
    logoutUrls: pageUrls('signInLogoutUrls', context),
    domainPrefix,
  };
}

function readSignUp(context: Context): boolean {
  const isOpen = flag(context, 'signUp');
  if (isOpen && listOf(context, 'products', PRODUCT_NAMES)?.includes('events') === false)
    throw new Error('Setting signUp needs the product events, whose API makes shops.');
  const numbers = wholeNumbers(context);
  for (const [name, ceiling] of SIGN_UP_CEILINGS)
    if (isOpen && numbers[name] > numbers[ceiling])
      throw new Error(`Setting ${name} must be at most ${ceiling}, ${numbers[ceiling]}.`);
  return isOpen;
}

/** What the deployment holds all shops to. */
const SIGN_UP_CEILINGS = [
  ['signUpEventsPerDay', 'serverEventsPerDayMax'],
  ['signUpEventsPerDay', 'replaysPerDayMax'],
  ['signUpBrowserEventsPerMinute', 'browserEventsPerMinuteMax'],
] as const;

/** What Cognito takes: https, or http on this machine by name; it compares letter by letter. */
function pageUrls(name: 'signInCallbackUrls' | 'signInLogoutUrls', context: Context): readonly string[] {
  const given = (text(context, name) ?? '').split(',').map((one) => one.trim());
  const urls = given.filter((one) => one !== '');
  for (const url of urls) {
    const { protocol, hostname, hash, username } = URL.parse(url) ?? {};
    const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
    if (!isSafe || hash !== '' || username !== '' || url.includes('*'))
      throw new Error(
        `Setting ${name} must be https URLs (http for localhost) without fragment, with commas between.`,
      );
  }
  return urls;
}

function readStripe(context: Context, ephemeral: boolean): StripeSettings | undefined {
  const secretKeyParameter = parameterName(context, 'stripeSecretKeyParameter');
  const webhookSecretParameter = parameterName(context, 'stripeWebhookSecretParameter');
  const apiUrl = httpUrl(context, 'stripeApiUrl');
  if (apiUrl !== undefined && !ephemeral)
    throw new Error('Setting stripeApiUrl diverts every payment: it needs ephemeral=true as well.');
  if (secretKeyParameter === undefined && webhookSecretParameter === undefined) return undefined;
  if (secretKeyParameter === undefined || webhookSecretParameter === undefined)
    throw new Error(
      'Setting stripeSecretKeyParameter and stripeWebhookSecretParameter come together or not at all.',
    );
  return { secretKeyParameter, webhookSecretParameter, apiUrl };
}

function readMailDomain(context: Context): string | undefined {
  const mailDomain = text(context, 'mailDomain')?.toLowerCase();
  if (mailDomain !== undefined && !MAIL_DOMAIN.test(mailDomain))
    throw new Error('Setting mailDomain must be a domain name, such as help.shop.example.');
  return mailDomain;
}

function readOrigins(context: Context): readonly string[] {
  try {
    return parseOrigins(text(context, 'apiCorsOrigins') ?? '');
  } catch (error) {
    throw new Error(`Setting apiCorsOrigins ${(error as Error).message}.`);
  }
}
