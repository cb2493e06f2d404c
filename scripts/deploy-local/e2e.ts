// npm run e2e:ministack, npm run e2e:localstack-deployed: the end-to-end tests through a really deployed stack. Starts the platform
// sandbox, a session issuer and an emulator of AWS, deploys the app with its bundled functions, makes a merchant, and runs the tests
// with MILLRACE_SESSION_FILE naming a file like the one `npm start` writes. Everything it starts ends with it. Arguments name the
// tests; default: the first merchant, the main job of the events product, a source that rested, and the life of a ticket; on
// LocalStack the functions as processes as well. A bucket of S3 (test/e2e/s3.e2e.test.ts) takes minutes, and is named where it is wanted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateSigningKey } from '../../lib/adapters/oidc/issuer.ts';
import { startIssuer } from '../../services/local/issuer/server.ts';
import { startSandbox } from '../../services/local/sandbox/server.ts';
import { dynamodbJars } from '../emulators/dynamodb-local.ts';
import { startLocalstack } from '../emulators/localstack.ts';
import { findPrograms } from '../emulators/programs.ts';
import { findDeployment } from '../millrace/deployment.ts';
import { exitOnSignals, runTests } from './child-process.ts';
import { deploy } from './deploy.ts';
import { endpointEnvironment } from './endpoint.ts';
import './loopback-names.ts';
import { startMinistack } from './ministack.ts';
import { s3Hosts } from './s3-hosts.ts';
import { seed, sessionOf } from './seed.ts';
import { freePort } from './server-process.ts';

const TESTS = [
  'test/e2e/first-merchant',
  'test/e2e/main-job',
  'test/e2e/resting-source',
  'test/e2e/helpdesk.e2e',
];
/** Only LocalStack runs functions as processes of ours. */
const PROCESSES = 'scripts/emulators/localstack/functions';
const OWNER = { subject: 'user_e2e', email: 'owner@shop.example', password: 'e2e' };

type OnLine = (line: string) => void;
type Ending = () => Promise<unknown>;
type Start = (onLine: OnLine) => Promise<{ readonly endpoint: string; readonly stop: Ending }>;

async function main(start: Start, tests: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
  const ending: Ending[] = [() => rm(scratch, { recursive: true, force: true })];
  const said: string[] = [];
  const onLine: OnLine = (line) => said.push(line);
  try {
    const startedMs = performance.now();
    const { endpoint, stop } = await start(onLine);
    ending.unshift(stop);
    const sessionFile = join(scratch, 'session.json');
    const session = await deployedSession(endpoint, scratch, ending, onLine);
    console.log(`deployed to ${endpoint} in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    await writeFile(sessionFile, JSON.stringify(session), { mode: 0o600 });
    const env = {
      MILLRACE_SESSION_FILE: sessionFile,
      MILLRACE_DEPLOYED_TO: endpoint,
      // LocalStack's function URLs take requests without a signature.
      MILLRACE_CHECKS_SIGNATURES: start === onMinistack ? '1' : '0',
    };
    // The tests have said what failed; what the functions said explains why.
    if (!(await runTests(tests, env))) throw new Error('tests failed');
  } catch (error) {
    const problems = said.filter((line) => /ERROR|rror:/.test(line)).slice(-40);
    console.error([...problems, error instanceof Error ? error.message : String(error)].join('\n'));
    process.exitCode = 1;
  } finally {
    for (const end of ending) await end();
  }
}

const onMinistack: Start = async (onLine) => await startMinistack({ port: await freePort(), onLine });

const onLocalstack =
  (python: string): Start =>
  async (onLine) => {
    const { url, stop } = await startLocalstack({ python, dynamodbJars: await dynamodbJars(), onLine });
    return { endpoint: url, stop };
  };

/** Deploys, makes a merchant, and says where everything is. */
async function deployedSession(endpoint: string, directory: string, ending: Ending[], onLine: OnLine) {
  const sandbox = await startSandbox({ beside: s3Hosts(endpoint) });
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
  await deploy({ endpoint, directory, context, onLine });
  Object.assign(process.env, endpointEnvironment(endpoint));
  const deployment = await findDeployment();
  const where = { sandboxUrl: sandbox.url, sessionJwt: await issuer.sign(OWNER) };
  return sessionOf(deployment, await seed(deployment, OWNER), where);
}

exitOnSignals();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { localstack: { type: 'boolean', default: false } },
});
const defaults = values.localstack ? [...TESTS, PROCESSES] : TESTS;
const tests = positionals.length === 0 ? defaults : positionals;
if (!values.localstack) await main(onMinistack, tests);
else {
  const programs = await findPrograms();
  if ('missing' in programs)
    console.log(`LocalStack needs ${programs.missing}: skipped\n0 passed, 0 failed, 1 skipped`);
  else await main(onLocalstack(programs.python), tests);
}
