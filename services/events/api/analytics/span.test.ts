import { describe, expect, it } from 'vitest';
import { type Span, spanOf } from './span.ts';

const at = (text: string): number => Date.parse(text);
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const span = (input: Parameters<typeof spanOf>[0], now: string, zone?: string): Span => {
  const found = spanOf(input, at(now), zone);
  if ('failure' in found) throw new Error(found.failure);
  return found;
};

describe('a range of days', () => {
  it('is of days of the zone, of 23 and 25 hours where clocks change', () => {
    const spring = span({ range: '7d' }, '2026-03-31T09:00:00Z', 'Europe/Berlin');
    expect(spring.starts.map(iso)).toEqual([
      '2026-03-24T23:00',
      '2026-03-25T23:00',
      '2026-03-26T23:00',
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ]);
    expect(iso(spring.fromMs)).toBe('2026-03-24T23:00');
    const autumn = span({ range: '7d' }, '2026-10-26T09:00:00Z', 'Europe/Berlin');
    expect(autumn.starts.slice(-3).map(iso)).toEqual([
      '2026-10-23T22:00',
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ]);
  });

  it('is another day at one moment in zones far apart', () => {
    const [auckland, honolulu] = ['Pacific/Auckland', 'Pacific/Honolulu'].map((zone) =>
      iso(span({ range: '7d' }, '2026-06-10T11:30:00Z', zone).starts.at(-1) ?? 0),
    );
    expect([auckland, honolulu]).toEqual(['2026-06-09T12:00', '2026-06-10T10:00']);
  });

  it('is compared with as much of the days before: as long a part of the day that runs', () => {
    // Half past eleven in Berlin on the day after the clocks went forward.
    const { before } = span({ range: '7d' }, '2026-03-30T09:30:00Z', 'Europe/Berlin');
    expect([before.fromMs, before.toMs - 1].map(iso)).toEqual(['2026-03-16T23:00', '2026-03-23T10:30']);
  });

  it('ends its part before where the day before was shorter', () => {
    // The 25th hour of a day; the Sunday before has 24.
    const { before } = span({ range: '7d' }, '2026-10-25T22:30:00Z', 'Europe/Berlin');
    expect(iso(before.toMs)).toBe('2026-10-18T22:00');
  });

  it('takes the zone that is asked for in place of the merchant’s', () => {
    const asked = span({ range: '7d', time_zone: 'Asia/Kolkata' }, '2026-06-10T20:00:00Z', 'Europe/Berlin');
    expect([asked.zone, iso(asked.starts.at(-1) ?? 0)]).toEqual(['Asia/Kolkata', '2026-06-10T18:30']);
  });
});

describe('other ranges', () => {
  it('of 24 hours are those of UTC in every zone', () => {
    const hours = span({ range: '24h' }, '2026-06-10T20:10:00Z', 'Asia/Kolkata');
    expect([hours.interval, hours.starts.length, iso(hours.fromMs)]).toEqual([
      'hour',
      24,
      '2026-06-09T21:00',
    ]);
    expect(iso(hours.before.toMs)).toBe('2026-06-09T20:10');
  });

  it('of the caller’s are shown by day, the first and the last cut off', () => {
    const wish = { start: at('2026-06-01T12:00:00Z'), end: at('2026-06-04T12:00:00Z') };
    const own = span(wish, '2026-06-10T20:10:00Z', 'Asia/Tokyo');
    expect([own.fromMs, ...own.starts].map(iso)).toEqual([
      '2026-06-01T12:00',
      '2026-05-31T15:00',
      '2026-06-01T15:00',
      '2026-06-02T15:00',
      '2026-06-03T15:00',
    ]);
  });
});
