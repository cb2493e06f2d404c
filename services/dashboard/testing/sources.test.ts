// Goal: the look is made of tokens, and nothing of a page becomes markup. Method: the sources, as text.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HELPDESK_ROUTE_TABLE } from '#lib/client/helpdesk-route-table.ts';
import { ROUTE_TABLE } from '#lib/client/route-table.ts';
import { PAGES } from '#test/support/dashboard/page-list.ts';

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

  it('call operations of the helpdesk that a session may call', () => {
    const paths = new Map(HELPDESK_ROUTE_TABLE.map(([id, , path]) => [id, path]));
    const calls = found(/(?<=\bhelpdesk\.)\w+(?=\()|(?<=\buseHelpdesk\(\s*')\w+/g);
    const called = new Set(calls.map((one) => one.split(': ')[1] ?? ''));
    expect(called.size).toBeGreaterThan(20);
    expect([...called].filter((id) => !paths.get(id)?.startsWith('/api/v1/'))).toEqual([]);
  });

  it('know each page’s path, key and operation once', () => {
    for (const name of ['path', 'key'] as const) {
      const values = PAGES.flatMap((page) => page[name] ?? []);
      expect(values.length).toBeGreaterThan(5);
      expect(new Set(values).size).toBe(values.length);
    }
    const known = new Set([...ROUTE_TABLE, ...HELPDESK_ROUTE_TABLE].map(([id]) => id));
    expect(PAGES.filter(({ needs }) => !known.has(needs))).toEqual([]);
  });
});
