// The times to which a ticket can be snoozed: by one key, or as typed. Mornings are in the workspace's time zone.
import { momentOf, wallTimeOf } from './wall-clock.ts';

export interface SnoozeTime {
  readonly name: string;
  readonly at: Date;
}

const MORNING_HOUR = 9;
const MONDAY = 1;
const YEARS_MAX = 50;

/** On a Monday, "Monday" is the next one. Without a zone there are no mornings. */
export function snoozeTimes(now: Date, zone: string | undefined): readonly SnoozeTime[] {
  const soon = { name: 'in 3 hours', at: new Date(now.getTime() + 3 * 3_600_000) };
  if (zone === undefined) return [soon];
  const { year, month, day } = wallTimeOf(now, zone);
  const morning = (days: number): Date =>
    momentOf({ year, month, day: day + days, hour: MORNING_HOUR, minute: 0 }, zone);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const toMonday = (MONDAY - weekday + 7) % 7 || 7;
  return [soon, { name: 'tomorrow, 9:00', at: morning(1) }, { name: 'Monday, 9:00', at: morning(toMonday) }];
}

/** `text`: the value of a datetime field, such as 2026-11-23T09:00. */
export function typedTime(
  text: string,
  zone: string,
  now: Date,
): { readonly at: Date; readonly isMoved: boolean } | { readonly problem: string } {
  const digits = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (digits === null) return { problem: 'must be a date and a time' };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = digits.slice(1).map(Number);
  if (year > now.getUTCFullYear() + YEARS_MAX - 1)
    return { problem: `must be within ${YEARS_MAX} years from now` };
  const at = momentOf({ year, month, day, hour, minute }, zone);
  if (at <= now) return { problem: 'must be in the future' };
  const shown = wallTimeOf(at, zone);
  return { at, isMoved: shown.hour !== hour || shown.minute !== minute };
}

/** With its weekday, in the zone's local time; the zone is named if there is room. */
export function written(at: Date, zone: string, isShort = false): string {
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    ...(isShort ? {} : { year: 'numeric', timeZoneName: 'short' }),
  }).format(at);
}
