// One minute bucket, of one shard, from its rows: `countMinute` reads, `storeCount` writes it with the hour and the day
// above it. Between the two, recovery handles the rows that were found stranded or waiting.
// The order makes it exact: read the bucket's version and the clock, THEN its rows, THEN overwrite if the version is
// still the same. A bucket stays due until every row in it is over and it is sealed by the clock that was read first: a
// clock read last could seal rows that arrived after the rows were read.
import { rowsIn } from '../../domain/analytics/sum.ts';
import { UnreadableRowError } from '../../domain/event/row.ts';
import { ROWS_KEPT_MIN_MS } from '../../domain/event/row-expiry.ts';
import { bucketEndOf, inShard, isSparse } from '../../domain/shard.ts';
import type { BucketKey, BucketRow } from '../../ports/counter-store.ts';
import type { FoldResult } from './count-rows.ts';
import { lookAtOpen } from './open-look.ts';
import type { CountPorts } from './ports.ts';
import { type RecountOptions, recount } from './recount.ts';
import { isWrong, rollUp } from './roll-up.ts';

/** A bucket is sealed this long after its end: by then no index lags and no ordinary row is late. */
export const SEAL_MS = 3_600_000;
/** A bucket is read again if its first fold came this soon after its end: its last rows may not be in the index yet. */
const SETTLED_MS = 15_000;
/** A little less than a minute, so that the next sweep finds it due. */
const SECOND_LOOK_MS = 50_000;
const OPEN_REFOLD_MIN_MS = 600_000;
/**
 * For a bucket whose open rows are all parked. Their delivery requests a count, and this covers a lost request. Rows may
 * be parked for months: after its first day a bucket is counted again when it is a quarter older, some twenty times in
 * all.
 */
const PARKED_REFOLD_MAX_MS = 6 * 3_600_000;
const PARKED_REFOLD_SHARE = 1 / 4;
/** Folds without urgency are this far apart, per row of the bucket: counting must not cost more than sending. */
const REST_PER_ROW_MS = 30;
const REST_MAX_MS = 60_000;
/**
 * An open bucket of so few rows is counted by the API when it is asked (open-buckets.ts), and stored once it is over: events
 * that come one by one would each cost three writes.
 */
export const COUNTED_WHEN_READ_MAX = 200;
/** Until the next read of a bucket that cannot be read and whose rows may be gone. */
const LOST_LOOK_MS = 30 * 86_400_000;

/** A minute of one merchant, and shard, whose rows changed at `changedAtMs`. */
export interface ChangedMinute {
  readonly merchantId: string;
  readonly startMs: number;
  readonly changedAtMs: number;
  /** Absent = 0. */
  readonly shard?: number;
}

/** The counts of a minute's rows, not stored yet. */
export interface MinuteCount extends FoldResult {
  readonly key: BucketKey;
  /** The bucket as it was stored before its rows were read. */
  readonly seen: BucketRow | null;
  readonly countedAtMs: number;
  /** Its due time has come, or it never had one: its stranded and waiting rows must be handled now. */
  readonly due: boolean;
  /** Of some rows of an open bucket, which stays as it is. */
  readonly isLook?: true;
}

/**
 * The bucket was counted a moment ago: count it again at that time. Null: that count saw everything, or it is due soon.
 */
export interface Resting {
  readonly untilMs: number | null;
}

/** Reads only. Rows that cannot be counted are reported, and stay open. `afterRows`: see `RecountOptions`. */
export async function countMinute(
  { merchantId, startMs, changedAtMs, shard = 0 }: ChangedMinute,
  ports: CountPorts,
  { afterRows }: Pick<RecountOptions, 'afterRows'> = {},
): Promise<MinuteCount | Resting> {
  const key: BucketKey = inShard({ merchantId, grain: 'minute', startMs }, shard);
  const lookedAtMs = ports.clock.now();
  const look = await lookAtOpen(key, lookedAtMs, ports, COUNTED_WHEN_READ_MAX);
  if (look !== null)
    return { ...reported(look, ports), key, seen: null, countedAtMs: lookedAtMs, due: true, isLook: true };
  const seen = await ports.counters.read(key);
  const nowMs = ports.clock.now();
  const resting = seen === null ? null : restOf(seen, changedAtMs, nowMs);
  if (resting !== null) return resting;
  const fold = await recount(merchantId, startMs, bucketEndOf(key), ports, {
    shard,
    settled: seen?.settled?.credits ?? {},
    ...(afterRows === undefined ? {} : { afterRows }),
  });
  const due = seen === null || isDue(seen, nowMs);
  return { ...reported(fold, ports), key, seen, countedAtMs: nowMs, due };
}

function reported(fold: FoldResult, { report }: Pick<CountPorts, 'report'>): FoldResult {
  for (const { error } of fold.uncounted)
    if (!(error instanceof UnreadableRowError)) report('a row could not be counted', error);
  return fold;
}

