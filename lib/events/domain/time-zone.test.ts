import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/work/time-slot.ts';
import { SPARSE_BUCKET_MS } from './shard.ts';
import { dayAfter, dayIn, dayStarts, startOfDay, zoneNamed } from './time-zone.ts';

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

describe('names of zones', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['UTC', 'UTC'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['+02:00', undefined],
    ['Berlin', undefined],
    ['Europe/Berlin ', undefined],
    ['', undefined],
  ])('%j is %j', (name, zone) => {
    expect(zoneNamed(name)).toBe(zone);
  });
});

describe('the start of a day', () => {
  it.each([
    ['UTC', '2026-03-29', '2026-03-29T00:00'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00'],
    ['America/New_York', '2026-07-01', '2026-07-01T04:00'],
    ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30'],
    ['Pacific/Auckland', '2026-01-15', '2026-01-14T11:00'],
    // Quarter hours: at the ten minutes that hold it.
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:10'],
    ['Pacific/Chatham', '2026-01-15', '2026-01-14T10:10'],
    // Clocks go forward at midnight: the day begins with one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00'],
    // Clocks go back at one to midnight: it has begun the first time. And at midnight to eleven: it has not begun.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00'],
    ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00'],
    // Clocks move by half an hour.
    ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30'],
  ])('in %s of %s is %s', (zone, day, start) => {
    expect(iso(startOfDay(zone, day))).toBe(start);
  });

  it('is of 23 and of 25 hours where clocks change', () => {
    const hours = (day: string) =>
      (startOfDay('Europe/Berlin', dayAfter(day, 1)) - startOfDay('Europe/Berlin', day)) / HOUR_MS;
    expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25]);
  });

  it('throws for what is no zone, rather than taking UTC', () => {
    expect(() => startOfDay('Nowhere/City', '2026-01-01')).toThrow(RangeError);
  });
});

describe('the days of two years', () => {
  const [from, to] = [Date.UTC(2025, 0, 1), Date.UTC(2027, 0, 1)];

  const odd = [
    'Africa/Casablanca',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
  ];
  const some = Intl.supportedValuesOf('timeZone').filter((_, i) => i % 10 === 0);

  it.each([...odd, ...some])('of %s follow each other, and each knows its moments', (zone) => {
    const starts = dayStarts(zone, from, to);
    expect(starts.length).toBeGreaterThanOrEqual(730);
    for (const [i, startMs] of starts.entries()) {
      const endMs = starts[i + 1] ?? startMs + DAY_MS;
      expect(startMs % SPARSE_BUCKET_MS).toBe(0);
      expect(endMs - startMs).toBeGreaterThanOrEqual(22 * HOUR_MS);
      expect(endMs - startMs).toBeLessThanOrEqual(26 * HOUR_MS);
      if (i % 60 !== 0 && endMs - startMs === DAY_MS) continue;
      const day = dayIn(zone, startMs);
      expect([dayIn(zone, endMs - MINUTE_MS), dayIn(zone, startMs - 1)]).toEqual([day, dayAfter(day, -1)]);
    }
  });
});
