// Closes a run with the bare line `N passed, N failed`, or `N passed, N failed, N skipped`, for machines to read.
// Guarantees: it is the last line the process writes, is counted from the run, and never says `0 failed` when the
// run failed: a module that could not be loaded, an error outside any test, and an empty run count as one each.
import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of a test module that counting needs. */
export interface CountedModule {
  state(): string;
  readonly children: { allTests(): Iterable<{ result(): { readonly state: string } }> };
}

export function tally(modules: readonly CountedModule[], errorsOutsideTests: number): Tally {
  let passed = 0;
  let failed = errorsOutsideTests;
  let skipped = 0;
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'skipped') skipped += 1;
      // `pending` after the end of the run: it was cut off.
      else failedHere += 1;
    }
    failed += module.state() === 'failed' ? Math.max(failedHere, 1) : failedHere;
  }
  return { passed, failed, skipped };
}

/** `exitCode` is the process's own verdict: a run it calls failed has at least one failure. */
export function closingLine(counts: Tally, exitCode: number): string {
  const failed = counts.failed === 0 && exitCode !== 0 ? 1 : counts.failed;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return `${counts.passed} passed, ${failed} failed${skipped}`;
}

export default class ClosingLineReporter implements Reporter {
  #counts: Tally = { passed: 0, failed: 0, skipped: 0 };

  onInit(): void {
    // Everything else is written by then; a pipe takes this write before the process is gone.
    process.once('exit', (code) => writeSync(1, `${closingLine(this.#counts, code)}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.#counts = tally(modules, unhandledErrors.length);
  }
}
