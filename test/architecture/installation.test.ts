// Promise: installing runs no script but those that were decided on, and none that reports the installation to others.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Manifest {
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scarfSettings?: { readonly enabled: boolean };
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

it('names every package with a script of its own, and says whether it may run', () => {
  const { packages } = read<Lock>('package-lock.json');
  const { allowScripts } = read<Manifest>('package.json');
  const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript = false }]) =>
    hasInstallScript ? [nameOf(path)] : [],
  );
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort());
});

it('reports no installation', () => {
  const { allowScripts, scarfSettings } = read<Manifest>('package.json');
  // For npm that knows `allowScripts`, and for npm that runs the script all the same.
  expect([allowScripts['@scarf/scarf'], scarfSettings]).toEqual([false, { enabled: false }]);
});
