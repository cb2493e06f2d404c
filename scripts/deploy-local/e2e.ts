// npm run e2e:ministack: the end-to-end tests through a really deployed stack. Starts the platform sandbox, a session issuer
// and MiniStack, deploys the app with its bundled functions, makes a merchant, and runs the tests with MILLRACE_SESSION_FILE naming
// a file like the one `npm start` writes. Everything it starts ends with it. Arguments name the tests; default: the first
// merchant, the main job of the events product, and the life of a ticket.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSigningKey } from '../../lib/adapters/oidc/issuer.ts';
import { startIssuer } from '../../services/local/issuer/server.ts';
import { startSandbox } from '../../services/local/sandbox/server.ts';
import { findDeployment } from '../millrace/deployment.ts';
import { exitOnSignals, runTests } from './child-process.ts';
import { endpointEnvironment } from './endpoint.ts';
import { startStackOnMinistack } from './ministack.ts';
import { seed } from './seed.ts';
import { freePort } from './server-process.ts';

const TESTS = ['test/e2e/first-merchant', 'test/e2e/main-job', 'test/e2e/helpdesk.e2e'];
const OWNER = { subject: 'user_e2e', email: 'owner@shop.example', password: 'e2e' };

async function main(tests: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-e2e-'));
  const ending: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
  try {
    const started = performance.now();
    const sandbox = await startSandbox();
    ending.unshift(() => sandbox.close());
    const key = await generateSigningKey();
    const issuer = await startIssuer({ port: 0, key, people: [OWNER], now: Date.now });
    ending.unshift(() => issuer.close());
    const said: string[] = [];
    const stack = await startStackOnMinistack({
      port: await freePort(),
      context: {
        sandboxUrl: sandbox.url,
        authIssuer: issuer.issuer,
        authAudience: issuer.audience,
        authJwksUrl: issuer.jwksUrl,
      },
      onLine: (line) => said.push(line),
    });
    ending.unshift(() => stack.stop());
    Object.assign(process.env, endpointEnvironment(stack.endpoint));
    const deployment = await findDeployment();
    const { merchantId, apiKey, helpdeskApiKey } = await seed(deployment, OWNER);
    console.log(`deployed to ${stack.endpoint} in ${((performance.now() - started) / 1000).toFixed(1)} s`);

    const sessionFile = join(scratch, 'session.json');
    const session = {
      ingestion_url: deployment.ingestionUrl,
      api_url: deployment.apiUrl,
      helpdesk_url: deployment.helpdeskUrl,
      sandbox_url: sandbox.url,
      merchant_id: merchantId,
      api_key: apiKey,
      helpdesk_api_key: helpdeskApiKey,
      session_jwt: await issuer.sign(OWNER),
    };
    await writeFile(sessionFile, JSON.stringify(session), { mode: 0o600 });
    const env = { MILLRACE_SESSION_FILE: sessionFile, MILLRACE_DEPLOYED_TO: stack.endpoint };
    if (!(await runTests(tests, env))) {
      // The tests have said what failed; what the functions said explains why.
      const errors = said.filter((line) => /ERROR|rror:/.test(line));
      console.error(errors.slice(-40).join('\n'));
      process.exitCode = 1;
    }
  } finally {
    for (const end of ending) await end();
  }
}

exitOnSignals();
const named = process.argv.slice(2);
main(named.length === 0 ? TESTS : named).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
