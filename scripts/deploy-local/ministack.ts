// MiniStack (MIT, https://pypi.org/project/ministack/): an AWS emulator that needs Python and no Docker.
// Guarantees: one pinned version, reachable from this machine only, gone with all its
// functions after `stop()`.
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonProgram } from '../emulators/python.ts';
import { ROOT } from './child-process.ts';
import { type DeployOptions, deploy, type Outputs } from './deploy.ts';
import { answers, startServer } from './server-process.ts';

const REQUIREMENTS = new URL('./ministack-requirements.txt', import.meta.url);
const HOST = '127.0.0.1';

export interface MinistackOptions {
  /** Default 4566. */
  readonly port?: number;
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
  const bin = await pythonProgram({ name: 'ministack', python: 'python3', requirements: REQUIREMENTS });
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-ministack-'));
  // MiniStack writes its function runner, a CommonJS `.js` file, below this folder. Under a manifest that says
  // `"type": "module"`, such as ours, every function would end at once, without a word: this one is nearer.
  await writeFile(join(scratch, 'package.json'), '{"type":"commonjs"}\n');
  const removeScratch = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', removeScratch);
  const server = await startServer({
    name: 'MiniStack',
    readyUrl,
    program: join(bin, 'python'),
    args: [join(bin, 'ministack')],
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

export interface LocalDeployment {
  readonly endpoint: string;
  readonly outputs: Outputs;
  stop(): Promise<void>;
}

/** Starts MiniStack and deploys the app to it; `stop()` takes everything down again. */
export async function startStackOnMinistack(
  options: MinistackOptions & Pick<DeployOptions, 'context'>,
): Promise<LocalDeployment> {
  const { endpoint, scratch: directory, stop } = await startMinistack(options);
  try {
    return { endpoint, outputs: await deploy({ ...options, endpoint, directory }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
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
