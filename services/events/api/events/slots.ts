// Which parts of a range may hold what a list looks for, by the counters of its days, hours and minutes: what is rare is found
// without reading what lies between. Guarantees: nothing is left out that was counted. A slot is left out only by counters
// that were written after its end; where there are none, or they cannot be read, its rows are looked at.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { bucketEndOf } from '#lib/events/domain/shard.ts';
import { rowsIn } from '#lib/events/pipeline/counting/count-minute.ts';
import { type BucketRow, type CounterStore, FINER, GRAIN_MS } from '#lib/events/ports/counter-store.ts';

/** By then a slot has been counted with all of its rows, and its sum written. */
const COUNTED_AFTER_MS = { minute: 5 * MINUTE_MS, hour: 2 * HOUR_MS, day: 2 * HOUR_MS } as const;
/** Days read together: a page rarely needs more. */
const DAYS_READ = 8;
/** Of slots that are known: what is read for a part is read at once. */
const JOINED_MAX_MS = 10 * MINUTE_MS;

export interface Part {
  readonly fromMs: number;
  readonly toMs: number;
  /** The counted slots of the finest grain that touch it and may hold something; absent where they are not known. */
  readonly buckets?: readonly BucketRow[];
}

export interface Slots {
  readonly merchantId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: 'asc' | 'desc';
  readonly nowMs: number;
  readonly mayHold: (counters: BucketCounters) => boolean;
  readonly counters: Pick<CounterStore, 'range'>;
}

/** In the order of the range, neighbours joined, none empty. */
export async function* partsToLookAt(slots: Slots): AsyncGenerator<Part, void> {
  let joined: Part | undefined;
  for await (const part of daysOf(slots)) {
    const fromMs = Math.max(part.fromMs, slots.fromMs);
    const toMs = Math.min(part.toMs, slots.toMs);
    if (fromMs >= toMs) continue;
    const next = { ...part, fromMs, toMs };
    const both = joined === undefined ? next : join(joined, next);
    if (both === undefined) yield joined as Part;
    joined = both ?? next;
  }
  if (joined !== undefined) yield joined;
}

/** Undefined where there is something between them, or of one alone the slots are known. */
function join(a: Part, b: Part): Part | undefined {
  if (a.toMs !== b.fromMs && b.toMs !== a.fromMs) return undefined;
  const whole = { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) };
  if (a.buckets === undefined && b.buckets === undefined) return whole;
  if (a.buckets === undefined || b.buckets === undefined || whole.toMs - whole.fromMs > JOINED_MAX_MS)
    return undefined;
  return { ...whole, buckets: [...new Set([...a.buckets, ...b.buckets])] };
}

async function* daysOf(slots: Slots): AsyncGenerator<Part> {
  const first = Math.floor(slots.fromMs / DAY_MS);
  const end = Math.ceil(slots.toMs / DAY_MS);
  for (let done = 0; done < end - first; done += DAYS_READ) {
    const count = Math.min(DAYS_READ, end - first - done);
    const from = slots.order === 'asc' ? first + done : end - done - count;
    yield* coarse(slots, 'day', from * DAY_MS, (from + count) * DAY_MS);
  }
}

/** Days or hours. */
async function* coarse(
  slots: Slots,
  grain: keyof typeof FINER,
  fromMs: number,
  toMs: number,
): AsyncGenerator<Part> {
  const rows = await slots.counters.range(slots.merchantId, grain, fromMs, toMs);
  const byStart = new Map(rows.map((row) => [row.key.startMs, row]));
  for (const startMs of startsOf(fromMs, toMs, GRAIN_MS[grain], slots.order)) {
    const endMs = startMs + GRAIN_MS[grain];
    if (endMs <= slots.fromMs || startMs >= slots.toMs) continue;
    const row = byStart.get(startMs);
    const isOver = slots.nowMs >= endMs + COUNTED_AFTER_MS[grain];
    if (row === undefined || row.unreadable === true)
      // What has not been summed yet may have been counted.
      yield* isOver ? [{ fromMs: startMs, toMs: endMs }] : finer(slots, grain, startMs, endMs);
    else if (!isOver || slots.mayHold(row.counters))
      yield* finer(slots, grain, startMs, endMs, isOver ? row : undefined);
  }
}

async function* finer(
  slots: Slots,
  grain: keyof typeof FINER,
  startMs: number,
  endMs: number,
  row?: BucketRow,
): AsyncGenerator<Part> {
  if (grain === 'day') yield* coarse(slots, FINER.day, startMs, endMs);
  else yield* minutes(slots, startMs, endMs, row);
}

/** `hour`: what the minutes must add up to. */
async function* minutes(
  slots: Slots,
  startMs: number,
  endMs: number,
  hour: BucketRow | undefined,
): AsyncGenerator<Part> {
  const rows = await slots.counters.range(slots.merchantId, 'minute', startMs, endMs);
  const counted = rows.reduce((sum, { counters }) => sum + rowsIn(counters), 0);
  if (rows.length === 0 || (hour !== undefined && counted !== rowsIn(hour.counters))) {
    yield { fromMs: startMs, toMs: endMs };
    return;
  }
  for (const atMs of startsOf(startMs, endMs, MINUTE_MS, slots.order)) {
    const minuteEndMs = atMs + MINUTE_MS;
    const isOver = slots.nowMs >= minuteEndMs + COUNTED_AFTER_MS.minute;
    const own = rows.filter(({ key }) => key.startMs <= atMs && atMs < bucketEndOf(key));
    // A minute without counters has no rows once its hour is summed; before, some may be under way.
    if (!isOver || (hour === undefined && own.length === 0)) yield { fromMs: atMs, toMs: minuteEndMs };
    else {
      const buckets = own.filter((row) => !isLeftOut(row, slots));
      if (buckets.length > 0) yield { fromMs: atMs, toMs: minuteEndMs, buckets };
    }
  }
}

function isLeftOut({ key, foldedAtMs = 0, unreadable, counters }: BucketRow, { mayHold }: Slots): boolean {
  return unreadable !== true && foldedAtMs >= bucketEndOf(key) && !mayHold(counters);
}

function startsOf(fromMs: number, toMs: number, lengthMs: number, order: Slots['order']): readonly number[] {
  const starts = Array.from({ length: (toMs - fromMs) / lengthMs }, (_, i) => fromMs + i * lengthMs);
  return order === 'asc' ? starts : starts.reverse();
}
