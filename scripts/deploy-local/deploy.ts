// Deploys the CDK app to an AWS-compatible endpoint on this machine (LocalStack, MiniStack), with the same templates and
// bundles that AWS would get. Guarantees: never talks to AWS itself (dummy credentials, one endpoint for every service) and
// keeps what the CDK remembers about each endpoint apart.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from './child-process.ts';
import { endpointEnvironment, REGION } from './endpoint.ts';

/** Of all stacks together, by name. */
export type Outputs = Readonly<Record<string, string>>;

export interface DeployOptions {
  /** http://127.0.0.1:4566 and the like. */
  readonly endpoint: string;
  /** Folder for the CDK's own state, the assembly and the outputs. */
  readonly directory: string;
  /** Settings of cdk/settings.ts; `ephemeral` is always true here. */
  readonly context?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** The account that both emulators give to the access key `test`. */
const ACCOUNT = '000000000000';

/** `cdk bootstrap` and `cdk deploy`. Rejects with the CDK's last lines when either fails. */
export async function deploy(options: DeployOptions): Promise<Outputs> {
  // One emulator's bootstrap says nothing about another's: their files must not be shared.
  const home = join(options.directory, `cdk-${new URL(options.endpoint).host.replace(/\W/g, '-')}`);
  const outputsFile = join(home, 'outputs.json');
  await mkdir(home, { recursive: true });
  const cdk = (...args: readonly string[]) =>
    run({
      program: join(ROOT, 'node_modules/.bin/cdk'),
      args: [...args, '--output', join(home, 'cdk.out'), '--ci', '--no-notices'],
      cwd: ROOT,
      env: cdkEnvironment(options.endpoint, home),
      ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
    });
  const settings = Object.entries({ ...options.context, ephemeral: 'true' });
  const context = settings.flatMap(([name, value]) => ['--context', `${name}=${value}`]);
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, ...context);
  const asked = ['--require-approval', 'never', '--method', 'direct', '--outputs-file', outputsFile];
  await cdk('deploy', '--all', ...asked, ...context);
  const byStack = JSON.parse(await readFile(outputsFile, 'utf8')) as Readonly<Record<string, Outputs>>;
  return Object.assign({}, ...Object.values(byStack));
}

/** The caller's environment without any AWS setting of its own: a real profile must have no say. */
function cdkEnvironment(endpoint: string, home: string): Record<string, string | undefined> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')),
  );
  return {
    ...inherited,
    ...endpointEnvironment(endpoint),
    // The app runs as TypeScript: the Node of node_modules must come before the machine's.
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    CDK_HOME: home,
    CDK_DISABLE_VERSION_CHECK: '1',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}
