import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isIp } from './ip.ts';

describe('isIp', () => {
  it.each([
    '203.0.113.7',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '1::',
    '2001:DB8::1',
    '::ffff:203.0.113.7',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:1.2.3.4',
  ])('takes %s', (text) => {
    expect(isIp(text)).toBe(true);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4:80',
    '[::1]',
    'fe80::1%eth0',
    '1.2.3.4, 5.6.7.8',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '12345::',
    'g::',
    '1.2.3.4 ',
    'localhost',
    '１.2.3.4',
  ])('refuses %j', (text) => {
    expect(isIp(text)).toBe(false);
  });

  it('agrees with node:net for addresses, broken addresses and anything of their letters', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('::', ':', '.', '0', '255', '256', 'ffff', '1', 'g', '01', '%', ' '),
        fc.ipV4(),
      ),
      { maxLength: 16 },
    );
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      pieces.map((parts) => parts.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(
        text,
        (candidate) => isIp(candidate) === (isIP(candidate) !== 0 && !candidate.includes('%')),
      ),
      { numRuns: 3_000, seed: 20_261_121 },
    );
  });
});
