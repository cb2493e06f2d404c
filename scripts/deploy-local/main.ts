// npm run deploy:local: the CDK app on an AWS-compatible endpoint of this machine. Ends with a request that is answered 202, and
// writes stack.json into .local (MILLRACE_DATA_DIR): the outputs of the stacks, and the keys of a merchant made for it.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findDeployment } from '../millrace/deployment.ts';
import { announce } from './announce.ts';
import { exitOnSignals, ROOT } from './child-process.ts';
import { contextOf } from './context-of.ts';
import { deploy, type Outputs } from './deploy.ts';
import { addressOf, endpointEnvironment } from './endpoint.ts';
import { startStackOnMinistack } from './ministack.ts';

const DEFAULT_ENDPOINT = 'http://127.0.0.1:4566';
const HELP = `npm run deploy:local                                to AWS_ENDPOINT_URL, default ${DEFAULT_ENDPOINT}
npm run deploy:local -- --ministack [--port 4566]   starts MiniStack first, keeps it until Ctrl-C
npm run deploy:local -- --context <name>=<value>    any setting of docs/reference/settings.md
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ministack: { type: 'boolean', default: false },
      port: { type: 'string', default: '4566' },
      context: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const directory = resolve(ROOT, process.env.MILLRACE_DATA_DIR ?? '.local');
  const context = contextOf(values.context.flatMap((pair) => ['--context', pair]));
  const options = { context, onLine: (line: string) => console.error(line) };
  if (!values.ministack) {
    const endpoint = addressOf(process.env.AWS_ENDPOINT_URL ?? DEFAULT_ENDPOINT);
    await assertReachable(endpoint);
    await end(endpoint, await deploy({ ...options, endpoint, directory }), directory);
    return;
  }
  const { endpoint, outputs } = await startStackOnMinistack({ ...options, port: Number(values.port) });
  await end(endpoint, outputs, directory);
  console.log('MiniStack runs until Ctrl-C.');
}

async function assertReachable(endpoint: string): Promise<void> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(5_000) });
  } catch {
    throw new Error(
      `Nothing answers at ${endpoint}. Start an emulator (docker compose up localstack), set AWS_ENDPOINT_URL, or add --ministack.`,
    );
  }
}

async function end(endpoint: string, outputs: Outputs, directory: string): Promise<void> {
  Object.assign(process.env, endpointEnvironment(endpoint));
  console.log(await announce(await findDeployment(), { endpoint, outputs, directory }));
}

exitOnSignals();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
