// Goal: what package.json and the continuous integration promise exists. A script whose file is gone shows up here, not on
// the day somebody needs it.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './cruise.ts';
import { differences, type Lockfile, missingOptionals } from './lockfile.ts';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scarfSettings?: { readonly enabled: boolean };
};
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile;
const scripts = Object.entries(manifest.scripts);
const ciText = readFileSync(join(ROOT, '.ci/run'), 'utf8');

describe('package.json', () => {
  it.each(
    scripts.flatMap(([name, command]) =>
      [...command.matchAll(/\bnode (\S+)/g)].map(([, file]) => [name, file ?? '']),
    ),
  )('%s runs %s, which exists', (_name, file) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
  });

  it.each(
    scripts.flatMap(([name, command]) =>
      [...command.matchAll(/npm run (\S+)/g)].map(([, other]) => [name, other ?? '']),
    ),
  )('%s calls %s, which is a script', (_name, other) => {
    expect(manifest.scripts).toHaveProperty(other);
  });

  it('lets the packages that must install something do so', () => {
    expect(manifest.devDependencies).toHaveProperty('node');
    expect(manifest.allowScripts).toMatchObject({ node: true, esbuild: true, '@swc/core': true });
  });

  it('names every package with a script of its own, and says whether it may run', () => {
    const scripted = Object.entries(lock.packages).flatMap(([path, { hasInstallScript = false }]) =>
      hasInstallScript ? [path.split('node_modules/').at(-1) ?? ''] : [],
    );
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(scripted)].sort());
  });

  it('reports no installation to others', () => {
    // For npm that knows `allowScripts`, and for npm that runs the script all the same.
    const { allowScripts, scarfSettings } = manifest;
    expect([allowScripts['@scarf/scarf'], scarfSettings]).toEqual([false, { enabled: false }]);
  });
});

describe('package-lock.json', () => {
  it('says what package.json says', () => {
    expect(differences(manifest, lock)).toEqual([]);
  });

  it('names the packages of every system', () => {
    expect(missingOptionals(lock)).toEqual([]);
  });

  it('is told apart from one that npm ci refuses', () => {
    const broken: Lockfile = {
      packages: {
        '': { dependencies: { a: '1.0.0' } },
        'node_modules/a': {
          optionalDependencies: { 'a-linux': '1.0.0', 'a-mac': '1.0.0', 'a-own': '1.0.0' },
        },
        'node_modules/a-linux': { version: '1.0.0' },
        'node_modules/a/node_modules/a-own': { version: '1.0.0' },
        'node_modules/b/node_modules/c': { optionalDependencies: { 'a-linux': '1.0.0', 'c-mac': '1.0.0' } },
      },
    };
    expect(missingOptionals(broken)).toEqual(['a: a-mac', 'c: c-mac']);
    expect(differences({ dependencies: { a: '1.0.1' }, devDependencies: { b: '2.0.0' } }, broken)).toEqual([
      'a: 1.0.1, 1.0.0',
      'b: 2.0.0, absent',
    ]);
  });
});

describe('.ci/run', () => {
  it('can be executed', () => {
    expect(statSync(join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111);
  });

  it.each([...ciText.matchAll(/\bnpm (?:run )?(\S+:\S+|check|test)\b/g)].map(([, name]) => name ?? ''))(
    'calls %s, which is a script',
    (name) => {
      expect(manifest.scripts).toHaveProperty(name);
    },
  );
});

describe('the documents', () => {
  it('name only scripts that exist', () => {
    const files = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: ROOT })];
    const named = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});
