// npm run deploy:local: the CDK app on an AWS-compatible endpoint of this machine.
//   npm run deploy:local                              to AWS_ENDPOINT_URL, default http://127.0.0.1:4566
//   npm run deploy:local -- --ministack               starts MiniStack first, keeps it until Ctrl-C
//   npm run deploy:local -- --context sandboxUrl=...  any setting of cdk/settings.ts
// Writes .local/stack.json (or $MILLRACE_DATA_DIR/stack.json): where everything is.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnSignals } from './child-process.ts';
import { type DeployedStack, deploy, ROOT } from './deploy.ts';
import { startStackOnMinistack } from './ministack.ts';

const DEFAULT_ENDPOINT = 'http://127.0.0.1:4566';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ministack: { type: 'boolean', default: false },
      port: { type: 'string', default: '4566' },
      context: { type: 'string', multiple: true, default: [] },
    },
  });
  const directory = resolve(ROOT, process.env.MILLRACE_DATA_DIR ?? '.local');
  const options = {
    directory,
    context: parseContext(values.context),
    onLine: (line: string) => console.error(line),
  };
  if (!values.ministack) {
    const endpoint = addressOf(process.env.AWS_ENDPOINT_URL ?? DEFAULT_ENDPOINT);
    await assertReachable(endpoint);
    await announce(await deploy({ ...options, endpoint }), directory);
    return;
  }
  const stack = await startStackOnMinistack({ ...options, port: Number(values.port) });
  const { stop: _, ...deployed } = stack;
  await announce(deployed, directory);
  console.log('MiniStack runs until Ctrl-C.');
}

function parseContext(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new Error(`--context ${pair}: expected name=value.`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** Under a name, the SDK would look for a host per S3 bucket (`<bucket>.localhost`); under an address it uses paths. */
function addressOf(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.origin;
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

async function announce(stack: DeployedStack, directory: string): Promise<void> {
  const file = join(directory, 'stack.json');
  await mkdir(directory, { recursive: true });
  await writeFile(file, `${JSON.stringify(stack, null, 2)}\n`);
  const { ingestionUrl, apiUrl, helpdeskUrl } = stack;
  console.log(
    `ingestion  ${ingestionUrl}\napi        ${apiUrl}\nhelpdesk   ${helpdeskUrl}\ndetails    ${file}`,
  );
}

exitOnSignals();
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
