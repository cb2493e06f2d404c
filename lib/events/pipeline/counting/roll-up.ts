// Minutes → their hour → its day, by reading the version of the sum, then its parts, then overwriting if the version is the
// same. Guarantees: whoever stored a minute calls `rollUp` before the minute's due time goes, so no sum stays behind.
// An hour of few shards is summed with every minute that is stored. One of many is made due instead, as a minute is, and
// summed by the next sweep: to read 60 minutes of 40 shards for each of them would cost more than counting them.

import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { SlotCounters } from '../../domain/analytics/analytics.ts';
import { sameCounters } from '../../domain/analytics/difference.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import { shardOf } from '../../domain/shard.ts';
import type { SlotKey, SlotRow } from '../../ports/counter-store.ts';
import type { CountPorts } from './ports.ts';

/** Shards of an hour's minutes that are summed with every minute. */
const SUMMED_AT_ONCE_MAX = 4;
const TRIES_MAX = 12;

type RollUpPorts = Pick<CountPorts, 'counters' | 'clock' | 'report'>;

/** To be called once the minute is stored, whether or not it was wrong: whoever stored it before may have died here. */
export async function rollUp(minute: SlotKey, ports: RollUpPorts): Promise<void> {
  const hour = above(minute, 'hour', HOUR_MS);
  const seen = await ports.counters.read(hour);
  if (Math.max(shardOf(minute) + 1, seen?.shards ?? 1) <= SUMMED_AT_ONCE_MAX) {
    await sumInto(hour, 'minute', HOUR_MS, ports, seen);
    await sumInto(above(hour, 'day', DAY_MS), 'hour', DAY_MS, ports);
    return;
  }
  // Also where it is due already: whoever is summing it has read this minute before it was stored, and must not end it.
  const nowMs = ports.clock.now();
  await ports.counters.markDue(hour, Math.min(seen?.dueAtMs ?? nowMs, nowMs));
}

/** Sums an hour that is due, and its day. Throws when others keep writing it; where it is not due, somebody has done so. */
export async function rollUpHour(hour: SlotKey, ports: RollUpPorts): Promise<void> {
  await retryConflicts({ what: 'an hour', triesMax: TRIES_MAX }, async () => {
    const seen = await ports.counters.read(hour);
    if (seen?.dueAtMs === undefined) return undefined;
    const sum = await sumOf(hour, 'minute', HOUR_MS, ports);
    let { version } = seen;
    if (isWrong(seen, sum.counters)) {
      version += 1;
      // Due until its day has it as well: if this process dies in between, somebody must come back.
      if (!(await ports.counters.write({ ...sum, version, dueAtMs: seen.dueAtMs }))) return CONFLICT;
    }
    await sumInto(above(hour, 'day', DAY_MS), 'hour', DAY_MS, ports);
    return (await ports.counters.write({ ...sum, version: version + 1 })) ? undefined : CONFLICT;
  });
}

const above = ({ merchantId, startMs }: SlotKey, grain: SlotKey['grain'], lengthMs: number): SlotKey => ({
  merchantId,
  grain,
  startMs: floorTo(startMs, lengthMs),
});

/** `first`: the sum as it was just read. */
async function sumInto(
  key: SlotKey,
  parts: SlotKey['grain'],
  lengthMs: number,
  ports: RollUpPorts,
  first?: SlotRow | null,
): Promise<void> {
  let known = first;
  await retryConflicts({ what: 'a coarser slot', triesMax: TRIES_MAX }, async () => {
    const seen = known === undefined ? await ports.counters.read(key) : known;
    known = undefined;
    const sum = await sumOf(key, parts, lengthMs, ports);
    if (!isWrong(seen, sum.counters) && seen?.shards === sum.shards) return undefined;
    // What made it due wants to have it summed, which this is; it goes when the day has it too.
    const due = seen?.dueAtMs === undefined ? {} : { dueAtMs: seen.dueAtMs };
    const isWritten = await ports.counters.write({ ...sum, ...due, version: (seen?.version ?? 0) + 1 });
    return isWritten ? undefined : CONFLICT;
  });
}

async function sumOf(
  key: SlotKey,
  parts: SlotKey['grain'],
  lengthMs: number,
  ports: RollUpPorts,
): Promise<Pick<SlotRow, 'key' | 'counters' | 'shards'>> {
  const rows = await ports.counters.range(key.merchantId, parts, key.startMs, key.startMs + lengthMs);
  await mendParts(rows, ports);
  const counters = sumCounters(rows.map((row) => row.counters));
  const shards = rows.reduce((most, part) => Math.max(most, shardOf(part.key) + 1), 1);
  return { key, counters, ...(shards > SUMMED_AT_ONCE_MAX ? { shards } : {}) };
}

/** A part that cannot be read is missing from the sum until its first minute was counted anew. */
async function mendParts(rows: readonly SlotRow[], { counters, clock, report }: RollUpPorts): Promise<void> {
  for (const { key, unreadable } of rows) {
    if (unreadable !== true) continue;
    report('a counter row cannot be read and is counted anew', new Error(`${key.grain} ${key.startMs}`));
    await counters.markDue({ ...key, grain: 'minute' }, clock.now());
  }
}

export function isWrong(seen: SlotRow | null, counters: SlotCounters): boolean {
  return seen === null || seen.unreadable === true || !sameCounters(seen.counters, counters);
}
