// Goal: the look is made of tokens, and nothing of a page becomes markup. Method: the sources, as text.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HELPDESK_ROUTE_TABLE } from '#lib/client/helpdesk-route-table.ts';
import { ROUTE_TABLE } from '#lib/client/route-table.ts';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((path) => ({
  path,
  text: readFileSync(join(SOURCE, path), 'utf8'),
}));

const found = (pattern: RegExp): string[] =>
  files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${match}`));

/** Inside a class name: a value that is no token. */
const ARBITRARY = /(?<=["'`\s])(?:[a-z]+:)*-?[a-z][a-z-]*-\[[^\]\s]+\]/g;
const MARKUP = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function/g;

describe('the sources of the pages', () => {
  it('were read', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it('have values of the theme only', () => {
    expect(found(ARBITRARY)).toEqual([]);
    expect('className="w-[3px] md:grid-cols-[1fr_2fr]"'.match(ARBITRARY)).toHaveLength(2);
  });

  it('make no markup of text, and no code', () => {
    expect(found(MARKUP)).toEqual([]);
  });

  it('call operations that there are', () => {
    const ids = new Set(ROUTE_TABLE.map(([id]) => id));
    const called = new Set(found(/(?<=\bclient\.)\w+(?=\()/g).map((one) => one.split(': ')[1] ?? ''));
    expect(called.size).toBeGreaterThan(10);
    expect([...called].filter((id) => !ids.has(id))).toEqual([]);
  });

  it('call operations of the helpdesk that a session may call', () => {
    const paths = new Map(HELPDESK_ROUTE_TABLE.map(([id, , path]) => [id, path]));
    const called = new Set(found(/(?<=\bhelpdesk\.)\w+(?=\()/g).map((one) => one.split(': ')[1] ?? ''));
    expect(called.size).toBeGreaterThan(10);
    expect([...called].filter((id) => !paths.get(id)?.startsWith('/api/v1/'))).toEqual([]);
  });

  it('know each page’s path, key and operation once', async () => {
    const text = files.find(({ path }) => path === 'app/pages.ts')?.text ?? '';
    for (const pattern of [/path: '([^']+)'/g, /key: '([^']+)'/g]) {
      const values = [...text.matchAll(pattern)].map(([, value]) => value);
      expect(values.length).toBeGreaterThan(5);
      expect(new Set(values).size).toBe(values.length);
    }
    const needed = [...text.matchAll(/needs: '([^']+)'/g)].map(([, id]) => id);
    expect(
      needed.filter((id) => ![...ROUTE_TABLE, ...HELPDESK_ROUTE_TABLE].some(([known]) => known === id)),
    ).toEqual([]);
  });
});
