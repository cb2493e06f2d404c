import { expect, it } from 'vitest';
import { takesGzip } from './packed-file.ts';

it.each([
  ['gzip', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=1.0, GZIP ; Q=0.2', true],
  ['x-gzip', true],
  ['*', true],
  ['*;q=0, gzip;q=1', true],
  ['*, gzip;q=0', false],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=no', false],
  ['br', false],
  ['identity', false],
  ['gzipped', false],
  [',,;', false],
  ['', false],
  [undefined, false],
])('%s: %s', (header, isTaken) => {
  expect(takesGzip(header)).toBe(isTaken);
});
