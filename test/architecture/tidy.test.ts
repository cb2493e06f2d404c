// Goal: the rules of CONTRIBUTING.md that are about text hold for every file of the repository. Method: each check over
// each file; and for each check, texts on which it must complain and texts it must leave alone.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './cruise.ts';
import { CHECKS, codeOf, complaintsOf } from './tidy.ts';

const SKIPPED = ['node_modules', '.git', 'cdk.out', '.local', 'coverage', '.venv', '.cdk-home', 'dist'];
const TEXT =
  /\.(?:tsx?|mjs|cjs|js|json|md|yml|yaml|html|css|txt|sh)$|(?:^|\/)(?:\.ci\/run|LICENSE|\.editorconfig|\.gitignore|\.npmrc)$/;
/** The checks' own examples break every rule. */
const EXAMPLES = new Set(['test/architecture/tidy.test.ts', 'test/architecture/tidy.ts']);

/** A newcomer reads the names of a folder at one glance. Tests stand beside what they test and are not counted. */
const FOLDER_FILES_MAX = 20;

const files = globSync('**/*', {
  cwd: ROOT,
  exclude: (entry) => SKIPPED.includes(entry.split('/').at(-1) ?? ''),
})
  .concat(
    globSync(['.ci/*', '.editorconfig', '.npmrc', '.gitignore', '.dependency-cruiser.mjs'], { cwd: ROOT }),
  )
  .filter((path) => TEXT.test(path) && !EXAMPLES.has(path) && statSync(join(ROOT, path)).isFile())
  .sort();

describe('the repository', () => {
  it('was read', () => {
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'lib/core/ports/clock.ts', '.dependency-cruiser.mjs']),
    );
  });

  it('has no folder of more than twenty files to look through', () => {
    const counts = new Map<string, number>();
    for (const path of files.filter((one) =>
      /^(?:lib|services|cdk|scripts)\/.*(?<!\.test)\.tsx?$/.test(one),
    )) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
  });

  it('is tidy', () => {
    expect(
      files.flatMap((path) => complaintsOf({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
    ).toEqual([]);
  });
});

const lines = (count: number, text = 'x;\n') => text.repeat(count);
const LONG = `${'export {};\n'.repeat(50)}`;

/** Check → [path, text] it must complain about. */
const BAD: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  emptyNames: [
    ['lib/utils/a.ts', ''],
    ['lib/events/domain/event-helpers.ts', ''],
    ['lib/events/domain/types.ts', ''],
    ['services/events/deliver/constants.test.ts', ''],
  ],
  kebabCase: [
    ['lib/events/domain/userData.ts', ''],
    ['lib/events/domain/user_data.ts', ''],
    ['docs/Architecture.md', ''],
    ['lib/user data/a.ts', ''],
  ],
  fileLength: [
    ['lib/events/domain/a.ts', lines(301)],
    ['lib/events/domain/a.test.ts', lines(501)],
  ],
  opening: [['services/events/deliver/stage.ts', LONG]],
  unfinished: [
    ['lib/a.ts', '// TODO: later\n'],
    ['docs/a.md', '# A\n\nFIXME\n'],
  ],
  silenced: [
    ['lib/a.ts', '// @ts-ignore\n'],
    ['lib/a.ts', '// @ts-expect-error wrong\n'],
  ],
  machinePaths: [
    ['lib/a.ts', "const a = '/home/ann/x';\n"],
    ['docs/a.md', '# A\n\nsee /Users/ann/x\n'],
    ['docs/a.md', '# A\n\nfile:///root/x\n'],
    ['docs/a.md', '# A\n\n`C:\\dev`\n'],
    ['docs/a.md', '# A\n\n[x](../shared/x.md)\n'],
  ],
  oneTitle: [
    ['docs/a.md', 'no title\n'],
    ['docs/a.md', '# A\n\n# B\n'],
    ['docs/a.md', 'first\n\n# A\n'],
  ],
  plainText: [
    ['lib/a.ts', 'a;\r\n'],
    ['lib/a.ts', '\ufeffa;\n'],
    ['lib/a.ts', 'a;\u0000\n'],
    ['lib/a.ts', 'a;'],
  ],
  ambient: [
    ['lib/events/domain/a.ts', 'const a = Date.now();\n'],
    ['lib/events/platforms/meta/a.ts', 'const a = new Date();\n'],
    ['lib/core/http/a.ts', 'const a = Math.random();\n'],
    ['services/events/deliver/stage.ts', 'const a = process.env.A;\n'],
    ['services/events/deliver/decide.ts', 'setTimeout(f, 1);\n'],
    ['lib/events/domain/a.ts', "import { randomUUID } from 'node:crypto';\n"],
  ],
  farImports: [
    ['lib/events/domain/rules/a.ts', "import { b } from '../../../core/work/b.ts';\n"],
    ['services/events/deliver/a.ts', "const b = await import('../../../lib/core/work/b.ts');\n"],
  ],
  exactPins: [
    ['package.json', '{"dependencies":{"a":"^1.2.3"}}\n'],
    ['test/performance/peers/package.json', '{"devDependencies":{"a":"latest"}}\n'],
  ],
  publicLock: [['package-lock.json', '{"resolved": "http://mirror.example/a.tgz"}\n']],
};

