// Which parts of a range may hold what a list looks for, by the counters of its days, hours and minutes: what is rare is found
// without reading what lies between. Guarantees: nothing is left out that was counted. A slot is left out only by counters
// that were written after its end; where there are none, or they cannot be read, its rows are looked at.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import { bucketEndOf } from '#lib/events/domain/shard.ts';
import { type BucketRow, type CounterStore, FINER, GRAIN_MS } from '#lib/events/ports/counter-store.ts';

/** By then a slot has been counted with all of its rows, and its sum written. */
const COUNTED_AFTER_MS = { minute: 5 * MINUTE_MS, hour: 2 * HOUR_MS, day: 2 * HOUR_MS } as const;
/** Days read together: a page rarely needs more. */
const DAYS_READ = 8;
/** Index entries that are rather read than asked around: another query costs as much as some eighty of them. */
const JOINED_ROWS_MAX = 500;

/** Rows that are rather read than the finer counters of their hour or day. */
const FEW_ROWS = 60;

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Part extends Range {
  /** What in it is left out all the same. */
  readonly gaps: readonly Range[];
  /** The counted slots of the finest grain that touch it and may hold something; none where they are not known. */
  readonly buckets: readonly BucketRow[];
}

export interface Slots extends Range {
  readonly merchantId: string;
  readonly order: 'asc' | 'desc';
  readonly nowMs: number;
  readonly mayHold: (counters: BucketCounters) => boolean;
  readonly counters: Pick<CounterStore, 'range'>;
}

/** A slot, or several of one hour or day: side by side, in the order of the range. */
interface Slice extends Range {
  readonly isMeant: boolean;
  /** Undefined where it is not known. */
  readonly rows?: number;
  readonly buckets?: readonly BucketRow[];
}

/** In the order of the range. Slices with few rows between them are one part: of many small slots one query is made. */
export async function* partsToLookAt(slots: Slots): AsyncGenerator<Part, void> {
  let part: OpenPart | undefined;
  for await (const whole of daysOf(slots)) {
    const slice = { ...whole, ...clipped(whole, slots) };
    if (slice.fromMs >= slice.toMs) continue;
    const next = part === undefined ? undefined : extended(part, slice);
    if (next === undefined && part !== undefined) yield part;
    part = next ?? (slice.isMeant ? opened(slice) : undefined);
  }
  if (part !== undefined) yield part;
}

const clipped = (slice: Range, { fromMs, toMs }: Range): Range => ({
  fromMs: Math.max(slice.fromMs, fromMs),
  toMs: Math.min(slice.toMs, toMs),
});

interface OpenPart extends Part {
  readonly rows: number | undefined;
  /** What follows it and is not meant: part of it once something behind is. */
  readonly behind: readonly Range[];
}

const opened = ({ fromMs, toMs, rows, buckets = [] }: Slice): OpenPart => ({
  ...{ fromMs, toMs, rows, buckets },
  gaps: [],
  behind: [],
});

/** Undefined where the slice is no part of it any more. */
function extended(part: OpenPart, slice: Slice): OpenPart | undefined {
  const isKnown = slice.rows !== undefined;
  if (isKnown !== (part.rows !== undefined)) return undefined;
  const rows = isKnown ? (part.rows ?? 0) + (slice.rows ?? 0) : undefined;
  if (rows !== undefined && rows > JOINED_ROWS_MAX) return undefined;
  if (!slice.isMeant) return { ...part, rows, behind: [...part.behind, slice] };
  return {
    fromMs: Math.min(part.fromMs, slice.fromMs),
    toMs: Math.max(part.toMs, slice.toMs),
    rows,
    gaps: [...part.gaps, ...part.behind],
    behind: [],
    buckets: [...new Set([...part.buckets, ...(slice.buckets ?? [])])],
  };
}

async function* daysOf(slots: Slots): AsyncGenerator<Slice> {
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
): AsyncGenerator<Slice> {
  const counted = await slots.counters.range(slots.merchantId, grain, fromMs, toMs);
  const byStart = new Map(counted.map((row) => [row.key.startMs, row]));
  for (const startMs of startsOf(fromMs, toMs, GRAIN_MS[grain], slots.order)) {
    const endMs = startMs + GRAIN_MS[grain];
    if (endMs <= slots.fromMs || startMs >= slots.toMs) continue;
    const row = byStart.get(startMs);
    const isOver = slots.nowMs >= endMs + COUNTED_AFTER_MS[grain];
    if (row === undefined || row.unreadable === true) {
      // What has not been summed yet may have been counted.
      yield* isOver ? [{ fromMs: startMs, toMs: endMs, isMeant: true }] : finer(slots, grain, startMs, endMs);
      continue;
    }
    const isMeant = !isOver || slots.mayHold(row.counters);
    const rows = rowsIn(row.counters);
    if (isMeant && (!isOver || rows > FEW_ROWS))
      yield* finer(slots, grain, startMs, endMs, isOver ? row : undefined);
    else yield { fromMs: startMs, toMs: endMs, isMeant, rows };
  }
}

async function* finer(
  slots: Slots,
  grain: keyof typeof FINER,
  startMs: number,
  endMs: number,
  row?: BucketRow,
): AsyncGenerator<Slice> {
  if (grain === 'day') yield* coarse(slots, FINER.day, startMs, endMs);
  else yield* minutes(slots, startMs, endMs, row);
}

/** `hour`: what the minutes must add up to. */
async function* minutes(
  slots: Slots,
  startMs: number,
  endMs: number,
  hour: BucketRow | undefined,
): AsyncGenerator<Slice> {
  const rows = await slots.counters.range(slots.merchantId, 'minute', startMs, endMs);
  const counted = sumOfRows(rows);
  if (rows.length === 0 || (hour !== undefined && counted !== rowsIn(hour.counters))) {
    yield { fromMs: startMs, toMs: endMs, isMeant: true };
    return;
  }
  for (const atMs of startsOf(startMs, endMs, MINUTE_MS, slots.order)) {
    const minute = { fromMs: atMs, toMs: atMs + MINUTE_MS };
    const isOver = slots.nowMs >= minute.toMs + COUNTED_AFTER_MS.minute;
    const own = rows.filter(({ key }) => key.startMs <= atMs && atMs < bucketEndOf(key));
    // A minute without counters has no rows once its hour is summed; before, some may be under way.
    if (!isOver || (hour === undefined && own.length === 0)) yield { ...minute, isMeant: true };
    else {
      const buckets = own.filter((row) => !isLeftOut(row, slots));
      const begun = sumOfRows(own.filter(({ key }) => key.startMs === atMs));
      yield { ...minute, isMeant: buckets.length > 0, rows: begun, buckets };
    }
  }
}

const sumOfRows = (rows: readonly BucketRow[]): number =>
  rows.reduce((sum, { counters }) => sum + rowsIn(counters), 0);

function isLeftOut({ key, foldedAtMs = 0, unreadable, counters }: BucketRow, { mayHold }: Slots): boolean {
  return unreadable !== true && foldedAtMs >= bucketEndOf(key) && !mayHold(counters);
}

function startsOf(fromMs: number, toMs: number, lengthMs: number, order: Slots['order']): readonly number[] {
  const starts = Array.from({ length: (toMs - fromMs) / lengthMs }, (_, i) => fromMs + i * lengthMs);
  return order === 'asc' ? starts : starts.reverse();
}
