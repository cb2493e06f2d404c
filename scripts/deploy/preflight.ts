// What would end a deployment after minutes of bundling, or with half of the stacks made, is found before: credentials, account
// and region, the bootstrap of the account, and whether Lambda lets it keep as many invocations as settings ask for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NUMBER_SETTINGS } from '../../cdk/setting-list.ts';
import { readSettings } from '../../cdk/settings.ts';
import { synthesizeApp } from '../../cdk/synthesize.ts';

type Values = Readonly<Record<string, unknown>>;

/** What is asked of AWS. Each rejects with a sentence where it has no answer. */
export interface Account {
  /** Number of the account, who the credentials are, and the region. */
  identity(): Promise<{ readonly account: string; readonly arn: string; readonly region: string }>;
  /** Null where the account was never bootstrapped in this region. */
  bootstrapVersion(): Promise<string | null>;
  /** Invocations at once that the account allows in this region. */
  concurrency(): Promise<number>;
}

export interface Preflight {
  /** What is about to happen, and what to know of it. */
  readonly notes: readonly string[];
}

/** Lambda keeps as many for functions that reserve none. */
const UNRESERVED_MIN = 100;
/** Below it stages under load take what the entrances need. */
const COMFORTABLE = 500;

/** Rejects with a sentence that says what to do. */
export async function checkAccount(settings: Values, account: Account): Promise<Preflight> {
  // Settings first: they need nobody.
  const reserved = reservedInvocations(settings);
  const { account: number, arn, region } = await account.identity();
  const wanted = readSettings((name) => settings[name]);
  refuseOther('account', number, wanted.account);
  refuseOther('region', region, wanted.region);
  const notes = [`Account ${number} in ${region}, as ${arn}.`];
  const asked = await Promise.allSettled([account.bootstrapVersion(), account.concurrency()]);
  const [version, quota] = asked;
  if (version.status === 'fulfilled' && version.value === null)
    throw new Error(
      `The CDK has not been bootstrapped in account ${number}, region ${region}: npx cdk bootstrap aws://${number}/${region}`,
    );
  if (quota.status === 'fulfilled') notes.push(...judge(quota.value, reserved, region));
  for (const one of asked)
    if (one.status === 'rejected') notes.push(`Not checked: ${(one.reason as Error).message}`);
  return { notes };
}

function refuseOther(what: 'account' | 'region', found: string, wanted: string | undefined): void {
  if (wanted !== undefined && found !== wanted)
    throw new Error(
      `These settings are for ${what} ${wanted}, but the AWS credentials and environment are for ${what} ${found}. Choose others, or another file with -c environment=….`,
    );
}

function judge(quota: number, reserved: number, region: string): readonly string[] {
  const raise = `Ask for more (Service Quotas, AWS Lambda, Concurrent executions, in ${region})`;
  if (reserved > 0 && quota - reserved < UNRESERVED_MIN) {
    const names = Object.entries(NUMBER_SETTINGS).flatMap(([name, { min }]) =>
      min === 0 && name.endsWith('Concurrency') ? [name] : [],
    );
    throw new Error(
      `Lambda allows this account ${quota} invocations at once, and keeps ${UNRESERVED_MIN} of them for functions that reserve none; the settings reserve ${reserved}, so the deployment would fail half-way. ${raise}, or set ${names.join(', ')} to 0 in the file of settings.`,
    );
  }
  if (quota >= COMFORTABLE) return [];
  return [
    `Lambda allows this account ${quota} invocations at once: enough to try it, too few for traffic. ${raise} before real events come.`,
  ];
}

/** Of all functions together, as the templates say. Throws where a setting is refused. */
function reservedInvocations(settings: Values): number {
  const outdir = mkdtempSync(join(tmpdir(), 'millrace-preflight-'));
  try {
    const ephemeral = String(settings.ephemeral) === 'true';
    const { template } = synthesizeApp({ ephemeral, bundle: false, outdir, context: settings });
    return Object.values(template.Resources).reduce(
      (sum, { Properties }) => sum + Number(Properties?.ReservedConcurrentExecutions ?? 0),
      0,
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
