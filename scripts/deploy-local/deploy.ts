// Deploys the CDK app to an AWS-compatible endpoint on this machine (LocalStack, MiniStack), with the same templates and
// bundles that AWS would get. Guarantees: never talks to AWS itself (dummy credentials, one endpoint for every service) and
// keeps what the CDK remembers about each endpoint apart.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './child-process.ts';
import { endpointEnvironment, REGION, reachableUrl } from './endpoint.ts';

/** Where everything is once it is deployed. */
export interface DeployedStack {
  readonly endpoint: string;
  readonly region: string;
  /** Without a slash at the end. */
  readonly ingestionUrl: string;
  readonly apiUrl: string;
  readonly helpdeskUrl: string;
  readonly tables: Readonly<Record<'events' | 'batches' | 'analytics' | 'config' | 'rates', string>>;
  readonly queues: {
    readonly accepted: string;
    readonly normalized: string;
    readonly counterRefresh: string;
    /** Platform slug → queue URL. */
    readonly deliveries: Readonly<Record<string, string>>;
  };
  readonly vaultKeyArn: string;
}

export interface DeployOptions {
  /** http://127.0.0.1:4566 and the like. */
  readonly endpoint: string;
  /** Folder for the CDK's own state, the assembly and the outputs. */
  readonly directory: string;
  /** Settings of cdk/settings.ts; `ephemeral` is always true here. */
  readonly context?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The account both emulators give to the access key `test`. */
const ACCOUNT = '000000000000';

/** `cdk bootstrap` and `cdk deploy`. Rejects with the CDK's last lines when either fails. */
export async function deploy(options: DeployOptions): Promise<DeployedStack> {
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
  const context = Object.entries({ ...options.context, ephemeral: 'true' }).flatMap(([name, value]) => [
    '--context',
    `${name}=${value}`,
  ]);
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, ...context);
  await cdk(
    'deploy',
    '--all',
    '--require-approval',
    'never',
    '--method',
    'direct',
    '--outputs-file',
    outputsFile,
    ...context,
  );
  return describe(options.endpoint, JSON.parse(await readFile(outputsFile, 'utf8')));
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

function describe(
  endpoint: string,
  outputs: Readonly<Record<string, Readonly<Record<string, string>>>>,
): DeployedStack {
  const all = Object.assign({}, ...Object.values(outputs)) as Record<string, string>;
  const output = (name: string): string => {
    const value = all[name];
    if (value === undefined) throw new Error(`The deployed stacks have no output ${name}.`);
    return value;
  };
  return {
    endpoint,
    region: REGION,
    ingestionUrl: reachableUrl(output('IngestionUrl'), endpoint),
    apiUrl: reachableUrl(output('ApiUrl'), endpoint),
    helpdeskUrl: reachableUrl(output('HelpdeskApiUrl'), endpoint),
    tables: {
      events: output('EventsTable'),
      batches: output('BatchesTable'),
      analytics: output('AnalyticsTable'),
      config: output('ConfigTable'),
      rates: output('RatesTable'),
    },
    queues: {
      accepted: output('AcceptedQueueUrl'),
      normalized: output('NormalizedQueueUrl'),
      counterRefresh: output('CounterRefreshQueueUrl'),
      deliveries: JSON.parse(output('DeliveryQueueUrls')),
    },
    vaultKeyArn: output('VaultKeyArn'),
  };
}
