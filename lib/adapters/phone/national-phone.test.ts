import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { nationalPhone } from './national-phone.ts';

describe('nationalPhone', () => {
  it.each([
    ['6505551212', 'US', '+16505551212'],
    ['8005550100', 'US', '+18005550100'],
    ['16505551212', 'US', '+16505551212'],
    ['01144207183875', 'US', '+44207183875'],
    ['02071838750', 'GB', '+442071838750'],
    ['442071838750', 'GB', '+442071838750'],
    ['0301234567', 'DE', '+49301234567'],
    ['49301234567', 'DE', '+49301234567'],
    ['0669812345', 'IT', '+390669812345'],
    ['89161234567', 'RU', '+79161234567'],
    ['09012345678', 'JP', '+819012345678'],
    ['11961234567', 'BR', '+5511961234567'],
    // Possible in India by their length, but numbers of Mexico and Britain: the plus is missing.
    ['525512345678', 'IN', '+525512345678'],
    ['447911123456', 'IN', '+447911123456'],
    // A number of Poland or of Germany: where both can be, the local one.
    ['48512345678', 'DE', '+4948512345678'],
    // Not assigned by the tables, and no number of another country either: possible is enough.
    ['5551234567', 'US', '+15551234567'],
    ['+4402071838750', 'US', '+442071838750'],
    ['+4402071838750', '', '+442071838750'],
    ['+390669812345', 'DE', '+390669812345'],
  ])('%s in %s', (phone, country, e164) => {
    expect(nationalPhone(phone, country)).toBe(e164);
  });

  it.each([
    ['5551212', 'US'],
    ['123456123456123456123456', 'US'],
    ['6505551212', ''],
    ['6505551212', 'ZZ'],
    ['6505551212', '__proto__'],
    ['', 'US'],
    ['+', 'US'],
    ['+999', ''],
  ])('knows no %s in %s', (phone, country) => {
    expect(nationalPhone(phone, country)).toBeNull();
  });

  it('is total and answers in E.164', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 });
    const phone = fc.oneof(
      digits,
      digits.map((text) => `+${text}`),
      fc.string({ unit: ANY_CHARACTER }),
    );
    const country = fc.constantFrom('US', 'GB', 'DE', 'AQ', 'XK', 'ZZ', '');
    fc.assert(
      fc.property(phone, country, (text, code) => {
        const e164 = nationalPhone(text, code);
        return e164 === null || /^\+[1-9]\d{4,16}$/.test(e164);
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
  });
});
