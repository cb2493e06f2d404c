// A deployment, from the file of settings to the last stack. Guarantees: nothing is built for an account that cannot take it;
// whatever would be lost is said and refused; two do not deploy at once; what is shown is what is deployed: it is built once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { fileOf, settingsOf } from '../../cdk/environment-file.ts';
import { readSettings } from '../../cdk/settings.ts';
import { parameterOf, stackPrefix } from '../../cdk/stack-names.ts';
import { lossesIn } from '../../cdk/stateful.ts';
import type { Template } from '../../cdk/synthesize.ts';
import { prefixOf } from '../millrace/deployment.ts';
import { commandOf, progressOf } from '../millrace/restore/progress.ts';
import type { Account } from './account.ts';
import { takeLock } from './lock.ts';
import { checkAccount, type PreflightOptions } from './preflight.ts';

export interface DeployWish {
  /** Name of the file of settings; undefined: the only one. */
  readonly environment: string | undefined;
  /** Settings and logical ids that may go. */
  readonly removed: readonly string[];
  readonly renamed: boolean;
  /** For `cdk deploy`. */
  readonly cdkArgs: readonly string[];
}

export interface DeployWorld {
  readonly account: Account;
  /** Runs the command line of the CDK; its exit code. */
  readonly cdk: (args: readonly string[]) => Promise<number>;
  readonly say: (line: string) => void;
  readonly now: () => number;
  /** Ctrl-C. */
  readonly interrupted: AbortSignal;
  readonly dns?: Pick<PreflightOptions, 'resolveMx' | 'resolveNs'>;
  /** Instead of cdk/environments. */
  readonly folder?: string;
}

interface Deployed {
  /** Of the settings, without ending. */
  readonly file: string;
  readonly environment: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
}

type Templates = ReadonlyMap<string, Pick<Template, 'Resources'>>;

/** 0 when all is deployed, 1 where the CDK said why not, 130 when it was interrupted. Rejects with a sentence. */
export async function deploy(wish: DeployWish, world: DeployWorld): Promise<0 | 1 | 130> {
  const context = wish.environment === undefined ? {} : { environment: wish.environment };
  const settings = settingsOf(context, world.folder);
  const file = fileOf(context, world.folder) ?? '';
  const { account, say, interrupted } = world;
  const { removed, renamed } = wish;
  const { putParameter } = account;
  const options = { file, removed, renamed, putParameter, ...world.dns };
  const { notes } = await checkAccount(settings, account, options);
  for (const note of notes) say(note);
  const { environment } = readSettings((name) => settings[name]);
  const { arn: who } = await account.identity();
  const unlock = await takeLock({
    account,
    name: parameterOf(environment, 'deploying'),
    who,
    now: world.now,
    say,
  });
  const assembly = mkdtempSync(join(tmpdir(), 'millrace-deploy-'));
  try {
    await refuseBesideRestore(account, environment);
    const code = await build(assembly, { file, environment, settings }, wish, world);
    return interrupted.aborted ? 130 : code;
  } finally {
    rmSync(assembly, { recursive: true, force: true });
    if (interrupted.aborted) say(INTERRUPTED);
    await unlock().catch((error: Error) => say(`The lock was not let go of: ${error.message}`));
  }
}

/** The table that a restore has taken away would be missing. */
async function refuseBesideRestore(account: Account, environment: string | undefined): Promise<void> {
  const restore = await progressOf(account, { environment });
  if (restore !== null)
    throw new Error(`A restore is under way since ${restore.begun_at}: go on with ${commandOf(restore)}.`);
}

const INTERRUPTED =
  'Interrupted. What CloudFormation has begun it ends, or takes back, by itself; the same command again does the rest.';

async function build(
  assembly: string,
  { file, environment, settings }: Deployed,
  { removed, cdkArgs }: DeployWish,
  { account, cdk, say, interrupted }: DeployWorld,
): Promise<0 | 1> {
  const deployed = await stacksOf(stackPrefix(environment), account);
  if (deployed.length === 0 && settings.multiRegionKey === undefined)
    throw new Error(
      `Nothing is deployed yet, and no later deployment changes multiRegionKey: write "multiRegionKey": true into cdk/environments/${file}.json, or false for a key of this region alone.`,
    );
  const synth = ['synth', '--quiet', '--output', assembly, '--context', `environment=${file}`];
  if ((await cdk(synth)) !== 0) return 1;
  const next = templatesIn(assembly);
  await refuseLosses(deployed, next, removed, account);
  for (const name of deployed)
    if (!next.has(name))
      say(`${name} is deployed and in the settings no more: it stays until npx cdk destroy ${name}.`);
  if (interrupted.aborted) return 1;
  if (deployed.length === 0) say(`Nothing is deployed yet: ${next.size} stacks are made.`);
  else if ((await cdk(['diff', '--all', '--app', assembly, '--method', 'template'])) !== 0)
    say('What changes could not be shown.');
  if (interrupted.aborted) return 1;
  return (await cdk(['deploy', '--all', '--app', assembly, ...cdkArgs])) === 0 ? 0 : 1;
}

/** Names of ours that exist. Rejects while one of them is being changed. */
async function stacksOf(prefix: string, account: Account): Promise<readonly string[]> {
  const all = (await account.stacks()).filter(({ name }) => prefixOf(name) === prefix);
  // One in review was never made: a change set of it waits.
  const there = all.filter(({ status }) => status !== 'REVIEW_IN_PROGRESS' && status !== 'DELETE_COMPLETE');
  const busy = there.find(({ status }) => status.endsWith('_IN_PROGRESS'));
  if (busy !== undefined)
    throw new Error(
      `CloudFormation is changing ${busy.name} (${busy.status}): another deployment, or one that was interrupted. Repeat this when it is done.`,
    );
  return there.map(({ name }) => name);
}

async function refuseLosses(
  deployed: readonly string[],
  next: Templates,
  removed: readonly string[],
  account: Account,
): Promise<void> {
  const found = await Promise.all(
    deployed.map(async (name) => {
      const template = next.get(name);
      return template === undefined ? [] : lossesIn(name, await account.template(name), template);
    }),
  );
  const refused = found.flat().filter(({ id }) => !removed.includes(id));
  if (refused.length > 0)
    throw new Error(
      `${refused.map(({ text }) => text).join('\n')}\nNothing was deployed. If that is meant: ${refused.map(({ id }) => `--remove ${id}`).join(' ')}`,
    );
}

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z
        .looseObject({ templateFile: z.string().optional(), stackName: z.string().optional() })
        .optional(),
    }),
  ),
});

/** By stack, as the CDK has written them into its folder. */
export function templatesIn(assembly: string): Templates {
  const { artifacts } = manifestSchema.parse(json(join(assembly, 'manifest.json')));
  return new Map(
    Object.entries(artifacts).flatMap(([id, { type, properties }]) => {
      if (type !== 'aws:cloudformation:stack' || properties?.templateFile === undefined) return [];
      const template = json(join(assembly, properties.templateFile)) as Pick<Template, 'Resources'>;
      return [[properties.stackName ?? id, template] as const];
    }),
  );
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
