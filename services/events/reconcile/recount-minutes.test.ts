import { expect, it } from 'vitest';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { differencesOf } from './recount-minutes.ts';

const KEY = { merchantId: 'm', grain: 'minute', startMs: 0 } as const;
const REFUSED = { ...EMPTY_COUNTERS, deliveries: { meta: { Purchase: { FAILED: 2 } } } };
const codes = (count: number) => ({ codes: { meta: { 'meta.190': count } } });
const found = (stored: object, counted: object) =>
  differencesOf(
    KEY,
    { key: KEY, version: 1, counters: { ...REFUSED, ...stored } },
    { ...REFUSED, ...counted },
  );

it('finds a code that is counted wrong, and says nothing of what an earlier release counted without codes', () => {
  expect(found(codes(2), codes(2))).toEqual([]);
  expect(found(codes(1), codes(2))).toEqual([
    { ...KEY, figure: 'codes.meta.meta.190', left: '1', right: '2' },
  ]);
  expect(found({}, codes(2))).toEqual([]);
  expect(found({ events: 1 }, codes(2))).toEqual([{ ...KEY, figure: 'events', left: '1', right: '0' }]);
});
