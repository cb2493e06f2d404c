// One command, `vitest run`, for everything that is quick: units beside the code, and conformance, contract,
// integration, simulation, e2e and architecture under test/. `--mode slow` runs the long versions (`*.slow.test.ts`)
// instead, `--mode pages` every page of the dashboard in a browser (`*.pages.test.ts`), `--mode emulators` whatever is named; benchmarks and comparisons with other products are not tests.
import { configDefaults, defineConfig } from 'vitest/config';

const NEVER = [
  ...configDefaults.exclude,
  '**/cdk.out/**',
  '.local/**',
  'test/performance/**',
  'test/fidelity/**',
];

const INCLUDED: Readonly<Record<string, string[]>> = {
  slow: ['**/*.slow.test.ts'],
  pages: ['**/*.pages.test.ts'],
};

const TIMEOUTS_MS: Readonly<Record<string, number>> = { test: 120_000, pages: 900_000 };

export default defineConfig(({ mode }) => {
  const slow = mode !== 'test';
  return {
    test: {
      include: INCLUDED[mode] ?? ['**/*.test.ts'],
      exclude: slow ? NEVER : [...NEVER, '**/*.{slow,pages}.test.ts'],
      // Processes, not threads: some tests listen, spawn hosts and load native modules.
      pool: 'forks',
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
