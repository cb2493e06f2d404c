// What a clock on the wall of a time zone shows, and when it does. Guarantees: right on days on which the clocks change. An hour
// that comes twice is meant the first time; one that is left out is as much later as is left out.

/** Minutes exactly; `month` counts from 1, and what is too much moves on, as the 32nd does. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const DAY_MS = 86_400_000;
const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether this browser knows the zone: the helpdesk may know more. */
export function isKnownZone(zone: string): boolean {
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** Throws a RangeError for a zone that is not known. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numeric = Object.fromEntries(FIELDS.map((field) => [field, 'numeric']));
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    ...numeric,
    hourCycle: 'h23',
    timeZone: zone,
  });
  formats.set(zone, made);
  return made;
}

/** As if the wall were in UTC: to count with. */
function wallMs(atMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type as string, Number(value)]),
  );
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = FIELDS.map((field) =>
    parts.get(field),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

export function wallTimeOf(at: Date, zone: string): WallTime {
  const wall = new Date(wallMs(at.getTime(), zone));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
  };
}

export function momentOf({ year, month, day, hour, minute }: WallTime, zone: string): Date {
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  const offsetAt = (ms: number): number => wallMs(ms, zone) - ms;
  // Clocks change once within two days at most: the one before the change, and the one after it.
  const [before, after] = [wanted - offsetAt(wanted - DAY_MS), wanted - offsetAt(wanted + DAY_MS)];
  const shown = [before, after].filter((ms) => wallMs(ms, zone) === wanted);
  return new Date(shown.length === 0 ? before : Math.min(...shown));
}
