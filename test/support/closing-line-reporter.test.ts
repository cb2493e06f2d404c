import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type CountedModule, closingLine, tally } from './closing-line-reporter.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const moduleOf = (state: string, ...results: string[]): CountedModule => ({
  state: () => state,
  children: { allTests: () => results.map((result) => ({ result: () => ({ state: result }) })) },
});

describe('tally', () => {
  it('adds up tests over modules', () => {
    const modules = [moduleOf('failed', 'passed', 'failed', 'skipped'), moduleOf('passed', 'passed')];
    expect(tally(modules, 0)).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it('counts a module that could not be loaded, an error outside tests and a test that was cut off', () => {
    expect(tally([moduleOf('failed'), moduleOf('failed', 'passed')], 0)).toMatchObject({
      passed: 1,
      failed: 2,
    });
    expect(tally([moduleOf('passed', 'passed')], 2)).toMatchObject({ passed: 1, failed: 2 });
    expect(tally([moduleOf('pending', 'pending')], 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('closingLine', () => {
  it.each([
    [{ passed: 3, failed: 0, skipped: 0 }, 0, '3 passed, 0 failed'],
    [{ passed: 3, failed: 2, skipped: 1 }, 1, '3 passed, 2 failed, 1 skipped'],
    [{ passed: 3, failed: 0, skipped: 0 }, 1, '3 passed, 1 failed'],
  ])('writes %j with exit code %d as "%s"', (counts, exitCode, line) => {
    expect(closingLine(counts, exitCode)).toBe(line);
  });
});

describe('a run', () => {
  const run = (source: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'closing-line-'));
    try {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'a.test.ts'), source);
      const reporter = join(ROOT, 'test/support/closing-line-reporter.ts');
      const args = [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        folder,
        '--reporter=default',
        `--reporter=${reporter}`,
      ];
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      return { status, last: stdout.trimEnd().split('\n').at(-1) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const header = "import { it } from 'vitest';\n";

  it.each([
    ['passes', `${header}it('a', () => {}); it.skip('b', () => {});`, 0, '1 passed, 0 failed, 1 skipped'],
    [
      'fails',
      `${header}it('a', () => {}); it('b', () => { throw new Error('b'); });`,
      1,
      '1 passed, 1 failed',
    ],
    ['cannot load a module', "import './missing.ts';", 1, '0 passed, 1 failed'],
    [
      'rejects outside its tests',
      `${header}it('a', () => { void Promise.reject(new Error('late')); });`,
      1,
      '1 passed, 1 failed',
    ],
  ])('that %s ends with its line and its exit code', (_name, source, status, last) => {
    expect(run(source)).toEqual({ status, last });
  });
});
