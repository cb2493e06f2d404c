// "The next platform is a folder in each of three places and one line": scaffolded in a copy of the repository, and everything
// asked there.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyRepository } from '../support/repository-copy.ts';
import type { Probe } from './new-platform-probe.ts';
import { complaintsOf } from './tidy.ts';

const FOLDERS = [
  'lib/events/platforms/acme-ads/',
  'services/local/sandbox/platforms/acme-ads/',
  'test/platforms/acme-ads/',
];
const LIST = 'lib/events/platforms/registered.ts';
const LINE = "export { default as acme_ads } from './acme-ads/index.ts';";

const repository = copyRepository('new-platform');
const copy = repository.path;
let before: ReadonlyMap<string, string>;
let after: ReadonlyMap<string, string>;
let said = '';

const { run } = repository;
const tool = (path: string): string => join('node_modules', path);
const newPlatform = (...names: readonly string[]) => run('scripts/new-platform.ts', ...names);

/** Path → content of every file of the copy. */
function contents(): ReadonlyMap<string, string> {
  const files = readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(copy, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('node_modules/'));
  return new Map(files.map((path) => [path, readFileSync(join(copy, path), 'utf8')]));
}

const isOwn = (path: string): boolean => FOLDERS.some((folder) => path.startsWith(folder));
/** What the host offers as credentials for trying is collected from the examples; recorded answers name every platform. */
const isGenerated = (path: string): boolean =>
  path.startsWith('docs/reference/') ||
  path === 'cdk/stateful-resources.json' ||
  path === 'lib/events/platforms/sample-credentials.json' ||
  path === 'lib/events/routes/recorded-examples.json';
const changed = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...from.keys(), ...to.keys()])].filter((path) => from.get(path) !== to.get(path)).sort();

beforeAll(async () => {
  before = contents();
  const made = await newPlatform('acme-ads');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  said = made.stdout;
  after = contents();
});

afterAll(() => repository.remove());

describe('a new platform', () => {
  it('is its folders and one line in the list', () => {
    const paths = changed(before, after);
    expect(paths.filter((path) => !isOwn(path) && !isGenerated(path))).toEqual([LIST]);
    const lines = (map: ReadonlyMap<string, string>) => (map.get(LIST) ?? '').split('\n');
    expect(lines(after).filter((line) => line !== LINE)).toEqual(lines(before));
    expect(lines(after).filter((line) => line === LINE)).toHaveLength(1);
  });

  it('has every file of a platform, tidy and without placeholders, and says what comes next', () => {
    const files = [...after].filter(([path]) => isOwn(path));
    const names = FOLDERS.map((folder) =>
      files.flatMap(([path]) => (path.startsWith(folder) ? [path.slice(folder.length)] : [])).sort(),
    );
    expect(names).toEqual([
      [
        'README.md',
        'acme-ads.test.ts',
        'credentials.ts',
        'event-names.ts',
        'index.ts',
        'payload.ts',
        'response.ts',
        'user-data.ts',
      ],
      ['sandbox.test.ts', 'sandbox.ts'],
      ['examples.ts', 'expected.ts'],
    ]);
    for (const [path, text] of files) {
      expect(complaintsOf({ path, text })).toEqual([]);
      expect(text).not.toMatch(/\{\{\w+\}\}/);
      expect(said).toContain(path);
    }
    expect(said).toMatch(/grep -rn CHANGE (?:\S+\/acme-ads ?){3}$/m);
    expect(files.filter(([, text]) => text.includes('CHANGE')).length).toBeGreaterThan(5);
  });

  it.concurrent('compiles and is formatted', async ({ expect }) => {
    // Each of its usual four checkers would check again what they share.
    const types = await run(tool('typescript/bin/tsc'), '-p', '.', '--checkers', '1');
    expect(types).toMatchObject({ code: 0, stdout: '' });
    const lint = await run(tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', ...FOLDERS, LIST);
    expect(lint, lint.stderr).toMatchObject({ code: 0 });
  });

  it.concurrent('passes its own tests and the conformance suite', async ({ expect }) => {
    const ran = await run(
      tool('vitest/vitest.mjs'),
      ...[
        'run',
        '--no-file-parallelism',
        '--reporter=json',
        '--outputFile=report.json',
        '-t',
        'acme_ads|Acme Ads|acme-ads|^the pages',
        'test/conformance/platforms',
        ...FOLDERS,
      ],
    );
    const report = JSON.parse(readFileSync(join(copy, 'report.json'), 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      testResults: readonly {
        name: string;
        status: string;
        assertionResults: readonly { status: string }[];
      }[];
    };
    expect(report.numFailedTests, ran.stdout).toBe(0);
    const files = report.testResults.filter(({ assertionResults }) =>
      assertionResults.some(({ status }) => status === 'passed'),
    );
    // Every file of the suite but the calendar, which has fixed days, and the tests in its folders.
    const suite = readdirSync(join(copy, 'test/conformance/platforms'));
    expect(files).toHaveLength(suite.filter((name) => name.endsWith('.test.ts')).length + 1);
    expect(report.numPassedTests).toBeGreaterThan(90);
  });

  it.concurrent('has a queue that is worked, and gets its event', async ({ expect }) => {
    const probed = await run('test/architecture/new-platform-probe.ts', 'acme_ads');
    expect(probed, probed.stderr).toMatchObject({ code: 0 });
    const probe = JSON.parse(probed.stdout) as Probe;
    expect(probe).toMatchObject({ delivery: 'DELIVERED', received: ['purchase'] });
    expect(probe.workedQueues).toHaveLength(1);
  });

  it('appears in the generated reference', () => {
    const page = 'docs/reference/platforms/acme-ads.md';
    expect(changed(before, after)).toEqual(
      expect.arrayContaining(['docs/reference/consent.md', page, 'docs/reference/platforms/index.md']),
    );
    expect(after.get(page)).toContain('# Acme Ads');
    expect(after.get(page)).not.toContain('CHANGE');
    expect(after.get('docs/reference/platforms/index.md')).toContain('](acme-ads.md)');
    expect(after.get('docs/reference/consent.md')).toContain('\nAcme Ads | `ad_storage` |');
  });

  it('leaves nothing to generate', async () => {
    expect(await run('scripts/generate.ts', '--check')).toMatchObject({ code: 0 });
  });
});

describe('a name that cannot be one', () => {
  it.each([
    [['acme-ads'], 'there already'],
    [['meta'], 'there already'],
    [['Acme'], 'lowercase'],
    [['acme_ads'], 'lowercase'],
    [['1acme'], 'lowercase'],
    [['-acme'], 'lowercase'],
    [['acme--ads'], 'lowercase'],
    [['../acme'], 'lowercase'],
    [['default'], 'lowercase'],
    [['a'.repeat(41)], '40'],
    [['acme-utils'], 'names nothing'],
    [['acme', 'bravo'], 'One platform'],
    [[], 'new:platform'],
  ])('%j is refused before anything is written', async (names, sentence) => {
    const folders = () => FOLDERS.map((folder) => readdirSync(join(copy, folder, '..')));
    const listed = folders();
    const list = readFileSync(join(copy, LIST), 'utf8');
    const refused = await newPlatform(...names);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(sentence);
    expect(folders()).toEqual(listed);
    expect(readFileSync(join(copy, LIST), 'utf8')).toBe(list);
  });
});
