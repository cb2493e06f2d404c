// Answers of the real API with every free text in them replaced by a hostile one. What the
// contract calls an enumeration stays, and so do times: those the API itself writes.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const CONTRACTS = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
const TEXTS = [
  '<img src=x onerror="alert(1)"><script>alert(2)</script><style>*{display:none}</style>',
  'javascript:alert(3)//',
  '\u202eegassem a ton\u2066 \u2067',
  '👩‍👩‍👧‍👦',
  'x'.repeat(200),
  ' ',
  'a very long word '.repeat(100),
  '__proto__',
];
const LONGEST = `${'long'.repeat(12_499)}last`;
/** Written by the API, and asked for by pages as they are. */
const OURS = /^(?:operations|cursor|next_cursor|fields)$/;

/** Every value that a schema lists. */
function enumerations(): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { enum: values, const: value } = node as { enum?: unknown; const?: unknown };
    for (const one of Array.isArray(values) ? values : [value]) if (typeof one === 'string') found.add(one);
    for (const child of Object.values(node)) walk(child);
  };
  for (const file of globSync('*openapi*.json', { cwd: CONTRACTS }))
    walk(JSON.parse(readFileSync(CONTRACTS + file, 'utf8')));
  if (found.size < 50) throw new Error(`only ${found.size} values are listed in ${CONTRACTS}*openapi*.json`);
  return found;
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d(?:T|$)/.test(text);

export interface HostileAnswers {
  /** How many texts were replaced. */
  replaced(): number;
}

/** From here on, for what the page reads; what it sends goes through as it is. */
export async function answerHostile(page: Page): Promise<HostileAnswers> {
  const listed = enumerations();
  let count = 0;
  const spoil = (value: unknown, name = ''): unknown => {
    if (OURS.test(name)) return value;
    if (typeof value === 'string') {
      if (listed.has(value) || isTime(value)) return value;
      count++;
      return count % 200 === 7 ? LONGEST : TEXTS[count % TEXTS.length];
    }
    if (Array.isArray(value)) return value.map((one) => spoil(one, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoil(one, key)]));
  };
  await page.route(/\/(?:v1|api)\//, async (route) => {
    if (route.request().method() !== 'GET') return await route.continue();
    const response = await route.fetch().catch(() => undefined);
    if (response === undefined) return await route.abort().catch(() => undefined);
    if (!/json/.test(response.headers()['content-type'] ?? '')) return await route.fulfill({ response });
    await route.fulfill({ response, json: spoil(await response.json()) });
  });
  return { replaced: () => count };
}
