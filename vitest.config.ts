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
};

const TIMEOUTS_MS: Readonly<Record<string, number>> = { test: 120_000, e2e: 120_000, pages: 900_000 };

export default defineConfig(({ mode }) => {
  const quick = mode === 'test';
  const slow = !quick && mode !== 'e2e';
  return {
    test: {
      include: INCLUDED[mode] ?? ['**/*.test.ts'],
      exclude: quick ? [...NEVER, '**/*.{e2e,browser,slow,pages}.test.ts'] : NEVER,
      // Processes, not threads: some tests listen, spawn hosts and load native modules.
      pool: 'forks',
      // Quick files share two processes: starting one for each of 400, and loading there what they all import, took as long as
      // their tests. What a test leaves in a module or in the process meets the next file, in any order.
      isolate: !quick,
      sequence: { sequencer: LongestFirst },
      maxWorkers: 2,
      // Against hanging only: no test is about time, and a loaded machine must not fail one.
      testTimeout: TIMEOUTS_MS[mode] ?? 1_800_000,
      hookTimeout: slow ? 300_000 : 120_000,
      // A minute that was counted while deliveries were under way is counted again two minutes later.
      expect: { poll: { timeout: slow ? Number(process.env.PAGE_WAIT_MS ?? 600_000) : 100_000 } },
      // A test that only passes the second time is a defect to see.
      retry: 0,
      allowOnly: false,
      restoreMocks: true,
      unstubEnvs: true,
      reporters: ['default', './test/support/closing-line-reporter.ts'],
    },
  };
});
