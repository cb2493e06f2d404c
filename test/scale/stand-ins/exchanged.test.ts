// A stand-in that lacks what a function imports ends every scenario before it begins, and no compiler sees it.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { EXCHANGED } from './exchanged.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const sources = globSync('{lib,services/{events,helpdesk,operator}}/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(ROOT + path, 'utf8'));

/** `import { one, type Two, three as four } from '…/module.ts'` → one, three. */
function importedFrom(module: string): readonly string[] {
  const name = module.slice(module.lastIndexOf('/', module.lastIndexOf('/') - 1));
  const imports = new RegExp(`import \\{([^}]+)\\} from '[^']*${name.replaceAll('.', '\\.')}'`, 'g');
  const parts = sources.flatMap((text) =>
    [...text.matchAll(imports)].flatMap(([, list = '']) => list.split(',')),
  );
  const values = parts.map((part) => part.trim()).filter((part) => part !== '' && !part.startsWith('type '));
  return [...new Set(values.map((part) => part.split(' as ')[0] ?? part))];
}

it.each(Object.entries(EXCHANGED))('%s: its stand-in has what is imported of it', async (module, standIn) => {
  const imported = importedFrom(module);
  expect(imported).not.toEqual([]);
  expect(Object.keys((await import(new URL(standIn, import.meta.url).href)) as object)).toEqual(
    expect.arrayContaining([...imported]),
  );
});
