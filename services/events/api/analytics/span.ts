// The time an analytics request is about, the time before it, and the counters of both. Pure but for the reading.
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import { type Range, type RangeInput, SPAN_MAX_DAYS } from '#lib/events/routes/analytics/range.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { readCounters, total } from './counter-range.ts';

/** [fromMs, toMs), whole buckets of the counters but for an end that is now. */
export interface Span {
  readonly range: Range | 'custom';
  readonly fromMs: number;
  readonly toMs: number;
  /** Of the slots that a series has; the first and the last may be cut off. */
  readonly slotMs: number;
  /** Where the preceding span begins. */
  readonly beforeMs: number;
}

/** Slots of a range; the last one is running. */
const SLOTS: Readonly<Record<Range, { readonly slotMs: number; readonly count: number }>> = {
  '24h': { slotMs: HOUR_MS, count: 24 },
  '7d': { slotMs: DAY_MS, count: 7 },
  '30d': { slotMs: DAY_MS, count: 30 },
  '90d': { slotMs: DAY_MS, count: 90 },
};
/** A span of the caller's that is no longer is shown by the hour. */
const HOURLY_MAX_MS = 2 * DAY_MS;

/** A failure where it is none as of now: the schema has seen to the rest. */
export function spanOf(input: RangeInput, nowMs: number): Span | Failure<'invalid_request'> {
  const { range = '7d', start, end } = input;
  if (start === undefined) {
    const { slotMs, count } = SLOTS[range];
    const fromMs = floorTo(nowMs, slotMs) - (count - 1) * slotMs;
    return { range, fromMs, toMs: nowMs + 1, slotMs, beforeMs: fromMs - count * slotMs };
  }
  const fromMs = floorTo(Date.parse(start), SPARSE_BUCKET_MS);
  const toMs = end === undefined ? nowMs + 1 : -floorTo(-Date.parse(end), SPARSE_BUCKET_MS);
  if (fromMs >= toMs) return refuse('start', 'must be in the past, or before end');
  if (fromMs < 0) return refuse('start', 'must be after 1970');
  if (toMs - fromMs > SPAN_MAX_DAYS * DAY_MS + SPARSE_BUCKET_MS)
    return refuse('start', `is more than ${SPAN_MAX_DAYS} days before the end`);
  const slotMs = toMs - fromMs <= HOURLY_MAX_MS ? HOUR_MS : DAY_MS;
  return { range: 'custom', fromMs, toMs, slotMs, beforeMs: fromMs - (toMs - fromMs) };
}

/** As long as the span, right before its slots: the running slot is compared with as much of the one before. */
export const preceding = ({ fromMs, toMs, beforeMs }: Span): Pick<Span, 'fromMs' | 'toMs'> => ({
  fromMs: beforeMs,
  toMs: toMs - (fromMs - beforeMs),
});

/** What the span holds, and what the one before it held. */
export async function compared(
  merchantId: string,
  span: Span,
  ports: Pick<ApiPorts, 'counters'>,
): Promise<readonly [now: BucketCounters, before: BucketCounters]> {
  const [rows, earlier] = await Promise.all([
    readCounters(merchantId, span, ports),
    readCounters(merchantId, preceding(span), ports),
  ]);
  return [total(rows), total(earlier)];
}

/** How an answer names its span. */
export const spanView = ({ range, fromMs, toMs }: Span, nowMs: number) => ({
  range,
  start: iso(fromMs),
  end: iso(toMs > nowMs ? Math.max(nowMs, fromMs) : toMs),
});
