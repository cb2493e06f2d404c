import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { IdentityLookups } from './lookups.ts';
import { normalizeIdentity } from './normalize.ts';

/** Knows ten-digit US numbers, a trunk zero in the UK, and countries by code. */
const lookups: IdentityLookups = {
  nationalPhone: (phone, country) => {
    if (phone.startsWith('+440')) return `+44${phone.slice(4)}`;
    if (country === 'US' && /^\d{10}$/.test(phone)) return `+1${phone}`;
    if (country === 'GB' && /^0\d{10}$/.test(phone)) return `+44${phone.slice(1)}`;
    return null;
  },
  countryCode: (name) => name.toUpperCase(),
  regionCode: () => null,
};
const sha = (text: string) => hash('sha256', text);

/** Input, country, E.164. */
const KNOWN: readonly (readonly [string, string | undefined, string])[] = [
  ['+16505551212', undefined, '+16505551212'],
  ['+1 (650) 555-1212', undefined, '+16505551212'],
  ['+1.650.555.1212', 'GB', '+16505551212'],
  ['(+44) 20 7183 8750', undefined, '+442071838750'],
  ['0044 20 7183 8750', undefined, '+442071838750'],
  ['00 44 20 7183 8750', 'US', '+442071838750'],
  ['+0044 20 7183 8750', undefined, '+442071838750'],
  ['+44 (0)20 7183 8750', undefined, '+442071838750'],
  ['+44 020 7183 8750', 'US', '+442071838750'],
  ['+39 06 698 12345', undefined, '+390669812345'],
  ['tel:+1-650-555-1212', undefined, '+16505551212'],
  ['Phone: +1 650 555 1212', undefined, '+16505551212'],
  ['+1 650 555 1212 ext. 12', undefined, '+16505551212'],
  ['+1 650 555 1212 x12', undefined, '+16505551212'],
  ['+1 650 555 1212#12', undefined, '+16505551212'],
  ['+1 650 555 1212;ext=12', undefined, '+16505551212'],
  ['+1 650 555 1212,,12', undefined, '+16505551212'],
  ['+1 650 555 1212 home', undefined, '+16505551212'],
  ['+1 650 555 1212 +1 650 555 3434', undefined, '+16505551212'],
  ['+1 650 555 1212 доб. 5', undefined, '+16505551212'],
  ['\uff0b\uff11 650 555 1212', undefined, '+16505551212'],
  ['+١٦٥٠٥٥٥١٢١٢', undefined, '+16505551212'],
  ['\u202a+16505551212\u202c', undefined, '+16505551212'],
  ['+1\u00a0650\u2011555\u20111212', undefined, '+16505551212'],
  ['(650) 555-1212', 'us', '+16505551212'],
  ['020 7183 8750', 'gb', '+442071838750'],
  ['+6834001', undefined, '+6834001'],
  ['+123456789012345'.replace('+1', '+9'), undefined, '+923456789012345'],
];

describe('phone', () => {
  it.each(KNOWN)('%s in %s', (phone, country, e164) => {
    const { hashed, plain, issues } = normalizeIdentity({ phone, country }, lookups);
    expect(plain.phone).toBe(e164);
    expect(hashed.phoneE164).toBe(sha(e164));
    expect(hashed.phoneDigits).toBe(sha(e164.slice(1)));
    expect(issues).toEqual([]);
  });

  it.each([
    ['442071838750', undefined, '+442071838750'],
    ['44-20-7183-8750', 'US', '+442071838750'],
    ['44-12390821300A', undefined, '+4412390821300'],
  ])('assumes a country code in %s (country %s), with an issue', (phone, country, e164) => {
    const { hashed, plain, issues } = normalizeIdentity({ phone, country }, lookups);
    const digests = [sha(e164.slice(1)), sha(e164)];
    expect([hashed.phoneDigits, hashed.phoneE164, plain.phone]).toEqual([...digests, e164]);
    expect(issues).toEqual([{ field: 'phone', code: 'phone_without_country_code' }]);
  });

  it.each([
    ['510 555 0011', '5105550011'],
    ['07700 900123', '7700900123'],
    ['09012345678', '9012345678'],
    ['12345678901234', '12345678901234'],
    ['5550100', '5550100'],
    ['555-0100 ext. 5', '5550100'],
  ])('hashes the digits of %s and no E.164, the country being unknown', (phone, digits) => {
    const { hashed, plain, issues } = normalizeIdentity({ phone }, lookups);
    expect(hashed).toEqual({ phoneDigits: sha(digits) });
    expect(plain).toEqual({});
    expect(issues).toEqual([{ field: 'phone', code: 'phone_without_country_code' }]);
  });

  it.each([
    ['12345', undefined],
    ['+123456', undefined],
    ['+1650555121', undefined],
    ['+165055512123', undefined],
    ['+7495123456', undefined],
    ['0000000000', undefined],
    ['+0000000000', undefined],
    ['1234567890123456', undefined],
    ['+1234567890123456', undefined],
    ['no number', undefined],
    ['+', undefined],
    ['1-800-FLOWERS', undefined],
    ['1-800-555-ABCD', undefined],
    ['+1-800-555-ABCD', undefined],
    ['555-1212', 'US'],
    ['123456123456123456123456', 'US'],
  ])('refuses %s in %s', (phone, country) => {
    const { hashed, plain, issues } = normalizeIdentity({ phone, country }, lookups);
    expect([hashed.phoneDigits, hashed.phoneE164, plain.phone]).toEqual([undefined, undefined, undefined]);
    expect(issues).toEqual([{ field: 'phone', code: 'not_a_phone' }]);
  });

  it('reads the number abroad when the country was sent as a digest', () => {
    const { hashed } = normalizeIdentity({ phone: '650 555 1212', country: sha('us') }, lookups);
    expect(hashed).toEqual({ country: sha('us'), phoneDigits: sha('6505551212') });
  });
});
