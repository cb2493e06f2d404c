// Goal: core knows no product, in words as in imports (.dependency-cruiser.mjs keeps the imports): products hand their codes,
// parts, documents and settings in.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './cruise.ts';

const OF_ONE_PRODUCT =
  /helpdesk|ticket|article|contact|workspace|ingest|pixel|browser[ _]?(?:ingestion|event|limit)|replays?_|reconcil|billing|stripe|checkout|event_id|purchase|shop/gi;

/** File → why it names products, or what is of one. */
const KNOWN: Readonly<Record<string, string>> = {
  'lib/core/tenancy/role.ts': 'a role opens several products, and rights are compared in each',
  'lib/core/record/define-kind.ts': 'the names of all tables: a kind must name one that exists',
};

const wordsIn = (text: string): readonly string[] =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, '').match(OF_ONE_PRODUCT) ?? [];

const files = globSync('lib/core/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('.test.ts') });
const naming = files.filter((path) => wordsIn(readFileSync(join(ROOT, path), 'utf8')).length > 0);

it('core holds no word of one product, but in files that are known for it', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(naming.sort()).toEqual(Object.keys(KNOWN).sort());
});

it.each([
  ["billing_not_configured: { status: 503, text: '' },", ['billing']],
  ["readonly part: 'helpdesk';", ['helpdesk']],
  ['// Said of a ticket.\nconst text = 1;', []],
])('finds them in code and in texts, and lets comments be: %s', (text, words) => {
  expect(wordsIn(text)).toEqual(words);
});
