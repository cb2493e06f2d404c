// One command, `vitest run`, for everything that is quick and stays in its process: units beside the code, and conformance,
// contract, integration, simulation and architecture under test/. `--mode e2e` runs hosts as somebody starts them, and what needs
// a browser beside the dashboard; `--mode slow` the long versions; `--mode pages` every page of the dashboard in a browser;
// `--mode emulators` whatever is named. Benchmarks and comparisons with other products are not tests.
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const NEVER = [
  ...configDefaults.exclude,
  '**/cdk.out/**',
  '.local/**',
  'test/performance/**',
  'test/fidelity/**',
];

const INCLUDED: Readonly<Record<string, string[]>> = {
  e2e: ['**/*.{e2e,browser}.test.ts'],
  slow: ['**/*.slow.test.ts'],
  pages: ['**/*.pages.test.ts'],
  // Takes a commit of before, and five minutes.
  upgrade: ['test/e2e/upgrade/*.test.ts'],
};

/** Against hanging only: no test is about time, and a machine five times slower must not fail one. */
const HANGING_MS = 900_000;

export default defineConfig(({ mode }) => {
  const quick = mode === 'test';
  const slow = !quick && mode !== 'e2e';
  return {
    test: {
      include: INCLUDED[mode] ?? ['**/*.test.ts'],
      exclude: quick ? [...NEVER, 'test/e2e/upgrade/**', '**/*.{e2e,browser,slow,pages}.test.ts'] : NEVER,
      // Processes, not threads: some tests listen, spawn hosts and load native modules.
      pool: 'forks',
      // Files share two processes: starting one for each of 400, and loading there what they all import, took as long as their tests.
      // What a test leaves in a module or in the process meets the next file, in any order. Not on emulators, whose setup replaces
      // how the process resolves names.
      isolate: mode === 'emulators',
      sequence: { sequencer: LongestFirst },
      maxWorkers: 2,
      // Most of what a test makes dies young. With the usual 16 MB for it, collecting takes twice the processor that it takes with these.
      execArgv: ['--max-semi-space-size=64'],
      testTimeout: slow ? 2 * HANGING_MS : HANGING_MS,
      hookTimeout: HANGING_MS,
      expect: {
        poll: { timeout: Number(process.env.PAGE_WAIT_MS ?? 600_000), interval: quick ? 50 : 100 },
      },
      // A test that only passes the second time is a defect to see.
      retry: 0,
      // Tests of whole hosts ask the API more often than any page does, on a machine that may be slow; both limits have
      // tests of their own.
      env: {
        // It takes four seconds in each process; one test asks for it.
        CDK_VALIDATION: 'false',
        ...(quick ? {} : { CALL_LIMITS_FACTOR: '100', FUNCTION_TIME_FACTOR: '20' }),
      },
      allowOnly: false,
      restoreMocks: true,
      unstubEnvs: true,
      setupFiles: [
        './test/support/leave-nothing-stubbed.ts',
        ...(mode === 'emulators' ? ['./scripts/deploy-local/loopback-names.ts'] : []),
      ],
      reporters: ['default', './test/support/closing-line-reporter.ts'],
    },
  };
});
