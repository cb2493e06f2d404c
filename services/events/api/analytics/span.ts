// The time an analytics request is about, the time before it, and the counters of both. Pure but for the reading.
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import { dayAfter, dayIn, dayStarts, startOfDay, UTC } from '#lib/events/domain/time-zone.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import { type Range, type RangeInput, SPAN_MAX_DAYS } from '#lib/events/routes/analytics/range.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { sumsBetween } from './sums-between.ts';

interface Part {
  readonly fromMs: number;
  readonly toMs: number;
}

/** [fromMs, toMs), whole buckets of the counters but for an end that is now. */
export interface Span extends Part {
  readonly range: Range | 'custom';
  /** Whose days they are. */
  readonly zone: string;
  readonly interval: 'hour' | 'day';
  /** Where the slots of a series begin; the first and the last may be cut off. */
  readonly starts: readonly number[];
  /** As long as the span, right before its slots: the running slot is compared with as much of the one before. */
  readonly before: Part;
}

/** Days of a range; the last one is running. */
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const HOURS = 24;
/** A span of the caller's that is no longer is shown by the hour. */
const HOURLY_MAX_MS = 2 * DAY_MS;

/** A failure where it is none as of now: the schema has seen to the rest. `zone`: the merchant's, unless another is asked for. */
export function spanOf(
  input: RangeInput,
  nowMs: number,
  ownZone: string = UTC,
): Span | Failure<'invalid_request'> {
  const { range = '7d', start, end, time_zone: zone = ownZone } = input;
  if (start !== undefined) return customSpan({ start, end }, nowMs, zone);
  if (range === '24h') {
    const fromMs = floorTo(nowMs, HOUR_MS) - (HOURS - 1) * HOUR_MS;
    const lengthMs = HOURS * HOUR_MS;
    const before = { fromMs: fromMs - lengthMs, toMs: nowMs + 1 - lengthMs };
    return {
      range,
      zone,
      interval: 'hour',
      ...{ fromMs, toMs: nowMs + 1, before, starts: hourStarts(fromMs, nowMs + 1) },
    };
  }
  const today = dayIn(zone, nowMs);
  const startAgo = (days: number): number => startOfDay(zone, dayAfter(today, -days));
  const days = DAYS[range];
  const fromMs = startAgo(days - 1);
  // The day before may be an hour shorter or longer than today.
  const ranMs = nowMs + 1 - startAgo(0);
  const before = { fromMs: startAgo(2 * days - 1), toMs: Math.min(startAgo(days) + ranMs, fromMs) };
  const starts = dayStarts(zone, fromMs, nowMs + 1);
  return { range, zone, interval: 'day', fromMs, toMs: nowMs + 1, before, starts };
}

function customSpan(
  { start, end }: { readonly start: number; readonly end: number | undefined },
  nowMs: number,
  zone: string,
): Span | Failure<'invalid_request'> {
  const fromMs = floorTo(start, SPARSE_BUCKET_MS);
  const toMs = end === undefined ? nowMs + 1 : -floorTo(-end, SPARSE_BUCKET_MS);
  if (fromMs >= toMs) return refuse('start', 'must be in the past, or before end');
  if (toMs - fromMs > SPAN_MAX_DAYS * DAY_MS + SPARSE_BUCKET_MS)
    return refuse('start', `is more than ${SPAN_MAX_DAYS} days before the end`);
  const interval = toMs - fromMs <= HOURLY_MAX_MS ? 'hour' : 'day';
  const starts = interval === 'hour' ? hourStarts(fromMs, toMs) : dayStarts(zone, fromMs, toMs);
  const before = { fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
  return { range: 'custom', zone, interval, fromMs, toMs, starts, before };
}

function hourStarts(fromMs: number, toMs: number): readonly number[] {
  const firstMs = floorTo(fromMs, HOUR_MS);
  return Array.from({ length: Math.ceil((toMs - firstMs) / HOUR_MS) }, (_, i) => firstMs + i * HOUR_MS);
}

/** As `spanOf`, in the days of the merchant. */
export async function spanFor(
  merchantId: string,
  input: RangeInput,
  ports: Pick<ApiPorts, 'clock' | 'config'>,
): Promise<Span | Failure<'invalid_request'>> {
  return spanOf(input, ports.clock.now(), input.time_zone ?? (await zoneOf(merchantId, ports)));
}

/** UTC where the merchant has said none. */
export async function zoneOf(
  merchantId: string,
  { config }: { readonly config: Pick<ApiPorts['config'], 'merchant'> },
): Promise<string> {
  return (await config.merchant(merchantId))?.timeZone ?? UTC;
}

/** What the span holds, what the one before it held, and the rows of the span. */
export async function compared(
  merchantId: string,
  span: Span,
  ports: Pick<ApiPorts, 'counters'>,
): Promise<readonly [now: BucketCounters, before: BucketCounters, rows: readonly BucketRow[]]> {
  const [rows, earlier] = await Promise.all([
    readCounters(merchantId, span, ports),
    readCounters(merchantId, span.before, ports),
  ]);
  return [total(rows), total(earlier), rows];
}

/** What series show of each slot. */
export const slotSums = (
  merchantId: string,
  { starts: [, ...later], fromMs, toMs }: Pick<Span, 'starts' | 'fromMs' | 'toMs'>,
  ports: Pick<ApiPorts, 'counters'>,
): Promise<readonly BucketCounters[]> => sumsBetween(merchantId, [fromMs, ...later, toMs], ports);

/** How an answer names its span. */
export const spanView = ({ range, zone, fromMs, toMs }: Span, nowMs: number) => ({
  success: true as const,
  range,
  time_zone: zone,
  start: iso(fromMs),
  end: iso(toMs > nowMs ? Math.max(nowMs, fromMs) : toMs),
});
