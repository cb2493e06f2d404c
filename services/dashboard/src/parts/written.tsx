// Numbers, money, times and ids as pages write them: numbers in the reader's language, times in his zone with UTC beside them.

/** The least that is written of a share. */
const LEAST_SHARE = 0.001;

const whole = new Intl.NumberFormat();
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

export const count = (value: number): string => whole.format(value);

/** With its noun: `1 event`, `2 events`. */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : several}`;

/** Never rounded to all or nothing: 100 % is every one, 0 % is none. */
export function percent(value: number): string {
  if (value > 0 && value < LEAST_SHARE) return `<${share.format(LEAST_SHARE)}`;
  return share.format(value < 1 ? Math.min(value, 1 - LEAST_SHARE) : value);
}

/** Of 100 points, whole ones, by the same rule. */
export function score(points: number): string {
  if (points > 0 && points < 1) return '<1';
  return whole.format(points < 100 ? Math.min(99, Math.round(points)) : points);
}

/** A currency the browser does not know is written as it is. */
export function money(amount: number, currency: string | null | undefined): string {
  if (!currency) return whole.format(amount);
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
  } catch {
    return `${whole.format(amount)} ${currency}`;
  }
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 90_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

export function ago(iso: string, nowMs = Date.now()): string {
  const ms = Date.parse(iso) - nowMs;
  const [size, unit] = UNITS.find(([length]) => Math.abs(ms) >= length) ?? [1_000, 'second'];
  return relative.format(Math.round(ms / size), unit);
}

interface TimeProps {
  readonly at: string;
  readonly as?: 'moment' | 'clock' | 'ago';
}

export function Time({ at, as = 'moment' }: TimeProps) {
  const date = new Date(at);
  const isTime = !Number.isNaN(date.getTime());
  if (!isTime) return <span className="foreign">{at}</span>;
  const text = as === 'ago' ? ago(at) : (as === 'clock' ? clock : day).format(date);
  return (
    <time dateTime={at} title={`${date.toISOString()} (UTC)`}>
      {text}
    </time>
  );
}

/** `2026-03-29 01:00`, as clocks of the zone show it; in UTC where this browser does not know the zone. */
export function wallText(at: string, timeZone: string): string {
  const parts = { dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone }).format(new Date(at));
  } catch {
    return at.slice(0, 16).replace('T', ' ');
  }
}

/** The moment that a field for date and time shows, by the reader's clock; undefined where it is empty. */
export const isoOf = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString();

/** Ids are text of strangers: as they are, in their own direction, broken where they must be. */
export function Id({ children }: { readonly children: string }) {
  return (
    <bdi className="foreign font-mono text-sm" translate="no">
      {children}
    </bdi>
  );
}
