// `npm run new:platform -- acme-ads`: a new platform that works, against its own sandbox: a folder each for the platform, its
// sandbox and its expectations, and one line in registered.ts. What has to be looked up at the vendor is marked CHANGE.
// Refuses a name that is no folder name, and a folder that is there already; then it has written nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyNames } from '../test/architecture/tidy.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const TEMPLATES = join(ROOT, 'scripts/new-platform');
/** Folder of templates → where the new folder goes. */
const TARGETS = {
  platform: 'lib/events/platforms',
  sandbox: 'services/local/sandbox/platforms',
  expectations: 'test/platforms',
} as const;
const LIST = join(ROOT, TARGETS.platform, 'registered.ts');
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** A queue is named after it, and the sandbox's faults take no longer one. */
const NAME_MAX_CHARS = 40;

/** Every spelling of a platform's name that the templates use. `acme-ads` is the folder, `acme_ads` the slug. */
function spellings(folder: string, nowMs: number): Readonly<Record<string, string>> {
  const words = folder.split('-');
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join('');
  return {
    folder,
    slug: words.join('_'),
    label: words.map(capital).join(' '),
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    CONSTANT: words.join('_').toUpperCase(),
    today: new Date(nowMs).toISOString().slice(0, 10),
  };
}

/** Why there can be no platform of this name; null = there can. */
function refusal(name: string | undefined): string | null {
  if (name === undefined) return 'Say how its folder is to be called: npm run new:platform -- acme-ads';
  if (!NAME.test(name) || name.length > NAME_MAX_CHARS || name === 'default')
    return `"${name}" is no name for a folder: lowercase words joined by "-", at most ${NAME_MAX_CHARS} characters, e.g. acme-ads.`;
  const [complaint] = emptyNames({ path: name, text: '' });
  if (complaint !== undefined) return `"${name}": ${complaint}.`;
  const taken = foldersOf(name).find((folder) => existsSync(join(ROOT, folder)));
  return taken === undefined ? null : `${taken} is there already.`;
}

const foldersOf = (name: string): readonly string[] =>
  Object.values(TARGETS).map((target) => `${target}/${name}`);

/** Paths of what was written, relative to the root. */
function write(folder: string): readonly string[] {
  const words = spellings(folder, Date.now());
  const files = Object.entries(TARGETS).flatMap(([kind, target]) =>
    readdirSync(join(TEMPLATES, kind)).map((template) => {
      const name = template.replace(/\.template$/, '').replace(/^platform\.test\./, `${folder}.test.`);
      const text = filled(readFileSync(join(TEMPLATES, kind, template), 'utf8'), words);
      return { path: `${target}/${folder}/${name}`, text };
    }),
  );
  for (const target of foldersOf(folder)) mkdirSync(join(ROOT, target));
  for (const { path, text } of files) writeFileSync(join(ROOT, path), text);
  writeFileSync(LIST, withLine(readFileSync(LIST, 'utf8'), folder, words.slug ?? folder));
  // Names differ in length: where lines break, and in which order imports stand, is for the formatter to say.
  execFileSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/@biomejs/biome/bin/biome'),
      'check',
      '--write',
      '--log-level=error',
      ...foldersOf(folder),
      LIST,
    ],
    { cwd: ROOT, stdio: 'pipe' },
  );
  return files.map(({ path }) => path).sort();
}

function filled(template: string, words: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{([a-zA-Z]+)\}\}/g, (_match, name: string) => {
    const word = words[name];
    if (word === undefined) throw new Error(`a template asks for ${name}`);
    return word;
  });
}

/** The list with one more line, in order of the folders; comments stay where they are. */
function withLine(list: string, folder: string, slug: string): string {
  const lines = list.split('\n');
  const folderOf = (line: string): string => /from '\.\/([^/']+)\//.exec(line)?.[1] ?? '';
  const next = lines.findIndex((line) => folderOf(line) > folder);
  const last = lines.findLastIndex((line) => folderOf(line) !== '');
  lines.splice(next < 0 ? last + 1 : next, 0, `export { default as ${slug} } from './${folder}/index.ts';`);
  return lines.join('\n');
}

function main(): void {
  const [name, ...more] = process.argv.slice(2);
  const problem = more.length > 0 ? 'One platform at a time.' : refusal(name);
  if (problem !== null || name === undefined) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  const files = write(name);
  // A process of its own: this one was started when the list had a line less.
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/generate.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    console.error(
      'The platform is written, its pages are not: what is above keeps them from being generated.',
    );
    process.exitCode = 1;
  }
  console.log(`${files.map((file) => `wrote ${file}`).join('\n')}
added a line to lib/events/platforms/registered.ts
generated its page, docs/reference/platforms/${name}.md, and its rows of the other pages

It works already, against a sandbox of its own. Now make it theirs:
  1. grep -rn CHANGE ${foldersOf(name).join(' ')}
                                                what to look up at the vendor; begin with README.md, expected.ts, examples.ts
  2. npm run generate && npx vitest run platforms/${name} test/conformance/platforms && npm run check
  3. npm start                                  connects it and shows what it received`);
}

if (import.meta.main) main();
