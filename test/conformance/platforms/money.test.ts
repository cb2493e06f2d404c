// Money, from the digits a shop sends to the digits a platform reads: exact for currencies of 0, 2 and 3 decimals, up to
// the largest amounts, in the type the vendor documents. Where each amount goes is written in `expected.ts`, by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AmountForm, ExpectedItems, ExpectedMoney } from '#test/platforms/platform-expectations.ts';
import { CURRENCY_DIGITS, minorOf } from './arbitrary-event.ts';
import { loadPlatformModules } from './platform-modules.ts';
import { fromWire, type Sent, sentTo } from './wire-event.ts';

const modules = await loadPlatformModules();
const RUNS = { numRuns: 120, seed: 20_261_121 };

const decimal = (digits: number, max: bigint) =>
  fc.bigInt({ min: 0n, max }).map((minor) => {
    const text = minor.toString().padStart(digits + 1, '0');
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  });

/** Up to the fifteen digits a JSON number keeps exactly. */
const LARGEST = 999_999_999_999_999n;
const purchase = fc
  .constantFrom(...(Object.entries(CURRENCY_DIGITS) as [string, number][]))
  .chain(([currency, digits]) =>
    fc.record({
      currency: fc.constant(currency),
      value: fc.oneof(decimal(digits, 99_999n), decimal(digits, LARGEST)),
      orderId: fc.oneof(
        fc.stringMatching(/^[A-Za-z0-9_]{1,40}$/),
        fc.constantFrom('0042', '1e3', '9007199254740993', '№ 7/ü', '00000000000000000001'),
      ),
      items: fc.array(
        fc.record({
          id: fc.stringMatching(/^[A-Za-z0-9-]{1,20}$/),
          quantity: fc.constantFrom('1', '2', '12', '100000', '0.5', '1.25'),
          price: fc.oneof(decimal(digits, 99_999n), decimal(digits, LARGEST)),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  );
type Purchase = typeof purchase extends fc.Arbitrary<infer P> ? P : never;

/** Digits go into the text as they are: no number of ours is between the shop and the schema. */
function wire({ value, currency, orderId, items: lines }: Purchase): string {
  const list = lines.map(
    ({ id, quantity, price }) => `{"id":"${id}","quantity":${quantity},"price":${price}}`,
  );
  return `{"event_id":"order-1","event_name":"Purchase","event_time":1795176000,"value":${value},"currency":"${currency}",
    "order_id":${JSON.stringify(orderId)},"items":[${list}],"event_source_url":"https://shop.example/thanks",
    "user_data":{"email":"jane@example.com","client_ip":"203.0.113.7","user_agent":"Mozilla/5.0 (X11; Linux x86_64)","browser_ids":{"irclickid":"click-1"}}}`;
}

/** 10.50 and 10.5 are one amount. */
const amount = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const inForm = (text: string, form: AmountForm, currency: string): string => {
  if (form === 'minor') return minorOf(text, currency);
  return form === 'text' ? JSON.stringify(amount(text)) : amount(text);
};
const at = (sent: readonly Sent[], path: string): string[] =>
  sent.filter((entry) => entry.path === path).map(({ source }) => source);
const isWhole = (quantity: string): boolean => !quantity.includes('.');

function expectItems(sent: readonly Sent[], drawn: Purchase, paths: ExpectedItems): void {
  const lines =
    paths.whole === 'no items' && !drawn.items.every(({ quantity }) => isWhole(quantity)) ? [] : drawn.items;
  expect(at(sent, paths.id)).toEqual(lines.map(({ id }) => JSON.stringify(id)));
  expect(at(sent, paths.price)).toEqual(
    lines.map(({ price }) => inForm(price, paths.priceForm, drawn.currency)),
  );
  const counted = paths.whole === undefined ? lines : lines.filter(({ quantity }) => isWhole(quantity));
  expect(at(sent, paths.quantity)).toEqual(
    counted.map(({ quantity }) => inForm(quantity, paths.quantityForm, drawn.currency)),
  );
}

/** No amount that nobody sent, and none with an exponent. */
function expectNothingMade(sent: readonly Sent[], drawn: Purchase, { computed = [] }: ExpectedMoney): void {
  const given = [drawn.value, ...drawn.items.flatMap(({ quantity, price }) => [quantity, price])];
  const known = new Set(given.map(amount));
  for (const { path, source } of sent) {
    expect(source).not.toMatch(/^-?\d[\d.]*e/i);
    if (/^\d+\.\d+$/.test(source) && !computed.includes(path)) expect(known, path).toContain(source);
  }
}

describe.each(modules)('a purchase at $slug', (module) => {
  const paths = module.expected.money;

  it('has every amount, quantity and id digit for digit, in the form the vendor documents, and no other amount', () => {
    let sentOnes = 0;
    fc.assert(
      fc.property(purchase, (drawn) => {
        const sent = sentTo(module, fromWire(wire(drawn)));
        if (sent === null) return;
        sentOnes += 1;
        for (const path of paths.value)
          expect(at(sent, path)[0], path).toBe(inForm(drawn.value, paths.valueForm, drawn.currency));
        expect(new Set(at(sent, paths.currency))).toEqual(new Set([JSON.stringify(drawn.currency)]));
        if (paths.orderId !== null)
          expect(new Set(at(sent, paths.orderId))).toEqual(new Set([JSON.stringify(drawn.orderId)]));
        if (paths.items !== null) expectItems(sent, drawn, paths.items);
        expectNothingMade(sent, drawn, paths);
      }),
      RUNS,
    );
    expect(sentOnes).toBeGreaterThan(RUNS.numRuns / 2);
  });
});
