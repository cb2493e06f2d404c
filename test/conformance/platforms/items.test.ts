// The words of an item (name, brand, category, variant) go where the vendor takes them, from the wire on, and nowhere
// else.
import { describe, expect, it } from 'vitest';
import { loadPlatformModules } from './platform-modules.ts';
import { fromWire, sentTo } from './wire-event.ts';

const modules = await loadPlatformModules();

const WORDS = { name: 'Blue shirt', brand: 'Acme', category: 'Shirts', variant: 'XL' } as const;

const order = (words: object) =>
  fromWire(
    JSON.stringify({
      event_id: 'items-1',
      event_name: 'Purchase',
      event_time: 1_795_176_000,
      value: 59.98,
      currency: 'USD',
      order_id: '1001',
      items: [{ id: 'SKU-1', quantity: 2, price: 29.99, ...words }],
      event_source_url: 'https://shop.example/thank-you',
      user_data: {
        email: 'jane@example.com',
        country: 'US',
        client_ip: '203.0.113.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        browser_ids: { ga_client_id: '1.2' },
      },
    }),
  );

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
