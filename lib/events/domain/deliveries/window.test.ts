// Goal: whose limit ends a delivery, and when, for each platform's window, retention and change of the connection.
import { expect, it } from 'vitest';
import { deliveryWindow, overReason, retained } from './window.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_AGO_SEC = NOW / 1_000 - 3_600;
const of = (ageDays: number, over: Partial<Parameters<typeof deliveryWindow>[0]> = {}) => {
  const ageMaxSec = ageDays * 86_400;
  const { windowEndsAtMs, keptUntilMs } = deliveryWindow({
    eventTimeSec: HOUR_AGO_SEC,
    receivedAtMs: NOW,
    ageMaxSec,
    ...over,
  });
  return [(windowEndsAtMs - NOW) / DAY_MS, (keptUntilMs - NOW) / DAY_MS];
};
const HOUR = 1 / 24;

it.each([
  ['a platform with a short window', 3, {}, [3 - HOUR, 3 - HOUR]],
  ['one that takes events for 90 days', 90, {}, [7, 90 - HOUR]],
  ['one that names no limit', 0, {}, [7, 90]],
  ['a merchant that keeps events for 30 days', 90, { retentionDays: 30 }, [7, 30]],
  ['a merchant that keeps them for longer', 0, { retentionDays: 400 }, [7, 90]],
  ['a connection changed after a month', 90, { changedAtMs: NOW + 30 * DAY_MS }, [37, 90 - HOUR]],
  ['one changed shortly before the end', 90, { changedAtMs: NOW + 88 * DAY_MS }, [90 - HOUR, 90 - HOUR]],
  ['one changed before the event came', 90, { changedAtMs: NOW - DAY_MS }, [7, 90 - HOUR]],
])('tries for a week and keeps for as long as it can: %s', (_which, ageDays, over, days) => {
  expect(of(ageDays, over)).toEqual(days.map((each) => expect.closeTo(each)));
});

it('keeps no longer than the merchant does, where that turns out later', () => {
  const window = deliveryWindow({ eventTimeSec: HOUR_AGO_SEC, receivedAtMs: NOW, ageMaxSec: 90 * 86_400 });
  expect(retained(window, NOW, 10).keptUntilMs).toBe(NOW + 10 * DAY_MS);
  expect(retained(window, NOW, undefined)).toEqual(window);
});

it('names the limit that ended it', () => {
  const window = deliveryWindow({ eventTimeSec: HOUR_AGO_SEC, receivedAtMs: NOW, ageMaxSec: 90 * 86_400 });
  expect(overReason(window, window.windowEndsAtMs)).toBe('gave_up');
  expect(overReason(window, window.keptUntilMs)).toBe('window_closed');
});
