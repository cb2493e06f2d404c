// Minutes → their hour → its day: read the version of the sum, then its parts, then overwrite if the version is the
// same. Guarantees: `rollUp` runs after a minute is stored and before the minute's due time is removed, so no sum stays
// behind. An hour of few shards is summed with every stored minute. An hour of many is marked due instead, as a minute
// is, and summed after the next sweep: reading 60 minutes of 40 shards for each of them would cost more than counting
// them.

import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import { sameCounters } from '../../domain/analytics/difference.ts';
import { digestOf, partsOfDay, partsOfHour } from '../../domain/analytics/series.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import { isSparse, shardOf } from '../../domain/shard.ts';
import type { BucketKey, BucketRow } from '../../ports/counter-store.ts';
import type { CountPorts } from './ports.ts';

/** Up to this many shards, the hour is summed with every minute. */
const SUMMED_AT_ONCE_MAX = 4;
const TRIES_MAX = 12;

type RollUpPorts = Pick<CountPorts, 'counters' | 'clock' | 'report'>;

/**
 * Call this once the minute is stored, even if its counters were right: an earlier process may have stored them and
 * crashed before this.
 */
export async function rollUp(minute: BucketKey, ports: RollUpPorts): Promise<void> {
  const hour = above(minute, 'hour', HOUR_MS);
  const seen = await ports.counters.read(hour);
  if (Math.max(shardsUpTo(minute), seen?.shards ?? 1) <= SUMMED_AT_ONCE_MAX) {
    await sumInto(hour, 'minute', HOUR_MS, ports, seen);
    await sumInto(above(hour, 'day', DAY_MS), 'hour', DAY_MS, ports);
    return;
  }
  // Even if it is due already: a process that is summing it has read this minute before it was stored, and must not
  // clear the due time.
  const nowMs = ports.clock.now();
  await ports.counters.markDue(hour, Math.min(seen?.dueAtMs ?? nowMs, nowMs));
}

/**
 * Sums an hour that is due, and its day. Throws if other writers keep winning; does nothing if it is not due, because
 * another process has summed it.
 */
export async function rollUpHour(hour: BucketKey, ports: RollUpPorts): Promise<void> {
  await retryConflicts({ what: 'an hour', triesMax: TRIES_MAX }, async () => {
    const seen = await ports.counters.read(hour);
    if (seen?.dueAtMs === undefined) return undefined;
    const sum = await sumOf(hour, 'minute', HOUR_MS, ports);
    let { version } = seen;
    if (isWrong(seen, sum.counters)) {
      version += 1;
      // Due until its day is written as well: if this process crashes in between, the sweep finds it again.
      if (!(await ports.counters.write({ ...sum, version, dueAtMs: seen.dueAtMs }))) return CONFLICT;
    }
    await sumInto(above(hour, 'day', DAY_MS), 'hour', DAY_MS, ports);
    return (await ports.counters.write({ ...sum, version: version + 1 })) ? undefined : CONFLICT;
  });
}

/** The sparse shard makes no hour a large one. */
const shardsUpTo = (minute: BucketKey): number => (isSparse(minute) ? 1 : shardOf(minute) + 1);

const above = (
  { merchantId, startMs }: BucketKey,
  grain: BucketKey['grain'],
  lengthMs: number,
): BucketKey => ({
  merchantId,
  grain,
  startMs: floorTo(startMs, lengthMs),
});

/** `first`: the sum as just read. */
async function sumInto(
  key: BucketKey,
  parts: BucketKey['grain'],
  lengthMs: number,
  ports: RollUpPorts,
  first?: BucketRow | null,
): Promise<void> {
  let known = first;
  await retryConflicts({ what: 'a coarser slot', triesMax: TRIES_MAX }, async () => {
    const seen = known === undefined ? await ports.counters.read(key) : known;
    known = undefined;
    const sum = await sumOf(key, parts, lengthMs, ports);
    const isCut = sum.cut === undefined || seen?.cut === sum.cut;
    if (!isWrong(seen, sum.counters) && seen?.shards === sum.shards && isCut) return undefined;
    // This sum satisfies the due time; it is removed once the day is written too.
    const due = seen?.dueAtMs === undefined ? {} : { dueAtMs: seen.dueAtMs };
    const isWritten = await ports.counters.write({ ...sum, ...due, version: (seen?.version ?? 0) + 1 });
    return isWritten ? undefined : CONFLICT;
  });
}

async function sumOf(
  key: BucketKey,
  parts: BucketKey['grain'],
  lengthMs: number,
  ports: RollUpPorts,
): Promise<Pick<BucketRow, 'key' | 'counters' | 'shards' | 'parts' | 'cut'>> {
  const rows = await ports.counters.range(key.merchantId, parts, key.startMs, key.startMs + lengthMs);
  await mendParts(rows, ports);
  const counters = sumCounters(rows.map((row) => row.counters));
  const shards = rows.reduce((most, part) => Math.max(most, shardsUpTo(part.key)), 1);
  return {
    ...{ key, counters },
    ...(shards > SUMMED_AT_ONCE_MAX ? { shards } : {}),
    ...cutParts(key, rows, ports),
  };
}

/** A day is cut once it is over: until then its hours are read, and each of its many sums would be written twice. */
function cutParts(
  { grain, startMs }: BucketKey,
  rows: readonly BucketRow[],
  { clock }: RollUpPorts,
): Pick<BucketRow, 'parts' | 'cut'> {
  const slots = rows.map((row) => ({ ...row, startMs: row.key.startMs }));
  if (grain === 'hour') {
    const parts = partsOfHour(slots, startMs);
    return parts === undefined ? {} : { parts };
  }
  if (clock.now() < startMs + DAY_MS) return {};
  const parts = partsOfDay(slots);
  return { parts, cut: digestOf(parts) };
}

/** A part that cannot be read is missing from the sum until its first minute has been counted again. */
async function mendParts(
  rows: readonly BucketRow[],
  { counters, clock, report }: RollUpPorts,
): Promise<void> {
  for (const { key, unreadable } of rows) {
    if (unreadable !== true) continue;
    report('a counter row cannot be read and is counted anew', new Error(`${key.grain} ${key.startMs}`));
    await counters.markDue({ ...key, grain: 'minute' }, clock.now());
  }
}

export function isWrong(seen: BucketRow | null, counters: BucketCounters): boolean {
  return seen === null || seen.unreadable === true || !sameCounters(seen.counters, counters);
}
