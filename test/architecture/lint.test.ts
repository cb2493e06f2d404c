// Goal: the lint rules this code relies on fire. Method: Biome under this repository's own configuration over a folder of
// probes, one mistake each. The rules about promises need types of other files, and are the first to go quiet.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { plantTree, ROOT } from './cruise.ts';

const LATER = "import { later, type Port } from './later.ts';\n";

const PROBES: readonly (readonly [file: string, text: string, rule: string])[] = [
  ['a/floating.ts', `${LATER}export function f(): void {\n  later();\n}\n`, 'nursery/noFloatingPromises'],
  [
    'a/floating-port.ts',
    `${LATER}export function f(port: Port): void {\n  port.send('x');\n}\n`,
    'nursery/noFloatingPromises',
  ],
  [
    'a/condition.ts',
    `${LATER}export const f = (): number => (later() ? 1 : 2);\n`,
    'nursery/noMisusedPromises',
  ],
  [
    'a/for-each.ts',
    `${LATER}export const f = (): void => [1].forEach(async () => later());\n`,
    'nursery/noMisusedPromises',
  ],
  [
    'a/switch.ts',
    "export function f(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n",
    'nursery/useExhaustiveSwitchCases',
  ],
  [
    'a/reject.ts',
    "export const f = (): Promise<never> => Promise.reject('no');\n",
    'nursery/usePromiseRejectErrors',
  ],
  ['a/any.ts', 'export const f = (x: any): unknown => x;\n', 'suspicious/noExplicitAny'],
  ['a/bang.ts', 'export const f = (x: string | null): string => x!;\n', 'style/noNonNullAssertion'],
  ['a/type-import.ts', "import { Port } from './later.ts';\nexport type X = Port;\n", 'style/useImportType'],
  ['a/throw.ts', "export function f(): never {\n  throw 'no';\n}\n", 'style/useThrowOnlyError'],
  ['a/extension.ts', "export { later } from './later';\n", 'correctness/useImportExtensions'],
  ['a/undeclared.ts', "export { default } from 'left-pad';\n", 'correctness/noUndeclaredDependencies'],
  ['a/unused.ts', "import { later } from './later.ts';\nexport {};\n", 'correctness/noUnusedImports'],
  ['a/enum.ts', 'export enum X {\n  A = 1,\n}\n', 'style/noEnum'],
  [
    'a/ring-a.ts',
    "import { b } from './ring-b.ts';\nexport const a = (): unknown => b;\n",
    'suspicious/noImportCycles',
  ],
  [
    'a/long.ts',
    `export function f(): void {\n${'  console.log(1);\n'.repeat(71)}}\n`,
    'complexity/noExcessiveLinesPerFunction',
  ],
  ['a/only.test.ts', "import { it } from 'vitest';\nit.only('a', () => {});\n", 'suspicious/noFocusedTests'],
  ['a/skip.test.ts', "import { it } from 'vitest';\nit.skip('a', () => {});\n", 'suspicious/noSkippedTests'],
];

const CLEAN: readonly (readonly [file: string, text: string])[] = [
  [
    'a/later.ts',
    'export interface Port {\n  send(text: string): Promise<void>;\n}\n\nexport async function later(): Promise<void> {}\n',
  ],
  ['a/ring-b.ts', "import { a } from './ring-a.ts';\n\nexport const b = (): unknown => a;\n"],
  [
    'a/clean.ts',
    `${LATER}\nexport async function f(port: Port): Promise<void> {\n  await later();\n  void port.send('x');\n}\n`,
  ],
  ['a/short.ts', `export function f(): void {\n${'  console.log(1);\n'.repeat(68)}}\n`],
  ['a/long.test.ts', `export function f(): void {\n${'  console.log(1);\n'.repeat(90)}}\n`],
];

interface Report {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly severity: string;
    readonly location: { readonly path: string };
  }[];
}

describe('the lint rules', () => {
  const folder = scratchFolder('lint');
  let errors: (file: string) => string[];

  beforeAll(() => {
    const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as Record<string, unknown>;
    plantTree(folder, [
      ['biome.json', JSON.stringify({ ...config, vcs: { enabled: false } })],
      ['package.json', '{"type":"module","devDependencies":{"vitest":"5.1.0"}}'],
      ...PROBES,
      ...CLEAN,
    ]);
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'a'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (!stdout.startsWith('{')) throw new Error(`Biome gave no report: ${stderr || stdout}`);
    const { diagnostics } = JSON.parse(stdout) as Report;
    errors = (file) =>
      diagnostics
        .filter(({ location, severity }) => location.path.endsWith(file) && severity === 'error')
        .map(({ category }) => category.replace('lint/', ''));
  });

  it.each(PROBES)('complain about %s', (file, _text, rule) => {
    expect(errors(file)).toContain(rule);
  });

  it.each(CLEAN.filter(([file]) => file !== 'a/ring-b.ts'))('leave %s alone', (file) => {
    expect(errors(file)).toEqual([]);
  });
});
