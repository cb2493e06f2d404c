// Goal: "tomorrow, 9:00" is nine in the workspace's morning, across clock changes and in any time zone of the agent.
import { describe, expect, it } from 'vitest';
import { snoozeTimes, typedTime } from './times.ts';

const times = (now: string, zone: string | undefined) =>
  snoozeTimes(new Date(now), zone).map(({ at }) => at.toISOString().slice(0, 16));

describe('the times of one key', () => {
  it.each([
    // Saturday before the clocks go forward, and back.
    ['2026-03-28T11:00Z', 'Europe/Berlin', ['2026-03-28T14:00', '2026-03-29T07:00', '2026-03-30T07:00']],
    ['2026-10-24T11:00Z', 'Europe/Berlin', ['2026-10-24T14:00', '2026-10-25T08:00', '2026-10-26T08:00']],
    // Three hours are three hours, although the wall shows four.
    ['2026-03-29T00:30Z', 'Europe/Berlin', ['2026-03-29T03:30', '2026-03-30T07:00', '2026-03-30T07:00']],
    // A Monday's Monday is the next one.
    ['2026-11-23T12:00Z', 'UTC', ['2026-11-23T15:00', '2026-11-24T09:00', '2026-11-30T09:00']],
    // It is Monday there already.
    ['2026-11-22T12:00Z', 'Pacific/Auckland', ['2026-11-22T15:00', '2026-11-23T20:00', '2026-11-29T20:00']],
    // It is Saturday there still; the year ends in between.
    [
      '2027-01-03T03:00Z',
      'America/Los_Angeles',
      ['2027-01-03T06:00', '2027-01-03T17:00', '2027-01-04T17:00'],
    ],
    ['2026-12-31T12:00Z', 'UTC', ['2026-12-31T15:00', '2027-01-01T09:00', '2027-01-04T09:00']],
    ['2026-12-31T12:00Z', undefined, ['2026-12-31T15:00']],
  ])('at %s in %s', (now, zone, expected) => {
    expect(times(now, zone)).toEqual(expected);
  });
});

describe('a time that is typed', () => {
  const now = new Date('2026-03-28T11:00:30Z');
  const typed = (text: string) => typedTime(text, 'Europe/Berlin', now);

  it.each([
    ['2026-03-28T12:01', { at: new Date('2026-03-28T11:01Z'), isMoved: false }],
    ['2026-03-29T02:30', { at: new Date('2026-03-29T01:30Z'), isMoved: true }],
    ['2026-03-28T12:00', { problem: 'must be in the future' }],
    ['2026-03-28T11:30', { problem: 'must be in the future' }],
    ['', { problem: 'must be a date and a time' }],
    ['tomorrow', { problem: 'must be a date and a time' }],
    ['2076-01-01T00:00', { problem: 'must be within 50 years from now' }],
    ['275760-01-01T00:00', { problem: 'must be within 50 years from now' }],
  ])('%s', (text, expected) => {
    expect(typed(text)).toEqual(expected);
  });
});
