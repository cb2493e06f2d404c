// The calendar of API versions, on fixed days.
import { describe, expect, it } from 'vitest';
import { interfacesOf } from '#lib/events/platforms/platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { driftOf } from '#scripts/check-platforms.ts';

const platform = (sunset: string | undefined, readOn = '2026-11-21') => ({
  slug: 'some',
  api: {
    version: '202511',
    docs: 'https://vendor.example',
    readOn,
    ...(sunset === undefined ? {} : { sunset }),
  },
});
const kinds = (sunset: string | undefined, today: string, readOn?: string) =>
  driftOf([platform(sunset, readOn)], today).map(({ kind }) => kind);

describe('a version', () => {
  it.each([
    ['has ended on its last day', '2026-11-16', '2026-11-16', ['ended']],
    ['has ended long after it', '2026-11-16', '2027-02-01', ['ended']],
    ['ends soon the day before', '2026-11-16', '2026-11-15', ['ends_soon']],
    ['ends soon ninety days before', '2027-02-19', '2026-11-21', ['ends_soon']],
    ['does not ninety-one days before', '2027-02-20', '2026-11-21', []],
    ['without an end never ends', undefined, '2026-11-21', []],
  ])('%s', (_what, sunset, today, expected) => {
    expect(kinds(sunset, today)).toEqual(expected);
  });

  it('says which one, until when, and how long that is', () => {
    const [drift] = driftOf([platform('2026-12-01')], '2026-11-21');
    expect(drift).toEqual({
      slug: 'some',
      kind: 'ends_soon',
      text: 'version 202511 ends on 2026-12-01, in 10 days',
    });
  });
});

describe('documentation', () => {
  it.each([
    ['a year ago is fresh', '2025-11-21', []],
    ['a day more is not', '2025-11-20', ['read_long_ago']],
  ])('read %s', (_what, readOn, expected) => {
    expect(kinds(undefined, '2026-11-21', readOn)).toEqual(expected);
  });

  it('is named beside an end that has passed', () => {
    expect(kinds('2026-01-01', '2026-11-21', '2024-01-01')).toEqual(['ended', 'read_long_ago']);
  });
});

describe('the platforms there are', () => {
  it('were all served, and lately read, on the day of their documentation', () => {
    for (const one of PLATFORMS.flatMap(interfacesOf))
      expect(driftOf([one], one.api.readOn), one.slug).toEqual([]);
  });

  it('have dates that are dates', () => {
    for (const { slug, api } of PLATFORMS.flatMap(interfacesOf))
      for (const date of [api.readOn, ...(api.sunset === undefined ? [] : [api.sunset])])
        expect(new Date(date).toISOString().slice(0, 10), slug).toBe(date);
  });

  it('do not hide an end: each is found on its day', () => {
    const ending = PLATFORMS.filter(({ api }) => api.sunset !== undefined);
    expect(ending).not.toHaveLength(0);
    for (const one of ending)
      expect(driftOf([one], one.api.sunset ?? '').map(({ kind }) => kind)).toContain('ended');
  });
});
