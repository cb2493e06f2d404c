// Goal: a wall clock's time is the right moment, on every day and in every zone. Method: known changes of clocks, and every
// half hour of a year in zones with odd rules, there and back.
import { describe, expect, it } from 'vitest';
import { isKnownZone, momentOf, wallTimeOf } from './wall-clock.ts';

const wall = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute };
};
const at = (text: string, zone: string): string => momentOf(wall(text), zone).toISOString().slice(0, 16);

describe('a time on the wall', () => {
  it.each([
    ['Europe/Berlin', '2026-01-15 09:00', '2026-01-15T08:00'],
    ['Europe/Berlin', '2026-03-29 01:59', '2026-03-29T00:59'],
    // Left out: 02:30 is 03:30.
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30'],
    ['Europe/Berlin', '2026-03-29 03:00', '2026-03-29T01:00'],
    // Twice: the first time.
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30'],
    ['Europe/Berlin', '2026-10-25 09:00', '2026-10-25T08:00'],
    ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30'],
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30'],
    ['Asia/Kolkata', '2026-06-01 09:00', '2026-06-01T03:30'],
    ['Asia/Kathmandu', '2026-06-01 09:00', '2026-06-01T03:15'],
    // Half an hour only.
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45'],
    ['Pacific/Auckland', '2026-01-01 00:00', '2025-12-31T11:00'],
    // A day that was left out.
    ['Pacific/Apia', '2011-12-30 09:00', '2011-12-30T19:00'],
    ['UTC', '2028-02-29 23:59', '2028-02-29T23:59'],
    // What is too much moves on.
    ['UTC', '2026-02-30 09:00', '2026-03-02T09:00'],
  ])('of %s, %s', (zone, text, expected) => {
    expect(at(text, zone)).toBe(expected);
  });

  it.each([
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/Santiago',
  ])('is the moment it was read at, in %s: every half hour of a year', (zone) => {
    const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
    const wrong: string[] = [];
    let twice = 0;
    for (let ms = from; ms < to; ms += 1_800_000) {
      const back = momentOf(wallTimeOf(new Date(ms), zone), zone).getTime();
      if (back === ms) continue;
      twice += 1;
      // The second time around, the first is meant.
      if (back > ms || ms - back > 3_600_000) wrong.push(new Date(ms).toISOString());
    }
    expect(wrong).toEqual([]);
    expect(twice).toBeGreaterThan(0);
    expect(twice).toBeLessThan(5);
  });

  it('is not known of a zone that is none', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isKnownZone)).toEqual([true, true, false, false]);
  });
});
