// Days of a time zone. Guarantees: they follow each other without gap or overlap, whatever clocks do at midnight; each begins with
// a bucket of the counters. Rules of zones are those that the runtime knows.
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../core/work/time-slot.ts';
import { SPARSE_BUCKET_MS } from './shard.ts';

/** Days are UTC days where a merchant has not said otherwise. */
export const UTC = 'UTC';

const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,59}$/;
const formats = new Map<string, Intl.DateTimeFormat | null>();
const FORMATS_MAX = 700;

/** As the runtime writes it, where only the case differs; undefined for what is no name of a zone. An offset is none. */
export function zoneNamed(name: string): string | undefined {
  const format = formatOf(name);
  if (format === null) return undefined;
  const own = format.resolvedOptions().timeZone;
  return own.toLowerCase() === name.toLowerCase() ? own : name;
}

/** Null for what is none. */
function formatOf(name: string): Intl.DateTimeFormat | null {
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = NAME.test(name) ? madeFormat(name) : null;
  // Callers choose names: more than there are zones are not kept.
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(name, made);
  return made;
}

function madeFormat(timeZone: string): Intl.DateTimeFormat | null {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      ...numeric,
      minute: 'numeric',
      hourCycle: 'h23',
      timeZone,
    });
  } catch {
    return null;
  }
}

/** What its clocks show, as if that were UTC, less the moment; whole minutes. Throws a RangeError for what is no zone. */
function offsetAt(zone: string, atMs: number): number {
  const format = formatOf(zone);
  if (format === null) throw new RangeError(`${zone} is no time zone`);
  const minuteMs = floorTo(atMs, MINUTE_MS);
  const shown: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(minuteMs)) shown[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute) - minuteMs;
}

/** `YYYY-MM-DD`. */
export function dayIn(zone: string, atMs: number): string {
  if (zone === UTC) return dateOf(atMs);
  const day = dateOf(atMs + offsetAt(zone, atMs));
  // A day also has what is left of its bucket before, and keeps the hour in which clocks show the day before once more.
  const next = dayAfter(day, 1);
  return startOfDay(zone, next) <= atMs ? next : startOfDay(zone, day) <= atMs ? day : dayAfter(day, -1);
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const wallOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
export const dayAfter = (day: string, days: number): string => dateOf(wallOf(day) + days * DAY_MS);

/**
 * The first moment at which its clocks show the day, at the start of ten minutes: in the zones of quarter hours a day begins five
 * minutes early, since events of few are counted by ten.
 */
export function startOfDay(zone: string, day: string): number {
  const wallMs = wallOf(day);
  if (zone === UTC) return wallMs;
  return floorTo(firstMoment(zone, wallMs), SPARSE_BUCKET_MS);
}

/** No zone is further from UTC. */
const FURTHEST_MS = 15 * HOUR_MS;

function firstMoment(zone: string, wallMs: number): number {
  let [fromMs, toMs] = [wallMs - FURTHEST_MS, wallMs + FURTHEST_MS];
  const [before, after] = [offsetAt(zone, fromMs), offsetAt(zone, toMs)];
  if (before === after) return wallMs - before;
  // Clocks change once in this time.
  while (toMs - fromMs > MINUTE_MS) {
    const middleMs = floorTo((fromMs + toMs) / 2, MINUTE_MS);
    if (offsetAt(zone, middleMs) === before) fromMs = middleMs;
    else toMs = middleMs;
  }
  return wallMs - before < toMs ? wallMs - before : Math.max(wallMs - after, toMs);
}

/** Starts of the days of which [fromMs, toMs) has a part. */
export function dayStarts(zone: string, fromMs: number, toMs: number): readonly number[] {
  const starts: number[] = [];
  for (let day = dayIn(zone, fromMs); ; day = dayAfter(day, 1)) {
    const startMs = startOfDay(zone, day);
    if (startMs >= toMs) return starts;
    if (starts.at(-1) !== startMs) starts.push(startMs);
  }
}
