import { expect, it } from 'vitest';
import { deprecationIn } from './deprecation.ts';

it.each([
  [{}, undefined],
  [{ deprecation: '' }, undefined],
  [{ deprecation: '@1688169599' }, 'deprecation: @1688169599'],
  [{ sunset: 'Wed, 11 Nov 2026 23:59:59 GMT' }, 'sunset: Wed, 11 Nov 2026 23:59:59 GMT'],
  [{ warning: '299 - "v1 ends"' }, 'warning: 299 - "v1 ends"'],
  [{ warning: '110 - "Response is Stale"' }, undefined],
  [{ warning: '2990 -' }, undefined],
  [{ 'x-ad-api-version-warning': 'v25.0 ends' }, 'x-ad-api-version-warning: v25.0 ends'],
  [{ constructor: 'x', 'content-type': 'deprecation' }, undefined],
])('%j says %s', (headers, said) => expect(deprecationIn(headers as Record<string, string>)).toBe(said));

it('says nothing personal, and little', () => {
  const said = deprecationIn({ deprecation: `for ann@shop.example\r\n${'x '.repeat(50_000)}` }) ?? '';
  expect(said).toContain('[email]');
  expect(said).not.toMatch(/[\r\n]|ann@/);
  expect(said.length).toBeLessThanOrEqual(200);
});
