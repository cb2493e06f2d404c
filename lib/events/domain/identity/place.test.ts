import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { IdentityLookups } from './lookups.ts';
import { normalizeIdentity } from './normalize.ts';

const COUNTRIES: Readonly<Record<string, string>> = {
  us: 'US',
  'united states': 'US',
  gb: 'GB',
  br: 'BR',
  pr: 'PR',
  germany: 'DE',
};
const REGIONS: Readonly<Record<string, string>> = {
  'US:california': 'CA',
  'US:ca': 'CA',
  'US:dc': 'DC',
  'GB:lnd': 'LND',
  'BR:são paulo': 'SP',
};
const lookups: IdentityLookups = {
  nationalPhone: () => null,
  countryCode: (name) => COUNTRIES[name.toLowerCase()] ?? null,
  regionCode: (name, country) => REGIONS[`${country}:${name.toLowerCase()}`] ?? null,
};
const sha = (text: string) => hash('sha256', text);

describe('country', () => {
  it.each([
    ['US', 'US'],
    [' us ', 'US'],
    ['United States', 'US'],
    ['Germany', 'DE'],
  ])('%s', (country, code) => {
    expect(normalizeIdentity({ country }, lookups)).toEqual({
      hashed: { country: sha(code.toLowerCase()) },
      raw: {},
      plain: { country: code },
      issues: [],
    });
  });

  it('is left out when no table knows it', () => {
    const { hashed, plain, issues } = normalizeIdentity({ country: 'Atlantis' }, lookups);
    expect([hashed, plain, issues]).toEqual([{}, {}, [{ field: 'country', code: 'unknown_country' }]]);
  });
});

describe('state', () => {
  it.each([
    ['CA', 'US', 'CA'],
    ['California', 'US', 'CA'],
    ['California', undefined, 'CA'],
    ['us-ca', 'US', 'CA'],
    ['US-CA', undefined, 'CA'],
    ['gb-lnd', undefined, 'LND'],
    ['São Paulo', 'BR', 'SP'],
    ['LND', 'GB', 'LND'],
    ['xyz', 'GB', 'XYZ'],
    ['NSW', undefined, 'NSW'],
  ])('%s in %s', (state, country, code) => {
    const { hashed, plain, issues } = normalizeIdentity({ state, country }, lookups);
    const digest = sha(code.toLowerCase());
    expect([hashed.state, hashed.stateAlnum, plain.region]).toEqual([digest, digest, code]);
    expect(issues).toEqual([]);
  });

  it.each([
    ['Atlantis', 'US', 'atlantis'],
    ['ZZ', 'US', 'zz'],
    ['US-ZZ', 'US', 'uszz'],
    ['Île-de-France', undefined, 'ledefrance'],
    ['US-CA', 'GB', 'usca'],
  ])('%s in %s has no code', (state, country, alnum) => {
    const { hashed, plain, issues } = normalizeIdentity({ state, country }, lookups);
    expect([hashed.state, hashed.stateAlnum, plain.region]).toEqual([undefined, sha(alnum), undefined]);
    expect(issues).toEqual([{ field: 'state', code: 'unknown_state' }]);
  });
});

describe('city', () => {
  it.each([
    ['Menlo Park', 'menlopark', 'menlopark'],
    ['Washington, D.C.', 'washingtondc', 'washingtondc'],
    ['São Paulo', 'sãopaulo', 'sopaulo'],
    ['Sa\u0303o Paulo', 's\u00e3opaulo', 'sopaulo'],
    ['東京', '東京', undefined],
    ['Stanley Park 1234', 'stanleypark1234', 'stanleypark1234'],
  ])('%s', (city, form, alnum) => {
    const { hashed, plain, issues } = normalizeIdentity({ city }, lookups);
    expect([hashed.city, hashed.cityAlnum]).toEqual([sha(form), alnum && sha(alnum)]);
    expect(plain.city).toBe(city);
    expect(issues).toEqual([]);
  });
});

describe('postal code', () => {
  it.each([
    ['94025', 'US', '94025', []],
    ['94025-1234', 'US', '94025', ['zip_plus_four']],
    ['940251234', 'US', '94025', ['zip_plus_four']],
    ['94 025 - 1234', 'US', '94025', ['zip_plus_four']],
    ['94025\u20131234', 'US', '94025', ['zip_plus_four']],
    ['94025-1234', undefined, '94025', ['zip_plus_four']],
    ['00901-0001', 'PR', '00901', ['zip_plus_four']],
    ['12345-1234', 'BR', '123451234', []],
    ['01310-100', 'BR', '01310100', []],
    ['SW1A 1AA', 'GB', 'sw1a1aa', []],
    ['H0H 0H0', undefined, 'h0h0h0', []],
    ['940251234', undefined, '940251234', []],
    ['１００', undefined, '100', []],
  ])('%s in %s', (zip, country, form, codes) => {
    const { hashed, plain, issues } = normalizeIdentity({ zip, country }, lookups);
    expect(hashed.postalCode).toBe(sha(form));
    expect(plain.postalCode).toBe(zip);
    expect(issues).toEqual(codes.map((code) => ({ field: 'zip', code })));
  });

  it.each([
    ['940', 'US'],
    ['SW1A 1AA', 'US'],
    ['A', undefined],
    ['- -', undefined],
  ])('refuses %s in %s', (zip, country) => {
    const { hashed, issues } = normalizeIdentity({ zip, country }, lookups);
    expect(hashed.postalCode).toBeUndefined();
    expect(issues).toEqual([{ field: 'zip', code: 'malformed' }]);
  });

  it('is postal_code where zip says nothing, and zip where both do', () => {
    const of = (zip: string) => normalizeIdentity({ zip, postal_code: '94025' }, lookups).hashed.postalCode;
    expect([of(' '), of('10001')]).toEqual([sha('94025'), sha('10001')]);
  });
});

describe('a postal code as spreadsheets and letters have it', () => {
  it.each([
    ['2134', 'US', '02134'],
    ['601', 'PR', '00601'],
    ['601', 'US', null],
    ['1067', 'Germany', '01067'],
    ['D-10115', 'Germany', '10115'],
    ['d-1067', 'Germany', '01067'],
    ['DE-10115', 'Germany', '10115'],
    ['F-10115', 'Germany', 'f10115'],
    ['1067', 'GB', '1067'],
    ['1067', undefined, '1067'],
    ['134', 'Germany', '134'],
  ])('%s in %s', (zip, country, code) => {
    const user = { zip, ...(country === undefined ? {} : { country }) };
    const { hashed, issues } = normalizeIdentity(user, lookups);
    expect(hashed.postalCode).toBe(code === null ? undefined : sha(code));
    const isChanged = code !== zip.toLowerCase().replace('-', '');
    expect(issues.filter(({ field }) => field === 'zip').map(({ code: noted }) => noted)).toEqual(
      isChanged ? ['malformed'] : [],
    );
  });

  it('reads a country whose name was turned around for a list', () => {
    expect(normalizeIdentity({ country: 'States, United' }, lookups).hashed.country).toBe(sha('us'));
    expect(normalizeIdentity({ country: 'States, United, of' }, lookups).hashed.country).toBeUndefined();
  });
});
