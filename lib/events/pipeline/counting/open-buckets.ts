// Counters as they are now. A bucket of ten minutes that is not over is not stored by every fold (count-minute.ts): its rows
// are counted when it is read, and so are they in its hour and day. Guarantees: of a merchant without such a bucket nothing
// more is read than the minutes of the last half an hour.
import type { Clock } from '#lib/core/ports/clock.ts';
import { floorTo } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import { NOT_SETTLED } from '../../domain/analytics/settled-credit.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import { bucketEndOf, isSparse, SPARSE_BUCKET_MS, shardOf } from '../../domain/shard.ts';
import {
  type BucketKey,
  type BucketRow,
  type CounterStore,
  FINER,
  GRAIN_MS,
} from '../../ports/counter-store.ts';
import { COUNTED_WHEN_READ_MAX, SEAL_MS } from './count-minute.ts';
import { type RecountPorts, recount } from './recount.ts';

/** A bucket is stored within two sweeps of its end; one that is not, because sweeps are late, is shown as it was stored. */
const RECENT_MS = 3 * SPARSE_BUCKET_MS;

class TooManyRows extends Error {}

export interface OpenBucketPorts extends RecountPorts {
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

type Range = CounterStore['range'];
/** By start. */
type Counted = ReadonlyMap<number, BucketCounters>;

/** `range` of the same counters. */
export function withOpenBuckets(range: Range, ports: OpenBucketPorts): Range {
  /** Requests for one page come side by side. */
  const underWay = new Map<string, Promise<Counted>>();
  const countOpen = (merchantId: string): Promise<Counted> => {
    const counting =
      underWay.get(merchantId) ??
      openBuckets(merchantId, range, ports).finally(() => underWay.delete(merchantId));
    underWay.set(merchantId, counting);
    return counting;
  };
  return async (merchantId, grain, fromMs, toMs) => {
    if (toMs <= ports.clock.now() - RECENT_MS) return await range(merchantId, grain, fromMs, toMs);
    const counted = await countOpen(merchantId);
    return await rangeWith(counted, { range, merchantId, grain, fromMs, toMs });
  };
}

async function openBuckets(merchantId: string, range: Range, ports: OpenBucketPorts): Promise<Counted> {
  const nowMs = ports.clock.now();
  const fromMs = floorTo(nowMs - RECENT_MS, SPARSE_BUCKET_MS);
  const open = (await range(merchantId, 'minute', fromMs, nowMs + 1)).filter(isUnsettled);
  const counted = new Map<number, BucketCounters>();
  for (const bucket of open) {
    const { key } = bucket;
    const counters = await countFew(bucket, ports);
    if (counters !== null) counted.set(key.startMs, counters);
  }
  return counted;
}

/** Announced, and not stored as over since. */
function isUnsettled({ key, dueAtMs }: BucketRow): boolean {
  return isSparse(key) && dueAtMs !== undefined && dueAtMs < bucketEndOf(key) + SEAL_MS;
}

/** Null where it has more rows, and is stored by every fold, or cannot be counted. */
async function countFew(
  { key, settled = NOT_SETTLED }: BucketRow,
  ports: OpenBucketPorts,
): Promise<BucketCounters | null> {
  const afterRows = async (rows: number): Promise<void> => {
    if (rows > COUNTED_WHEN_READ_MAX) throw new TooManyRows();
  };
  try {
    const options = { shard: shardOf(key), settled: settled.credits, afterRows };
    return (await recount(key.merchantId, key.startMs, bucketEndOf(key), ports, options)).counters;
  } catch (error) {
    if (!(error instanceof TooManyRows)) ports.report('an open bucket was not counted', error);
    return null;
  }
}

interface Wanted {
  readonly range: Range;
  readonly merchantId: string;
  readonly grain: BucketKey['grain'];
  readonly fromMs: number;
  readonly toMs: number;
}

async function rangeWith(counted: Counted, wanted: Wanted): Promise<readonly BucketRow[]> {
  const { range, merchantId, grain, fromMs, toMs } = wanted;
  const rows = await range(merchantId, grain, fromMs, toMs);
  if (counted.size === 0) return rows;
  if (grain === 'minute')
    return rows.map((row) => {
      const counters = isSparse(row.key) ? counted.get(row.key.startMs) : undefined;
      return counters === undefined ? row : { ...row, counters };
    });
  const lengthMs = GRAIN_MS[grain];
  const starts = new Set([...counted.keys()].map((startMs) => floorTo(startMs, lengthMs)));
  const sums = await Promise.all(
    [...starts]
      .filter((startMs) => startMs >= fromMs && startMs < toMs)
      .map(async (startMs): Promise<BucketRow> => {
        const part = { ...wanted, grain: FINER[grain], fromMs: startMs, toMs: startMs + lengthMs };
        const counters = sumCounters((await rangeWith(counted, part)).map((row) => row.counters));
        const stored = rows.find(({ key }) => key.startMs === startMs);
        const { parts: _, cut: __, ...row } = stored ?? { version: 0 };
        return { ...row, key: { merchantId, grain, startMs }, counters };
      }),
  );
  const others = rows.filter(({ key }) => !starts.has(key.startMs));
  return [...others, ...sums].sort((a, b) => a.key.startMs - b.key.startMs);
}
