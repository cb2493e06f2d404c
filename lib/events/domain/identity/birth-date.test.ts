import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_LOOKUPS as lookups } from '#test/support/no-lookups.ts';
import { birthDate } from './birth-date.ts';
import { normalizeIdentity } from './normalize.ts';

describe('birthDate', () => {
  const JANUARY_31 = [
    ...['19900131', '1990-01-31', '1990/01/31', '1990.01.31', '1990 01 31', '31.01.1990', '31/01/1990'],
    ...['1990-01-31T23:30:00Z', '1990-01-31 00:00:00', '1990-01-31T00:00:00.000+14:00', '31/01/1990 00:00'],
    ...['01/31/1990', '1-31-1990', '31 January 1990', '31st Jan. 1990', '31-Jan-1990', 'January 31, 1990'],
    ...['Jan 31 1990', '１９９０-０１-３１', '١٩٩٠-٠١-٣١'],
  ];
  it.each([
    ...JANUARY_31.map((text) => [text, '19900131'] as const),
    ['1990-1-3', '19900103'],
    ['3.4.1990', '19900403'],
    ['05/05/1990', '19900505'],
    ['Sept 9, 1990', '19900909'],
    ['may 1 1990', '19900501'],
    ['29.02.2000', '20000229'],
    ['1900-01-01', '19000101'],
    ['2099-12-31', '20991231'],
  ] as const)('reads %s', (text, expected) => {
    expect(birthDate(text)).toBe(expected);
  });

  const REFUSED = [
    ...['04/05/1990', '4-5-1990', '31.01.90', '90-01-31', '1990-02-29', '1900-02-29', '1990-13-01'],
    ...['1990-00-10', '1990-01-00', '1990-04-31', '13/13/1990', '0000-00-00', '1899-12-31', '2100-01-01'],
    ...['19901331', '01311990', '1990-01', '1990', '631152000', '31 Foo 1990', '31 Ja 1990', 'unknown'],
    ...['1990-01-31x', '1990-01-310', '1990-01-31\u0000'],
  ];
  it.each(REFUSED)('refuses %s', (text) => {
    expect(birthDate(text)).toBeNull();
  });
});

describe('date_of_birth', () => {
  it('is hashed as YYYYMMDD', () => {
    expect(normalizeIdentity({ date_of_birth: ' 1990-01-31 ' }, lookups)).toEqual({
      hashed: { dateOfBirth: hash('sha256', '19900131') },
      raw: {},
      plain: {},
      issues: [],
    });
  });

  it('is left out with an issue when impossible, and kept when hashed', () => {
    const bad = normalizeIdentity({ date_of_birth: '1990-02-30' }, lookups);
    expect(bad.hashed).toEqual({});
    expect(bad.issues).toEqual([{ field: 'date_of_birth', code: 'not_a_date' }]);
    const digest = hash('sha256', '19900131');
    expect(normalizeIdentity({ date_of_birth: digest }, lookups).hashed.dateOfBirth).toBe(digest);
  });

  it.each([
    ['2026-11-21', '2026-11-21T09:59:59.999Z', true],
    ['2026-11-22', '2026-11-21T09:59:59.999Z', false],
    ['2026-11-22', '2026-11-21T10:00:00.000Z', true],
    ['2026-12-01', '2026-11-21T10:00:00.000Z', false],
    ['2062-01-31', '2026-11-21T10:00:00.000Z', false],
  ])('%s, received at %s: kept is %s', (date_of_birth, received, kept) => {
    const { hashed, issues } = normalizeIdentity({ date_of_birth }, lookups, Date.parse(received));
    expect(hashed.dateOfBirth !== undefined).toBe(kept);
    expect(issues).toEqual(kept ? [] : [{ field: 'date_of_birth', code: 'not_a_date' }]);
  });
});
