// npm run test:deployed: end-to-end tests against a deployment that exists, on AWS or on an emulator of it, with the credentials,
// region and endpoint of the environment. Makes a merchant of its own for each run. Refuses a deployment that delivers to platforms:
// made-up events would reach them; `--no-deliveries` runs there what connects none. Arguments name other tests.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnSignals, runTests } from './deploy-local/child-process.ts';
import './deploy-local/loopback-names.ts';
import { seed, sessionOf } from './deploy-local/seed.ts';
import { type DeployedRun, deployedRun, USAGE } from './deploy-local/test-run.ts';
import { type Deployment, findDeployment } from './millrace/deployment.ts';

async function main(deployment: Deployment, planned: DeployedRun): Promise<boolean> {
  const { owner, name, connects, sandboxUrl, sessionJwt, tests } = planned;
  const seeded = await seed(deployment, owner, { name, connects });
  console.log(`made the merchant ${name}, ${seeded.merchantId}`);
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-deployed-'));
  const sessionFile = join(scratch, 'session.json');
  try {
    // The API takes a key for a session.
    const session = sessionOf(deployment, seeded, { sandboxUrl, sessionJwt: sessionJwt ?? seeded.apiKey });
    await writeFile(sessionFile, JSON.stringify(session), { mode: 0o600 });
    return await runTests(tests, {
      MILLRACE_SESSION_FILE: sessionFile,
      MILLRACE_HAS_PERSON: sessionJwt === undefined ? '0' : '1',
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
    console.log(
      `its merchant stays until: npx millrace merchants remove ${seeded.merchantId} --export <folder> --yes`,
    );
  }
}

exitOnSignals();
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      environment: { type: 'string' },
      owner: { type: 'string' },
      subject: { type: 'string' },
      sandbox: { type: 'string' },
      'no-deliveries': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else {
    const deployment = await findDeployment(values.environment);
    const asked = { ...values, noDeliveries: values['no-deliveries'], tests: positionals };
    const planned = deployedRun(deployment, asked, process.env, new Date());
    process.exitCode = (await main(deployment, planned)) ? 0 : 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
