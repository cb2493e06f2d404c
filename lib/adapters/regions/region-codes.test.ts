import fc from 'fast-check';
import { iso31661, iso31662 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { COUNTRY_ALIASES, REGION_ALIASES } from './region-aliases.ts';
import { countryCode, regionCode } from './region-codes.ts';

describe('countryCode', () => {
  it.each([
    ['us', 'US'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['United States of America', 'US'],
    ['uk', 'GB'],
    ['Great Britain', 'GB'],
    ['germany', 'DE'],
    ['DEU', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['TÜRKİYE', 'TR'],
    ['Turkey', 'TR'],
    ['Bolivia', 'BO'],
    ['Iran', 'IR'],
    ['Taiwan', 'TW'],
    ['South Korea', 'KR'],
    ['Congo', 'CG'],
    ['Netherlands', 'NL'],
    ['US!', 'US'],
    ['xk', 'XK'],
  ])('%s', (name, code) => {
    expect(countryCode(name)).toBe(code);
  });

  it.each(['', '!', 'ZZ', 'EU', 'Atlantis', 'Korea', 'constructor', '__proto__'])('knows no %j', (name) => {
    expect(countryCode(name)).toBeNull();
  });

  it('knows every code of the standard as itself', () => {
    expect(iso31661.length).toBeGreaterThan(240);
    for (const { alpha2, alpha3, name } of iso31661) {
      expect([alpha2, alpha2.toLowerCase(), alpha3, name].map(countryCode)).toEqual(Array(4).fill(alpha2));
    }
  });
});

describe('regionCode', () => {
  it.each([
    ['ca', 'US', 'CA'],
    ['California', 'US', 'CA'],
    ['NORTH  CAROLINA', 'US', 'NC'],
    ['Washington', 'US', 'WA'],
    ['Washington, D.C.', 'US', 'DC'],
    ['District of Columbia', 'US', 'DC'],
    ['Puerto Rico', 'US', 'PR'],
    ['Québec', 'CA', 'QC'],
    ['new south wales', 'AU', 'NSW'],
    ['Sao Paulo', 'BR', 'SP'],
    ['Île-de-France', 'FR', 'IDF'],
    ['Bavaria', 'DE', 'BY'],
    ['Bayern', 'DE', 'BY'],
    ['Comunidad de Madrid', 'ES', 'MD'],
    ['Madrid', 'ES', 'M'],
    ['London', 'GB', 'LND'],
    ['13', 'JP', '13'],
    ['Tokyo', 'JP', '13'],
  ])('%s in %s', (name, country, code) => {
    expect(regionCode(name, country)).toBe(code);
  });

  it.each([
    ['', 'US'],
    ['ZZ', 'US'],
    ['California', 'CA'],
    ['CA', 'ZZ'],
    ['CA', ''],
    ['CA', '__proto__'],
    ['constructor', 'US'],
  ])('knows no %j in %j', (name, country) => {
    expect(regionCode(name, country)).toBeNull();
  });

  it('knows every code of the standard as itself', () => {
    expect(iso31662.length).toBeGreaterThan(4_500);
    for (const { code } of iso31662)
      expect(regionCode(code.slice(3).toLowerCase(), code.slice(0, 2))).toBe(code.slice(3));
  });

  it('has aliases only for codes that exist, and none that the standard has already', () => {
    const countries = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XK']);
    const regions = new Set(iso31662.map(({ code }) => code));
    for (const [, code] of COUNTRY_ALIASES) expect(countries).toContain(code);
    for (const [, code] of REGION_ALIASES) expect(regions).toContain(code);
  });

  it('is total', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), fc.string({ unit: ANY_CHARACTER }), (name, country) => {
        const answers = [countryCode(name), regionCode(name, country), regionCode(name, 'US')];
        return answers.every((answer) => answer === null || /^[A-Z0-9]{1,3}$/.test(answer));
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
  });
});
