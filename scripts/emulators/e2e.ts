// npm run e2e:localstack: the stores, the queues and the running host against LocalStack's SQS and Amazon's DynamoDB Local,
// without Docker. Starts both, tells the tests of them with MILLRACE_SQS_URL and MILLRACE_DYNAMODB_URL, and ends with the
// tests' `N passed, N failed`. Where a program is missing it says which and runs nothing. Arguments name other tests.
import { exitOnSignals, runTests } from '../deploy-local/child-process.ts';
import { startDynamodbLocal } from './dynamodb-local.ts';
import { startLocalstack } from './localstack.ts';
import { findPrograms } from './programs.ts';

const TESTS = [
  'test/conformance/stores/',
  'test/conformance/helpdesk/',
  'test/conformance/queues/',
  'test/integration/rate-limit.test.ts',
  'test/e2e/main-job.e2e.test.ts',
  'test/e2e/poison.slow.test.ts',
  'test/e2e/ledger.slow.test.ts',
  'test/e2e/helpdesk.e2e.test.ts',
  'test/e2e/helpdesk-kill.slow.test.ts',
];

async function main(tests: readonly string[]): Promise<void> {
  const programs = await findPrograms();
  if ('missing' in programs) {
    console.log(`e2e:localstack needs ${programs.missing}: skipped\n0 passed, 0 failed, 1 skipped`);
    return;
  }
  const startedMs = performance.now();
  const starting = [startLocalstack(programs), startDynamodbLocal()] as const;
  try {
    const [localstack, dynamodb] = await Promise.all(starting);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`LocalStack at ${localstack.url}, DynamoDB Local at ${dynamodb.url}, after ${seconds} s`);
    // One file after the other: hosts would find each other's tables and queues. What is in memory asks no emulator.
    const options = ['--no-file-parallelism', '--exclude=**/*.memory.test.ts'];
    const succeeded = await runTests([...options, ...tests], {
      MILLRACE_SQS_URL: localstack.url,
      MILLRACE_DYNAMODB_URL: dynamodb.url,
    });
    if (!succeeded) process.exitCode = 1;
  } finally {
    for (const emulator of starting) await emulator.then(({ stop }) => stop()).catch(() => undefined);
  }
}

exitOnSignals();
const named = process.argv.slice(2);
main(named.length === 0 ? TESTS : named).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
