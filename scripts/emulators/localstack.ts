// LocalStack (https://pypi.org/project/localstack-core/) without Docker, the program people test against: its SQS alone, or all the
// services of the CDK app, with functions as processes of this machine. Guarantees: the versions of localstack/constraints.txt in a
// virtual environment of their own, nothing kept from an earlier run, reachable from this machine only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../deploy-local/child-process.ts';
import { freePort, startServer } from '../deploy-local/server-process.ts';
import { pythonProgram } from './python.ts';

const REQUIREMENTS = new URL('./localstack/requirements.txt', import.meta.url);
const CONSTRAINTS = new URL('./localstack/constraints.txt', import.meta.url);
const LAUNCHER = new URL('./localstack/functions/launch.py', import.meta.url);

/** A running emulator. */
export interface Emulator {
  /** Without a slash at the end. */
  readonly url: string;
  /** The last lines of its output. */
  tail(): string;
  stop(): Promise<void>;
}

export interface LocalstackOptions {
  /** Python 3.11 with `venv`. */
  readonly python: string;
  /** Folder with the jars of DynamoDB Local: all services then, and functions that run. Default: only queues. */
  readonly dynamodbJars?: string;
  readonly onLine?: (line: string) => void;
}

export async function startLocalstack({
  python,
  dynamodbJars,
  onLine,
}: LocalstackOptions): Promise<Emulator> {
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
      args: dynamodbJars === undefined ? ['-m', 'localstack.runtime.main'] : [fileURLToPath(LAUNCHER)],
      cwd: scratch,
      env: {
        ...serverEnvironment(port, scratch),
        ...(dynamodbJars === undefined ? { SERVICES: 'sqs' } : functionsEnvironment(port, dynamodbJars)),
      },
      ...(onLine === undefined ? {} : { onLine }),
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
    DNS_ADDRESS: '0',
    DISABLE_EVENTS: '1',
    SKIP_SSL_CERT_DOWNLOAD: '1',
  };
}

function functionsEnvironment(port: number, dynamodbJars: string): Record<string, string> {
  return {
    // Functions run with the `node` found first: it must be the version of the Lambda runtime.
    PATH: `${join(ROOT, 'node_modules/.bin')}:/usr/local/bin:/usr/bin:/bin`,
    // Function URLs are names below this one.
    LOCALSTACK_HOST: `localhost:${port}`,
    // It would write beside the launcher.
    PYTHONDONTWRITEBYTECODE: '1',
    LAMBDA_IGNORE_ARCHITECTURE: '1',
    MILLRACE_DYNAMODB_JARS: dynamodbJars,
  };
}