/** Stores the count, its hour and its day. False if another process wrote the bucket since it was read: count again. */
export async function storeCount(count: MinuteCount, ports: CountPorts): Promise<boolean> {
  const { key, seen, counters, countedAtMs, isLook = false } = count;
  if (isLook) return true;
  if (seen !== null && hasLostRows(count, seen)) return await leaveAsItIs(seen, countedAtMs, ports);
  const version = seen?.version ?? 0;
  const dueAtMs = nextDue(count);
  const isOpen = dueAtMs !== undefined && dueAtMs <= countedAtMs;
  if (isOpen && dueAtMs === seen?.dueAtMs && rowsIn(counters) <= COUNTED_WHEN_READ_MAX) return true;
  const row = (version: number, dueAtMs: number | undefined): BucketRow => ({
    key,
    version,
    counters,
    foldedAtMs: countedAtMs,
    ...(dueAtMs === undefined ? {} : { dueAtMs }),
  });
  if (isWrong(seen, counters)) {
    // The due time stays for now: if this process crashes before the hour is written, the sweep finds the bucket again.
    if (!(await ports.counters.write(row(version + 1, dueAtMs ?? countedAtMs + OPEN_REFOLD_MIN_MS))))
      return false;
    await rollUp(key, ports);
    if (dueAtMs === undefined) await ports.counters.write(row(version + 2, undefined));
    return true;
  }
  await rollUp(key, ports);
  return dueAtMs === seen?.dueAtMs || (await ports.counters.write(row(version + 1, dueAtMs)));
}

/**
 * Rows of such an old bucket may have expired. Fewer rows than were counted do not make the count wrong, and an
 * unreadable bucket cannot be replaced by a count.
 */
function hasLostRows({ key, counters, countedAtMs }: MinuteCount, seen: BucketRow): boolean {
  if (countedAtMs < key.startMs + ROWS_KEPT_MIN_MS) return false;
  return seen.unreadable === true || rowsIn(counters) < rowsIn(seen.counters);
}

async function leaveAsItIs(seen: BucketRow, nowMs: number, { counters }: CountPorts): Promise<boolean> {
  if (seen.dueAtMs === undefined || seen.dueAtMs > nowMs) return true;
  if (seen.unreadable === true) {
    // A later release may read it.
    await counters.markDue(seen.key, nowMs + LOST_LOOK_MS);
    return true;
  }
  const { dueAtMs: _, ...row } = seen;
  return await counters.write({ ...row, version: seen.version + 1 });
}

const isDue = ({ dueAtMs }: BucketRow, nowMs: number): boolean => dueAtMs !== undefined && dueAtMs <= nowMs;

/**
 * A busy bucket is not counted again for every hint: it is due later anyway, so an ignored hint causes no wrong count.
 */
function restOf(
  { foldedAtMs, dueAtMs, counters }: BucketRow,
  changedAtMs: number,
  nowMs: number,
): Resting | null {
  if (foldedAtMs === undefined || dueAtMs === undefined || dueAtMs <= nowMs || foldedAtMs > nowMs)
    return null;
  if (foldedAtMs > changedAtMs + SETTLED_MS) return { untilMs: null };
  const { events, bots, merged } = counters;
  const restMs = Math.min((events + bots + merged) * REST_PER_ROW_MS, REST_MAX_MS);
  const untilMs = foldedAtMs + restMs;
  if (nowMs >= untilMs) return null;
  return { untilMs: dueAtMs > untilMs + restMs ? untilMs : null };
}

/**
 * A future due time stays: a process has marked rows for it. A past one stays in a bucket of ten minutes that is not over, so
 * that each sweep looks for its stranded rows; else it moves to the next useful look, further away the
 * older its open deliveries are, and is removed when the bucket is sealed and over. Parked rows change only when their
 * connection does: a bucket with only parked rows is read at growing intervals, for any number of paused connections.
 */
function nextDue({ key, seen, open, parked, stranded, countedAtMs: nowMs }: MinuteCount): number | undefined {
  const dueAtMs = seen?.dueAtMs;
  const endMs = bucketEndOf(key);
  if (dueAtMs !== undefined && dueAtMs > nowMs) return dueAtMs;
  if (isSparse(key) && nowMs < endMs + SETTLED_MS) return dueAtMs ?? nowMs;
  // The interval doubles: in a backlog, rows that only wait must not get new pointers again and again.
  if (stranded.length > 0) return nowMs + Math.max(SECOND_LOOK_MS, nowMs - endMs);
  if (nowMs < endMs + SETTLED_MS) return nowMs + SECOND_LOOK_MS;
  if (open > 0 && parked === open) return nowMs + parkedRefoldMs(nowMs - endMs);
  if (open > 0) return nowMs + Math.max(OPEN_REFOLD_MIN_MS, Math.floor((nowMs - endMs) / 8));
  if (nowMs < endMs + SEAL_MS) return endMs + SEAL_MS;
  return undefined;
}

function parkedRefoldMs(ageMs: number): number {
  const mostMs = Math.max(PARKED_REFOLD_MAX_MS, Math.floor(ageMs * PARKED_REFOLD_SHARE));
  return Math.min(mostMs, Math.max(OPEN_REFOLD_MIN_MS, ageMs));
}
