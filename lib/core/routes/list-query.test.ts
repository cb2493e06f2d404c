// Goal: nothing but plain digits in the range is taken, and what is taken is the number that was written.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { limitParam, offsetParam, pageParam, searchParam } from './list-query.ts';

const query = z.object({
  limit: limitParam(50, 100),
  offset: offsetParam(10_000),
  page: pageParam(200),
  search: searchParam(3),
});

it('has defaults, and none for the search', () => {
  expect(query.parse({})).toEqual({ limit: 50, offset: 0, page: 1, search: undefined });
});

it.each([
  ['limit', '0'],
  ['limit', '101'],
  ['offset', '10001'],
  ['page', '0'],
  ['page', '201'],
  ['search', 'aaaa'],
])('refuses %s=%s', (name, value) => {
  expect(query.safeParse({ [name]: value }).success).toBe(false);
});

it('takes what it takes as digits say it, and refuses any other text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.nat(120).map(String)), (text) => {
      const read = query.safeParse({ limit: text });
      const isInRange = /^[0-9]{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
      expect(read.success).toBe(isInRange);
      if (read.success) expect(read.data.limit).toBe(Number(text));
    }),
  );
});

it('takes a search without the spaces around it, in code points', () => {
  expect(query.parse({ search: '  \u{1f600}\u{1f600}a ' }).search).toBe('\u{1f600}\u{1f600}a');
  expect([query.parse({ search: '' }).search, query.parse({ search: ' ' }).search]).toEqual([
    undefined,
    undefined,
  ]);
});
