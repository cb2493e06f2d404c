// MiniStack (MIT, https://pypi.org/project/ministack/): an AWS emulator that needs Python and no Docker.
// Guarantees: one pinned version in a virtual environment of its own, reachable from this machine only, gone with all its
// functions after `stop()`.
import { rmSync } from 'node:fs';
import { access, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.ts';
import { type DeployedStack, type DeployOptions, deploy, ROOT } from './deploy.ts';
import { answers, startServer } from './server-process.ts';

export const MINISTACK_VERSION = '1.5.33';
const HOST = '127.0.0.1';

export interface MinistackOptions {
  /** Default 4566. */
  readonly port?: number;
  /** Folder for the virtual environment, which is kept. */
  readonly directory: string;
  readonly onLine?: (line: string) => void;
}

export interface Ministack {
  readonly endpoint: string;
  /** Folder that goes away with `stop()`. */
  readonly scratch: string;
  stop(): Promise<void>;
}

/** Installs MiniStack unless it is there, starts it and waits until it answers. Rejects with its last lines when it does not. */
export async function startMinistack(options: MinistackOptions): Promise<Ministack> {
  const port = options.port ?? 4566;
  const endpoint = `http://${HOST}:${port}`;
  const readyUrl = `${endpoint}/_ministack/health`;
  if (await answers(readyUrl)) throw new Error(`Something else already listens on ${endpoint}.`);
  const program = await install(options);
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-ministack-'));
  // MiniStack writes its function runner, a CommonJS `.js` file, below this folder. Under a manifest that says
  // `"type": "module"`, such as ours, every function would end at once, without a word: this one is nearer.
  await writeFile(join(scratch, 'package.json'), '{"type":"commonjs"}\n');
  const removeScratch = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', removeScratch);
  const server = await startServer({
    name: 'MiniStack',
    readyUrl,
    program,
    args: [],
    cwd: scratch,
    env: serverEnvironment(port, scratch),
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  });
  const stop = async () => {
    await server.stop();
    process.off('exit', removeScratch);
    removeScratch();
  };
  return { endpoint, scratch, stop };
}

/** Starts MiniStack and deploys the app to it; `stop()` takes everything down again. */
export async function startStackOnMinistack(
  options: MinistackOptions & Pick<DeployOptions, 'context'>,
): Promise<DeployedStack & { stop(): Promise<void> }> {
  const ministack = await startMinistack(options);
  try {
    const { endpoint, scratch: directory, stop } = ministack;
    return { ...(await deploy({ ...options, endpoint, directory })), stop };
  } catch (error) {
    await ministack.stop();
    throw error;
  }
}

/** Path of the program. A finished installation is recognized by its version in the folder's name. */
async function install({ directory, onLine }: MinistackOptions): Promise<string> {
  const environment = join(directory, `ministack-${MINISTACK_VERSION}`);
  const program = join(environment, 'bin', 'ministack');
  const installed = await access(program).then(
    () => true,
    () => false,
  );
  if (installed) return program;
  const step = (name: string, args: readonly string[]) =>
    run({
      program: name,
      args,
      cwd: directory,
      env: process.env,
      ...(onLine === undefined ? {} : { onLine }),
    });
  await mkdir(directory, { recursive: true });
  await step('python3', ['-m', 'venv', '--clear', environment]);
  const pip = [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-input',
    `ministack==${MINISTACK_VERSION}`,
  ];
  await step(join(environment, 'bin', 'pip'), pip);
  return program;
}

/** Nothing of the caller's environment: MiniStack hands its own on to every function it runs. */
function serverEnvironment(port: number, scratch: string): Record<string, string> {
  return {
    // Functions run as child processes with the `node` found first: it must be the version of the Lambda runtime.
    PATH: `${join(ROOT, 'node_modules/.bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: scratch,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    LAMBDA_EXECUTOR: 'local',
    // Functions hold the permissions of their roles, and no others: a permission that is missing shows up here, not in AWS.
    AUTH: 'true',
    BIND_HOST: HOST,
    MINISTACK_HOST: HOST,
    GATEWAY_PORT: String(port),
    PERSIST_STATE: '0',
    SFTP_ENABLED: '0',
  };
}