/** Texts every check must leave alone. */
const GOOD: readonly (readonly [string, string])[] = [
  [
    'lib/events/domain/user-data.ts',
    "// What it says.\nconst at = new Date(ms); // Date.now() is not for here\nconst s = 'process.env';\n",
  ],
  ['lib/events/platforms/google_ads/event-names.ts', 'x;\n'],
  ['lib/events/domain/rules/b.ts', "import { b } from '../../ports/b.ts';\nimport '#lib/core/work/b.ts';\n"],
  ['lib/adapters/clock/system-clock.ts', 'const now = Date.now();\n'],
  ['services/events/deliver/handler.ts', 'const now = Date.now();\n'],
  ['services/events/deliver/lambda.ts', 'process.env;\n'],
  ['services/local/main.ts', 'process.env; setTimeout(f, 1);\n'],
  ['lib/events/domain/a.test.ts', `const a = Date.now();\n${lines(400)}`],
  ['lib/events/domain/a.ts', lines(300, '// x\n')],
  ['docs/a.md', '# A\n\n```sh\n# not a title\n```\n\nhttps://example.com/home/x\n'],
  ['docs/reference/errors.md', `# Errors\n${lines(900, 'TODO\n')}`],
  ['package.json', '{"dependencies":{"a":"1.2.3","b":"1.0.0-rc.1"}}\n'],
  ['package-lock.json', '{"resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz"}\n'],
  ['README.md', '# Millrace\n'],
  ['.dependency-cruiser.mjs', 'x;\n'],
];

describe('each check', () => {
  it('has texts it must complain about', () => {
    expect(Object.keys(BAD).sort()).toEqual(Object.keys(CHECKS).sort());
  });

  it.each(
    Object.entries(BAD).flatMap(([name, cases]) => cases.map(([path, text]) => [name, path, text] as const)),
  )('%s complains about %s %j', (name, path, text) => {
    expect(CHECKS[name]?.({ path, text })).not.toEqual([]);
  });

  it.each(GOOD)('leaves %s alone', (path, text) => {
    expect(complaintsOf({ path, text })).toEqual([]);
  });
});

describe('codeOf', () => {
  it.each([
    ["a; // it's Date.now()\nb;", 'a; \nb;'],
    ["fetch('https://x.example'); c;", "fetch(''); c;"],
    ['/* Date.now() */ d;', ' d;'],
    ["'it\\'s // no comment'; e;", "''; e;"],
  ])('reads %j as %j', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});
