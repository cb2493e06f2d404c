// How much of the dashboard a browser loads, counted from the manifest of its build, in bytes after gzip.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly src?: string;
}

export interface Sizes {
  /** Scripts of the first page, before any page's own. */
  readonly initial: number;
  /** What each page adds to them, by its source. */
  readonly pages: ReadonlyMap<string, number>;
  readonly allScripts: number;
  readonly styles: readonly number[];
}

const KB = 1_000;
export const MAX_SIZES = { initial: 110 * KB, page: 25 * KB, all: 320 * KB, style: 15 * KB } as const;

export type Manifest = Readonly<Record<string, Chunk>>;

export const manifestOf = (built: string): Manifest =>
  JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Manifest;

/** Names of the chunk and of what it needs at once. */
export function withImports(manifest: Manifest, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name]?.imports ?? []) withImports(manifest, other, seen);
  return seen;
}

/** Names of the chunks that the page itself asks for, with what they need at once. */
export function initialOf(built: string, manifest = manifestOf(built)): Set<string> {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file);
  const seen = new Set<string>();
  for (const [name, { file }] of Object.entries(manifest))
    if (scripts.includes(file)) withImports(manifest, name, seen);
  if (seen.size === 0) throw new Error('the page asks for no script');
  return seen;
}

export function sizesOf(built: string): Sizes {
  const manifest = manifestOf(built);
  const size = (file: string): number => gzipSync(readFileSync(join(built, file)), { level: 9 }).byteLength;
  const bytesOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + size(manifest[name]?.file ?? ''), 0);
  const initial = initialOf(built, manifest);
  const names = Object.keys(manifest);
  const pages = names
    .filter((name) => name.startsWith('src/pages/'))
    .map((name): [string, number] => [
      name,
      bytesOf([...withImports(manifest, name)].filter((one) => !initial.has(one))),
    ]);
  const styles = Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : []));
  return {
    initial: bytesOf(initial),
    pages: new Map(pages),
    allScripts: bytesOf(names.filter((name) => manifest[name]?.file.endsWith('.js'))),
    styles: styles.map(size),
  };
}
