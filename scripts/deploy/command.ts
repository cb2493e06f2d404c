// npx millrace deploy: its words, and the programs behind it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { awsAccount } from './aws-account.ts';
import { CHECKED } from './before-bundling.ts';
import { deploy } from './deploy.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const DEPLOY_HELP = `npx millrace deploy [environment] [-- options of cdk deploy]

Deploys cdk/environments/<environment>.json; of one file it is that. Looks first at credentials, account, quotas and what would be
lost, shows what changes, and then calls cdk deploy --all.

  --remove <name>  a setting, or a resource by its logical id, that may go; may be repeated
  --renamed        the file had another name before
  --help           this
`;

/** Exit code: 0 done, 1 refused, 2 asked wrongly, 130 interrupted. */
export async function runDeploy(args: readonly string[]): Promise<number> {
  const wish = wishOf(args);
  if (typeof wish === 'string') {
    const isHelp = wish === DEPLOY_HELP;
    process[isHelp ? 'stdout' : 'stderr'].write(wish);
    return isHelp ? 0 : 2;
  }
  const interruption = new AbortController();
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  process.once('SIGINT', () => {
    say('Stopping. Ctrl-C again ends this at once.');
    interruption.abort();
  });
  try {
    checkInstallation();
    const { signal } = interruption;
    return await deploy(wish, {
      account: awsAccount,
      cdk: cdkUntil(signal),
      say,
      now: Date.now,
      interrupted: signal,
    });
  } catch (error) {
    say(sentenceOf(error as NodeJS.ErrnoException));
    return interruption.signal.aborted ? 130 : 1;
  }
}

function wishOf(args: readonly string[]) {
  try {
    const at = args.indexOf('--');
    const { values, positionals } = parseArgs({
      args: at < 0 ? [...args] : args.slice(0, at),
      allowPositionals: true,
      options: {
        remove: { type: 'string', multiple: true, default: [] },
        renamed: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return DEPLOY_HELP;
    const [environment, other] = positionals;
    if (other !== undefined) return `deploy takes one environment, not ${other} as well.\n`;
    const { remove: removed, renamed } = values;
    return { environment, removed, renamed, cdkArgs: at < 0 ? [] : args.slice(at + 1) };
  } catch (error) {
    return `${(error as Error).message.split('. ')[0]}. See npx millrace deploy --help.\n`;
  }
}

/** What is installed is what this release is tested with, the Node that runs this included. */
export function checkInstallation(root = ROOT, node = process.versions.node): void {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<'node' | 'aws-cdk', string>>;
  };
  const cdk = JSON.parse(readFileSync(join(root, 'node_modules/aws-cdk/package.json'), 'utf8')) as {
    readonly version: string;
  };
  const found = { node, 'aws-cdk': cdk.version };
  for (const name of ['node', 'aws-cdk'] as const)
    if (found[name] !== wanted.devDependencies[name])
      throw new Error(
        `${name} ${found[name]} runs here, and this release needs ${wanted.devDependencies[name]}: npm ci, and start it as npx millrace deploy.`,
      );
}

const cdkUntil =
  (signal: AbortSignal) =>
  async (args: readonly string[]): Promise<number> => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...args], {
      cwd: ROOT,
      env: { ...process.env, [CHECKED]: 'true' },
      stdio: 'inherit',
    });
    const end = () => child.kill('SIGINT');
    signal.addEventListener('abort', end);
    try {
      const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      return code ?? 128 + constants.signals[by ?? 'SIGINT'];
    } finally {
      signal.removeEventListener('abort', end);
    }
  };

function sentenceOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOSPC') return 'The disk is full, so that nothing could be built: nothing was deployed.';
  return message;
}
