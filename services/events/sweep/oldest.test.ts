// Goal: the age of the oldest row that is due, and of the oldest minute that is not over, is measured, and only while it matters.
import { expect, it } from 'vitest';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createOldest } from './oldest.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('says nothing while all is in time, and of the oldest otherwise, once', () => {
  const oldest = createOldest(createManualClock(NOW_MS));
  expect(oldest.measured()).toEqual({});
  oldest.overdue(NOW_MS - 2 * MINUTE_MS);
  oldest.unfinished(NOW_MS - 2 * HOUR_MS);
  expect(oldest.measured()).toEqual({});
  oldest.overdue(NOW_MS - 10 * MINUTE_MS);
  oldest.overdue(NOW_MS - 3 * MINUTE_MS);
  oldest.unfinished(NOW_MS - 5 * HOUR_MS);
  expect(oldest.measured()).toEqual({ OldestDue: 600, OldestUnfinished: 18_000 });
  expect(oldest.measured()).toEqual({});
});
