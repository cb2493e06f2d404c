// Goal: rows counted together give the sum of their single counts, for any names and any order.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizedRow } from '#test/contract/stored-rows.ts';
import { EXAMPLE_ID_MAX_CHARS } from '../../domain/analytics/analytics.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import { countEvents } from './count-events.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const some = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const drawn = fc.record({
  // Names and sources that would be taken for one another if they were only put side by side.
  event: fc.record({
    name: fc.constantFrom('Purchase', 'a', 'a/b', 'constructor', '__proto__', ''),
    source: fc.constantFrom('server', '/b', 'b', 'toString', '__proto__'),
    currency: some('EUR', 'JPY', 'KWD'),
    value: some('0', '10', '0.005', '99999999999999999999.99'),
    known: fc.subarray(['email', 'phone', 'fbp', 'client_ip', 'click_id'] as const),
    issues: fc.subarray([
      { field: 'zip', code: 'zip_plus_four' },
      { field: 'constructor', code: 'unknown_property' },
    ] as const),
    fromPage: some(['fbp', 'fbc'], ['client_ip']),
    fromEarlier: some(['gclid']),
    pageWait: some({ endMs: 2_100, pageMs: 2_000 }, { endMs: 10_050 }),
    credit: some({ touch: 'meta' }, { touch: '__proto__', unlinked: true }, { touch: 'meta', repeat: true }),
    bot: some(true),
    replay: some(true),
  }),
  second: fc.integer({ min: 0, max: 3 }),
  id: fc.constantFrom('e', 'e', 'constructor', 'e'.repeat(EXAMPLE_ID_MAX_CHARS + 1)),
});

const rowOf = ({ event, second, id }: typeof drawn extends fc.Arbitrary<infer T> ? T : never, at: number) => {
  const row = normalizedRow({
    merchantId: 'm',
    eventId: id.length > 20 ? id : `${id}${at}`,
    receivedAtMs: START_MS + second,
  });
  const said = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
  const { value: _v, currency: _c, ...bare } = row.event;
  return { ...row, event: { ...bare, ...said } } as NormalizedRow;
};

it('counts any rows for the sum of what each counts for', () => {
  fc.assert(
    fc.property(
      fc.array(drawn, { maxLength: 12 }),
      fc.array(fc.nat(11), { maxLength: 20 }),
      (kinds, again) => {
        // Rows that are alike are what this is about: each kind comes more than once.
        const more = again.flatMap((at) => kinds[at] ?? []);
        const rows = [...kinds, ...more].map(rowOf);
        expect(countEvents(rows)).toEqual(sumCounters(rows.map((row) => countEvents([row]))));
      },
    ),
    { numRuns: 500 },
  );
});

it.each([
  ['with a click id', {}, { known: ['click_id'] }, { orders: 1, clicked: 1, gained: 0 }],
  [
    'that gained one',
    {},
    { known: ['click_id'], fromPage: ['fbp', 'gclid'] },
    { orders: 1, clicked: 1, gained: 1 },
  ],
  [
    'that gained a cookie',
    {},
    { known: [], fromPage: ['fbp', 'client_ip'] },
    { orders: 1, clicked: 0, gained: 0 },
  ],
  [
    'joined with one',
    {},
    { known: [], fromEarlier: ['gclid'] },
    { orders: 1, clicked: 1, gained: 0, joined: 1 },
  ],
  [
    'joined with one beside its own',
    {},
    { known: ['click_id'], fromEarlier: ['gclid'] },
    { orders: 1, clicked: 1, gained: 0 },
  ],
  ['of a page', { channel: 'browser' as const }, { known: ['click_id'] }, undefined],
  ['that is none', {}, { name: 'Lead', known: ['click_id'] }, undefined],
])('counts clicks of an order %s', (_, draft, said, expected) => {
  const row = normalizedRow({ eventId: 'e', ...draft });
  const event = { ...row.event, ...said } as NormalizedRow['event'];
  expect(countEvents([{ ...row, event }]).serverOrders).toEqual(expected);
});

it.each([
  [
    'that its page completed',
    { endMs: 3_040, pageMs: 2_001 },
    { orders: 1, sumMs: 3_040, completed: { 3: 1 } },
  ],
  ['that no page completed', { endMs: 10_010 }, { orders: 1, sumMs: 10_010, completed: {} }],
  [
    'whose end was late',
    { endMs: 900_000, pageMs: 800_000 },
    { orders: 1, sumMs: 900_000, completed: { 60: 1 } },
  ],
  ['that did not wait', undefined, undefined],
])('counts the wait of an order %s', (_, pageWait, expected) => {
  const row = normalizedRow({ eventId: 'e' });
  const event = { ...row.event, ...(pageWait === undefined ? {} : { pageWait }) };
  expect(countEvents([{ ...row, event }]).pageWaits).toEqual(expected);
});
