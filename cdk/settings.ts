// What a deployment may choose, read from the CDK context (`-c name=value`, or `context` in cdk.json).
// Guarantees: a setting that would weaken production (a platform sandbox, tables without protection) is refused
// unless the deployment calls itself ephemeral.
import type { IStackSynthesizer } from 'aws-cdk-lib';
import { parseOrigins } from '../lib/core/tenancy/origins.ts';

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

export interface Settings {
  /** True for laptops and CI: everything is deleted with its stack. Default false. */
  readonly ephemeral: boolean;
  /** Send what is meant for the platforms here instead. Ephemeral deployments only. */
  readonly sandboxUrl?: string;
  /** Absent: a Cognito user pool is created (in an ephemeral deployment no session is accepted instead). */
  readonly sessionIssuer?: SessionIssuer;
  /** Address that is told about alarms; absent: subscribe to the topic `AlarmTopicArn` yourself. */
  readonly alarmEmail?: string;
  /** Concurrent invocations that one platform's queue may cause, 2..1000. */
  readonly deliveryConcurrency: number;
  readonly logLevel: string;
  /** Origins of the web pages that may call the API from a browser, such as the dashboard's; none by default. */
  readonly apiCorsOrigins: readonly string[];
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Reads and checks every setting. Throws with a sentence that names the setting. */
export function readSettings(context: (name: string) => unknown): Settings {
  const ephemeral = flag(context, 'ephemeral');
  const sandboxUrl = text(context, 'sandboxUrl');
  if (sandboxUrl !== undefined && !ephemeral) {
    throw new Error(
      'Context sandboxUrl diverts every delivery to a sandbox: it needs ephemeral=true as well.',
    );
  }
  const alarmEmail = text(context, 'alarmEmail');
  const sessionIssuer = readSessionIssuer(context);
  return {
    ephemeral,
    ...(sandboxUrl === undefined ? {} : { sandboxUrl: httpUrl('sandboxUrl', sandboxUrl) }),
    ...(sessionIssuer === undefined ? {} : { sessionIssuer }),
    ...(alarmEmail === undefined ? {} : { alarmEmail }),
    deliveryConcurrency: integer(context, 'deliveryConcurrency', { min: 2, max: 1000, fallback: 10 }),
    logLevel: oneOf(text(context, 'logLevel') ?? 'info', LOG_LEVELS),
    apiCorsOrigins: originsOf('apiCorsOrigins', text(context, 'apiCorsOrigins')),
  };
}

function readSessionIssuer(context: (name: string) => unknown): SessionIssuer | undefined {
  const issuer = text(context, 'authIssuer');
  const audience = text(context, 'authAudience');
  const jwksUrl = text(context, 'authJwksUrl');
  if (issuer === undefined && audience === undefined && jwksUrl === undefined) return undefined;
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) {
    throw new Error('Context authIssuer, authAudience and authJwksUrl come together or not at all.');
  }
  return { issuer: httpUrl('authIssuer', issuer), audience, jwksUrl: httpUrl('authJwksUrl', jwksUrl) };
}

/** The command line gives text, cdk.json and callers may give a boolean. */
function flag(context: (name: string) => unknown, name: string): boolean {
  const value = context(name);
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new Error(`Context ${name} must be true or false.`);
}

function text(context: (name: string) => unknown, name: string): string | undefined {
  const value = context(name);
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`Context ${name} must be text.`);
  return value;
}

function integer(
  context: (name: string) => unknown,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  const value = Number(context(name) ?? range.fallback);
  if (!Number.isInteger(value) || value < range.min || value > range.max) {
    throw new Error(`Context ${name} must be a whole number from ${range.min} to ${range.max}.`);
  }
  return value;
}

function oneOf(value: string, allowed: readonly string[]): string {
  if (!allowed.includes(value)) throw new Error(`Context logLevel must be one of ${allowed.join(', ')}.`);
  return value;
}

function originsOf(name: string, value: string | undefined): readonly string[] {
  try {
    return parseOrigins(value ?? '');
  } catch (error) {
    throw new Error(`Context ${name} ${(error as Error).message}.`);
  }
}

function httpUrl(name: string, value: string): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new Error(`Context ${name} must be an http or https URL.`);
  }
  return value;
}
