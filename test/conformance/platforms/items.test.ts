// The words of an item (name, brand, category, variant) go where the vendor takes them, from the wire on, and nowhere
// else.
import { describe, expect, it } from 'vitest';
import { loadPlatformModules } from './platform-modules.ts';
import { ITEM, sentTo, wireOrder } from './wire-event.ts';

const modules = await loadPlatformModules();

const WORDS = { name: 'Blue shirt', brand: 'Acme', category: 'Shirts', variant: 'XL' } as const;

const order = (words: object) => wireOrder({ items: [{ ...ITEM, ...words }] });

describe.each(modules)('$slug', (module) => {
  const paths: Partial<Record<string, string>> = module.expected.money.items?.words ?? {};

  it.each(Object.entries(WORDS))('gets the %s of an item where it takes one', (word, text) => {
    const sent = sentTo(module, order({ [word]: ` ${text} ` })) ?? [];
    const at = sent.filter(({ source }) => source === JSON.stringify(text)).map(({ path }) => path);
    const path = paths[word];
    if (path === undefined) expect(at).toEqual([]);
    else expect(at).toContain(path);
  });

  it('gets nothing for words that are blank', () => {
    expect(sentTo(module, order({ name: ' ', brand: '', category: '\t' }))).toEqual(
      sentTo(module, order({})),
    );
  });
});
