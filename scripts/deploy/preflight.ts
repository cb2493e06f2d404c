// What would end a deployment after minutes of bundling, or with half of the stacks made, is found before: credentials, account
// and region, the bootstrap of the account, and whether Lambda lets it keep as many invocations as settings ask for.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesSince } from '../../cdk/deployed-settings.ts';
import { NUMBER_SETTINGS } from '../../cdk/number-settings.ts';
import { readSettings, type Settings } from '../../cdk/settings.ts';
import { parameterOf, SETTINGS_PARAMETER } from '../../cdk/stack-names.ts';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import type { Account } from './account.ts';
import { domainDnsNotes, type ResolveNs } from './domain-dns.ts';
import { mailDnsNotes, type ResolveMx } from './mail-dns.ts';
import { QUOTA_WANTED } from './quota.ts';

type Values = Readonly<Record<string, unknown>>;
type Asked = Pick<Account, 'identity' | 'parameter' | 'concurrency' | 'sendsToAnyone'>;

/** Written by `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';
/** Where CloudFront takes certificates from. */
const DOMAIN_REGION = 'us-east-1';
const SANDBOX =
  'SES keeps this account in its sandbox: it sends to verified addresses only. Ask for production access (SES, Account dashboard).';

export interface Preflight {
  /** What is about to happen, and what to know of it. */
  readonly notes: readonly string[];
}

/** Lambda keeps as many for functions that reserve none. */
const UNRESERVED_MIN = 100;

export interface PreflightOptions {
  /** Of the settings, without ending; absent: they are of none. */
  readonly file?: string;
  /** Settings that may go. */
  readonly removed?: readonly string[];
  /** The file had another name before. */
  readonly renamed?: boolean;
  readonly resolveMx?: ResolveMx;
  readonly resolveNs?: ResolveNs;
  /** To make the secret of the distribution, where it is missing. */
  readonly putParameter?: Account['putParameter'];
}

/** Rejects with a sentence that says what to do. */
export async function checkAccount(
  settings: Values,
  account: Asked,
  options: PreflightOptions = {},
): Promise<Preflight> {
  // Settings first: they need nobody.
  const reserved = reservedInvocations(settings);
  const { account: number, arn, region } = await account.identity();
  const wanted = readSettings((name) => settings[name]);
  refuseOther('account', number, wanted.account);
  refuseOther('region', region, wanted.region);
  const notes = [`Account ${number} in ${region}, as ${arn}.`];
  const { mailDomain, environment, domain } = wanted;
  const [version, edge, quota, mail, record] = await Promise.allSettled([
    account.parameter(BOOTSTRAP_VERSION),
    domain === undefined ? '' : account.parameter(BOOTSTRAP_VERSION, DOMAIN_REGION),
    account.concurrency(),
    mailDomain === undefined ? true : account.sendsToAnyone(),
    options.file === undefined ? null : account.parameter(parameterOf(environment, SETTINGS_PARAMETER)),
  ]);
  for (const [where, found] of [
    [region, version],
    [DOMAIN_REGION, edge],
  ] as const)
    if (found.status === 'fulfilled' && found.value === null)
      throw new Error(
        `The CDK has not been bootstrapped in account ${number}, region ${where}: npx cdk bootstrap aws://${number}/${where}`,
      );
  if (quota.status === 'fulfilled') notes.push(...judge(quota.value, reserved, region));
  if (mail.status === 'fulfilled' && !mail.value) notes.push(SANDBOX);
  if (mailDomain !== undefined) notes.push(...(await mailDnsNotes(mailDomain, region, options.resolveMx)));
  if (domain !== undefined && domain.certificate === undefined)
    notes.push(...(await domainDnsNotes(domain.names, options.resolveNs)));
  if (record.status === 'fulfilled' && record.value !== null)
    notes.push(...refuseLosses(record.value, settings, options));
  notes.push(...(await edgeSecretNotes(wanted, account, options)));
  for (const one of [version, edge, quota, mail, record])
    if (one.status === 'rejected') notes.push(`Not checked: ${(one.reason as Error).message}`);
  return { notes };
}

/** CloudFormation reads it into the distribution, and fails at once where it is not there. */
async function edgeSecretNotes(
  { edge }: Settings,
  account: Asked,
  { putParameter }: PreflightOptions,
): Promise<readonly string[]> {
  if (edge === undefined || typeof edge.secret === 'string') return [];
  const { parameter } = edge.secret;
  const held = await account.parameter(parameter).catch((error: Error) => error);
  if (held instanceof Error) return [`Not checked: ${held.message}`];
  if (held !== null) return [];
  if (putParameter === undefined)
    throw new Error(
      `There is no parameter ${parameter}, which is to hold the secret of the distribution: npx millrace deploy makes it.`,
    );
  // Another deployment may have made one meanwhile: that holds.
  await putParameter(parameter, randomBytes(32).toString('hex'), { replace: false });
  return [`Made the parameter ${parameter}: by it functions know what comes through the distribution.`];
}

function refuseLosses(
  record: string,
  settings: Values,
  { file = '', removed = [], renamed = false }: PreflightOptions,
): readonly string[] {
  const { lost, fixed, changed, otherFile } = changesSince(record, file, settings);
  if (otherFile !== undefined && !renamed)
    throw new Error(
      `What is deployed here was made from cdk/environments/${otherFile}.json. For a deployment of its own write "environment": "${file}" into ${file}.json; if the file was renamed, add --renamed.`,
    );
  if (fixed.length > 0)
    throw new Error(
      `${fixed.join(', ')}: decided by the first deployment, and AWS changes no key afterwards. Write into cdk/environments/${file}.json what was there before.`,
    );
  const refused = lost.filter(({ name }) => !removed.includes(name));
  if (refused.length > 0)
    throw new Error(
      `${refused.map(({ text }) => text).join('; ')}: deployed, and not in cdk/environments/${file}.json or not known to this release, so that this deployment would take it away. If that is meant: npx millrace deploy ${file} ${refused.map(({ name }) => `--remove ${name}`).join(' ')}`,
    );
  return [...lost.map(({ text }) => `Taken away: ${text}`), ...changed.map((line) => `Changed: ${line}`)];
}

function refuseOther(what: 'account' | 'region', found: string, wanted: string | undefined): void {
  if (wanted !== undefined && found !== wanted)
    throw new Error(
      `These settings are for ${what} ${wanted}, but the AWS credentials and environment are for ${what} ${found}. Choose others, or another file: npx millrace deploy <environment>.`,
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
  if (quota >= QUOTA_WANTED) return [];
  return [
    `Lambda allows this account ${quota} invocations at once: enough to try it, too few for traffic. ${raise} before real events come.`,
  ];
}

/** What was found, by settings: synthesizing them again would find the same. */
const reservedBy = new Map<string, number>();

/** Of all functions together, as the templates say. Throws where a setting is refused. */
function reservedInvocations(settings: Values): number {
  const asked = JSON.stringify(settings);
  const known = reservedBy.get(asked);
  if (known !== undefined) return known;
  const outdir = mkdtempSync(join(tmpdir(), 'millrace-preflight-'));
  try {
    const ephemeral = String(settings.ephemeral) === 'true';
    const { template } = synthesizeApp({ ephemeral, bundle: false, outdir, context: settings });
    const reserved = Object.values(template.Resources).reduce(
      (sum, { Properties }) => sum + Number(Properties?.ReservedConcurrentExecutions ?? 0),
      0,
    );
    reservedBy.set(asked, reserved);
    return reserved;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
