// npm run e2e:ministack, npm run e2e:localstack-deployed: the end-to-end tests through a really deployed stack. Starts the platform
// sandbox, a session issuer and an emulator of AWS, deploys the app with its bundled functions, makes a merchant, and runs the tests
// with MILLRACE_SESSION_FILE naming a file like the one `npm start` writes. Everything it starts ends with it. Arguments name the
// tests; default: the first merchant, the main job of the events product, and the life of a ticket.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generateSigningKey } from '../../lib/adapters/oidc/issuer.ts';
import { startIssuer } from '../../services/local/issuer/server.ts';
import { startSandbox } from '../../services/local/sandbox/server.ts';
import { dynamodbJars } from '../emulators/dynamodb-local.ts';
import { startLocalstack } from '../emulators/localstack.ts';
import { findPrograms, type Programs } from '../emulators/programs.ts';
import { exitOnSignals, run } from './child-process.ts';
import { deploy, ROOT } from './deploy.ts';
import { endpointEnvironment } from './endpoint.ts';
import './loopback-names.ts';
import { startMinistack } from './ministack.ts';
import { seed } from './seed.ts';
import { freePort } from './server-process.ts';

const TESTS = ['test/e2e/first-merchant', 'test/e2e/main-job', 'test/e2e/helpdesk.e2e'];
const OWNER = { subject: 'user_e2e', email: 'owner@shop.example', password: 'e2e' };

type OnLine = (line: string) => void;
type Ending = () => Promise<unknown>;
interface StartedEmulator {
  readonly endpoint: string;
  readonly stop: Ending;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { localstack: { type: 'boolean', default: false } },
});

async function main(): Promise<void> {
  const programs: Awaited<ReturnType<typeof findPrograms>> | undefined = values.localstack
    ? await findPrograms()
    : undefined;
  if (programs !== undefined && 'missing' in programs) {
    console.log(`LocalStack needs ${programs.missing}: skipped\n0 passed, 0 failed, 1 skipped`);
    return;
  }
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
  const ending: Ending[] = [() => rm(scratch, { recursive: true, force: true })];
  const said: string[] = [];
  const onLine: OnLine = (line) => said.push(line);
  try {
    const started = performance.now();
    const emulator = await (programs === undefined ? onMinistack(onLine) : onLocalstack(programs, onLine));
    ending.unshift(emulator.stop);
    const sessionFile = join(scratch, 'session.json');
    const session = await deployedSession(emulator.endpoint, scratch, ending, onLine);
    console.log(`deployed to ${emulator.endpoint} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await writeFile(sessionFile, JSON.stringify(session), { mode: 0o600 });
    await test({
      ...process.env,
      MILLRACE_SESSION_FILE: sessionFile,
      MILLRACE_DEPLOYED_TO: emulator.endpoint,
      // LocalStack's function URLs take requests that nobody has signed.
      MILLRACE_CHECKS_SIGNATURES: values.localstack ? '0' : '1',
    });
  } catch (error) {
    // What the emulator and its functions said explains why.
    const problems = said.filter((line) => /ERROR|rror:/.test(line)).slice(-40);
    console.error([...problems, error instanceof Error ? error.message : String(error)].join('\n'));
    process.exitCode = 1;
  } finally {
    for (const end of ending) await end();
  }
}

async function onMinistack(onLine: OnLine): Promise<StartedEmulator> {
  const directory = resolve(ROOT, process.env.MILLRACE_DATA_DIR ?? '.local');
  return await startMinistack({ port: await freePort(), directory, onLine });
}

async function onLocalstack({ python }: Programs, onLine: OnLine): Promise<StartedEmulator> {
  const { url, stop } = await startLocalstack({ python, dynamodbJars: await dynamodbJars(), onLine });
  return { endpoint: url, stop };
}

/** Deploys, makes a merchant, and says where everything is, in the words of the local host's `session.json`. */
async function deployedSession(endpoint: string, directory: string, ending: Ending[], onLine: OnLine) {
  const sandbox = await startSandbox();
  ending.unshift(() => sandbox.close());
  const key = await generateSigningKey();
  const issuer = await startIssuer({ port: 0, key, people: [OWNER], now: Date.now });
  ending.unshift(() => issuer.close());
  const context = {
    sandboxUrl: sandbox.url,
    authIssuer: issuer.issuer,
    authAudience: issuer.audience,
    authJwksUrl: issuer.jwksUrl,
  };
  const stack = await deploy({ endpoint, directory, context, onLine });
  Object.assign(process.env, endpointEnvironment(endpoint));
  const { merchantId, apiKey, helpdeskApiKey } = await seed(stack, OWNER);
  return {
    ingestion_url: stack.ingestionUrl,
    api_url: stack.apiUrl,
    helpdesk_url: stack.helpdeskUrl,
    sandbox_url: sandbox.url,
    merchant_id: merchantId,
    api_key: apiKey,
    helpdesk_api_key: helpdeskApiKey,
    session_jwt: await issuer.sign(OWNER),
  };
}

function test(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const tests = positionals.length === 0 ? TESTS : positionals;
  return run({
    program: join(ROOT, 'node_modules/.bin/vitest'),
    args: ['run', '--mode', 'emulators', ...tests],
    cwd: ROOT,
    env,
    onLine: (line) => console.log(line),
  });
}

exitOnSignals();
await main();
