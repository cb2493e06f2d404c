import { expect, it } from 'vitest';
import { PLATFORMS } from '../../platforms/registry.ts';
import { endingOf, servedVersions, versionOf, versionsOf } from './api-version.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const DAY = 86_400_000;
const api = { version: 'v2', docs: 'https://vendor.example', readOn: '2026-11-27' };
const platform = { api: { ...api, others: [{ version: 'v3' }, { version: 'v1', sunset: '2026-12-01' }] } };

it('is the platform’s own unless the connection names another that requests are made for', () => {
  const of = (apiVersion?: string) =>
    versionOf(platform, apiVersion === undefined ? undefined : { apiVersion }).version;
  expect([of(), of('v1'), of('v3'), of('v0'), of('__proto__'), of('')]).toEqual([
    'v2',
    'v1',
    'v3',
    'v2',
    'v2',
    'v2',
  ]);
  expect(versionOf({ api }, { apiVersion: 'v1' })).toEqual({ version: 'v2' });
});

it('is offered until the day it ends, the platform’s own in any case', () => {
  const at = (ms: number) => servedVersions(platform, ms).map(({ version }) => version);
  expect(at(NOW)).toEqual(['v2', 'v3', 'v1']);
  expect(at(Date.parse('2026-12-01'))).toEqual(['v2', 'v3']);
  expect(servedVersions({ api: { ...api, sunset: '2020-01-01' } }, NOW)).toHaveLength(1);
});

it.each([
  [undefined, undefined],
  ['2027-02-26', undefined],
  ['2027-02-25', 'version v1 ends on 2027-02-25, in 90 days'],
  ['2026-11-28', 'version v1 ends on 2026-11-28, in 1 days'],
  ['2026-11-27', 'version v1 ended on 2026-11-27'],
  ['2025-01-01', 'version v1 ended on 2025-01-01'],
])('that ends on %s: %s', (sunset, said) =>
  expect(endingOf({ version: 'v1', ...(sunset === undefined ? {} : { sunset }) }, NOW)).toBe(said),
);

it.each(PLATFORMS)('of $slug are told apart, and their ends are days', (one) => {
  const versions = versionsOf(one);
  expect(new Set(versions.map(({ version }) => version)).size).toBe(versions.length);
  for (const { sunset } of versions)
    if (sunset !== undefined) expect(new Date(sunset).toISOString().slice(0, 10)).toBe(sunset);
  expect(endingOf(versions[0] ?? { version: '' }, NOW + DAY)).toBeUndefined();
});
