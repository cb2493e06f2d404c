import { expect, it } from 'vitest';
import { readEvent } from './read-event.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const GOOD = {
  event_id: 'a',
  event_name: 'Lead',
  event_time: NOW_MS / 1_000,
  user_data: { email: 'a@b.example' },
};
const VALUES: readonly unknown[] = [
  GOOD,
  { ...GOOD, event_time: NOW_MS, value: 12.5, currency: 'EUR', unknown: 1 },
  { ...GOOD, user_data: { external_ids: ['x', null], browser_ids: { fbp: 'fb.1' }, other: true } },
  {
    ...GOOD,
    items: [
      { id: 'a', quantity: 1 },
      { id: '', quantity: 0 },
    ],
  },
  { ...GOOD, consent: { analytics: 'perhaps' }, user_data: { email: 5, external_ids: 'x' } },
  { ...GOOD, event_id: 'a\u0000', event_name: '  ', event_time: -1 },
  { ...GOOD, event_time: NOW_MS / 1_000 + 3_600 },
  { ...GOOD, value: Number.NaN, currency: 'XYZ' },
  { ...GOOD, custom_data: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
  JSON.parse('{"__proto__":{"event_id":"a"},"event_name":"Lead"}'),
  { event_name: 'Lead' },
  [GOOD],
  'event',
  null,
];

it('reads the first event, before the schema is compiled, as it reads every later one', () => {
  const first = VALUES.map((value) => readEvent(value, NOW_MS));
  expect(first.filter(({ ok }) => ok).length).toBeGreaterThan(2);
  expect(first.filter(({ ok }) => !ok).length).toBeGreaterThan(8);
  for (let i = 0; i < 40; i++) expect(readEvent(GOOD, NOW_MS)).toEqual(first[0]);
  expect(VALUES.map((value) => readEvent(value, NOW_MS))).toEqual(first);
});
