// LocalStack (https://pypi.org/project/localstack-core/) without Docker: SQS of the program people test against. Guarantees:
// the versions of localstack/constraints.txt in a virtual environment of their own, nothing kept from an earlier run, reachable
// from this machine only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startServer } from '../deploy-local/server-process.ts';
import { pythonProgram } from './python.ts';

const REQUIREMENTS = new URL('./localstack/requirements.txt', import.meta.url);
const CONSTRAINTS = new URL('./localstack/constraints.txt', import.meta.url);

/** A running emulator. */
export interface Emulator {
  /** Without a slash at the end. */
  readonly url: string;
  /** The last lines of its output. */
  tail(): string;
  stop(): Promise<void>;
}

/** `python` is Python 3.11 with `venv`. */
export async function startLocalstack(python: string): Promise<Emulator> {
  const bin = await pythonProgram({
    name: 'localstack',
    python,
    requirements: REQUIREMENTS,
    constraints: CONSTRAINTS,
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-localstack-'));
  const removeScratch = () => rm(scratch, { recursive: true, force: true });
  try {
    const server = await startServer({
      name: 'LocalStack',
      readyUrl: `${url}/_localstack/health`,
      program: join(bin, 'python'),
      args: ['-m', 'localstack.runtime.main'],
      cwd: scratch,
      env: serverEnvironment(port, scratch),
    });
    return { url, tail: server.tail, stop: () => server.stop().finally(removeScratch) };
  } catch (error) {
    await removeScratch();
    throw error;
  }
}

function serverEnvironment(port: number, scratch: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    // Its list of plugins is cached here and would outlive a change of versions: a new home each time has none.
    HOME: scratch,
    FILESYSTEM_ROOT: join(scratch, 'localstack'),
    // LocalStack binds an IPv4 address to all interfaces, and only an IPv6 address to its own: this is 127.0.0.1, as IPv6 spells it.
    GATEWAY_LISTEN: `[::ffff:127.0.0.1]:${port}`,
    SERVICES: 'sqs',
    DNS_ADDRESS: '0',
    DISABLE_EVENTS: '1',
    SKIP_SSL_CERT_DOWNLOAD: '1',
  };
}
