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

it('digests what was said, whatever the order of its keys, before and after the schema is compiled', () => {
  const said = {
    ...GOOD,
    user_data: { email: 'a@b.example', phone: '+15550100', browser_ids: { fbp: 'fb.1.2.3', ttp: 't' } },
    items: [{ id: 'a', quantity: 1, price: 2 }],
    consent: { ad_storage: 'granted', analytics: 'denied' },
    value: 2,
    currency: 'EUR',
    custom_data: { b: { d: [{ z: 1, y: null }], c: 2 }, a: 'x', 10: 'ten', 9: 'nine' },
  };
  const shuffled = (value: unknown, turn: number): unknown => {
    if (Array.isArray(value)) return value.map((member) => shuffled(member, turn));
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).map(([key, member]) => [key, shuffled(member, turn)] as const);
    return Object.fromEntries([
      ...entries.slice(turn % entries.length),
      ...entries.slice(0, turn % entries.length),
    ]);
  };
  const digest = (value: unknown): string => {
    const read = readEvent(value, NOW_MS);
    if (!read.ok) throw new Error(JSON.stringify(read.details));
    return read.payloadHash;
  };
  const digests = Array.from({ length: 60 }, (_, turn) => digest(shuffled(said, turn)));
  expect(new Set(digests).size).toBe(1);
  const others = [
    { ...said, value: 3 },
    { ...said, user_data: { ...said.user_data, phone: '+15550101' } },
    { ...said, items: [{ id: 'a', quantity: 2, price: 2 }] },
    { ...said, consent: { ad_storage: 'granted' } },
    { ...said, custom_data: { ...said.custom_data, a: 'y' } },
    { ...said, custom_data: { ...said.custom_data, b: { d: [{ z: 1, y: 0 }], c: 2 } } },
  ].map(digest);
  expect(new Set([...others, digests[0]]).size).toBe(others.length + 1);
});
