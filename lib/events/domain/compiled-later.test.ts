import { expect, it } from 'vitest';
import { compiledLater } from './compiled-later.ts';

it('reads plainly as often as was said, and compiles once', () => {
  let compilations = 0;
  const read = compiledLater(
    2,
    () => 'plain',
    () => {
      compilations += 1;
      return () => 'compiled';
    },
  );
  expect([1, 2, 3, 4].map(read)).toEqual(['plain', 'plain', 'compiled', 'compiled']);
  expect(compilations).toBe(1);
});

it('compiles nothing for few values', () => {
  const read = compiledLater<string>(
    3,
    () => 'plain',
    () => {
      throw new Error('compiled');
    },
  );
  expect([1, 2].map(read)).toEqual(['plain', 'plain']);
});
