// Trusts nobody: recounts a sealed hour of every merchant from its rows, publishes the difference to what analytics
// says, has it mended, and makes slots due again that hold rows nobody would look at.

import { floorTo, HOUR_MS, MINUTE_MS } from '../../../lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS, type SlotCounters } from '../../../lib/events/domain/analytics.ts';
import {
  countersDifference,
  type FigureDifference,
} from '../../../lib/events/domain/analytics-difference.ts';
import { sumCounters } from '../../../lib/events/domain/analytics-sum.ts';
import { grouped } from '../../../lib/events/domain/pointer.ts';
import { inShard, shardOf } from '../../../lib/events/domain/shard.ts';
import { SEAL_MS } from '../../../lib/events/pipeline/counting/count-minute.ts';
import type { StrandedRow } from '../../../lib/events/pipeline/counting/count-rows.ts';
import { countedAt, slotOf } from '../../../lib/events/pipeline/counting/due-slots.ts';
import { recount, recountShards } from '../../../lib/events/pipeline/counting/recount.ts';
import type { SlotKey, SlotRow } from '../../../lib/events/ports/counter-store.ts';
import { slotRefreshes } from '../aggregate/message.ts';
import type { ReconcilePorts } from './ports.ts';

export interface ReconcileReport {
  readonly hourStartMs: number;
  readonly merchants: number;
  /** Figures of minutes that were done, and are wrong, over all merchants: 0 is the only good number. */
  readonly drift: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  /** Merchants whose hour differs only where a minute is still due: its rows move, and it is counted again. */
  readonly late: number;
  /** Unfinished rows that no due time covered and whose slot was not due either. */
  readonly redriven: number;
  /** Merchants whose hour could not be recounted. */
  readonly failed: number;
}

export interface Difference extends FigureDifference {
  readonly merchantId: string;
  readonly grain: SlotKey['grain'];
  readonly startMs: number;
  readonly shard?: number;
}

const DIFFERENCES_MAX = 10;
/** What manifests add up to is what is to be checked. */
const EVERY_ROW = { everyRow: true };

/** Audits the newest hour that is sealed. Repeating it is harmless. Throws when no merchant's could be recounted. */
export async function runReconcile(ports: ReconcilePorts): Promise<ReconcileReport> {
  const hourStartMs = floorTo(ports.clock.now() - SEAL_MS - HOUR_MS, HOUR_MS);
  const differences: Difference[] = [];
  let merchants = 0;
  let drift = 0;
  let late = 0;
  let redriven = 0;
  let failed = 0;
  for await (const merchantId of ports.merchants()) {
    merchants += 1;
    try {
      const opened = await ports.counters.openedShards(merchantId, hourStartMs, hourStartMs + HOUR_MS);
      const shards = [0, ...opened.map(({ shard }) => shard)];
      const hour = { merchantId, fromMs: hourStartMs, lengthMs: HOUR_MS };
      const fold = await recountShards(hour, shards, ports, EVERY_ROW);
      const found = await compareHour(merchantId, hourStartMs, shards, fold.counters, ports);
      if (found !== null) {
        drift += found.length;
        late += found.length === 0 ? 1 : 0;
        differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length));
      }
      redriven += await redriveStranded(merchantId, hourStartMs, fold.stranded, ports);
    } catch (error) {
      failed += 1;
      ports.report('an hour of a merchant could not be recounted', error);
    }
  }
  if (merchants > 0 && failed === merchants) throw new Error('no hour of any merchant could be recounted');
  return { hourStartMs, merchants, drift, differences, late, redriven, failed };
}

/** Null where the hour is right; else it is counted again, and what should not have been wrong is named. */
async function compareHour(
  merchantId: string,
  hourStartMs: number,
  shards: readonly number[],
  counters: SlotCounters,
  ports: ReconcilePorts,
): Promise<readonly Difference[] | null> {
  const key: SlotKey = { merchantId, grain: 'hour', startMs: hourStartMs };
  const stored = await ports.counters.read(key);
  if (countersDifference(stored?.counters ?? EMPTY_COUNTERS, counters).length === 0) return null;
  const starts = Array.from({ length: HOUR_MS / MINUTE_MS }, (_, i) => hourStartMs + i * MINUTE_MS);
  const minuteKeys = starts.flatMap((startMs) =>
    shards.map((shard): SlotKey => inShard({ merchantId, grain: 'minute', startMs }, shard)),
  );
  const rows = await ports.counters.range(merchantId, 'minute', hourStartMs, hourStartMs + HOUR_MS);
  const minutes = new Map(rows.map((row) => [slotId(row.key), row]));
  const found: Difference[] = [];
  for (const minuteKey of minuteKeys) {
    const { startMs } = minuteKey;
    const minute = minutes.get(slotId(minuteKey));
    // A row that moved since it was counted is no error: the minute is due, and counted again.
    if (minute?.dueAtMs !== undefined) continue;
    const options = { ...EVERY_ROW, shard: shardOf(minuteKey) };
    const fold = await recount(merchantId, startMs, startMs + MINUTE_MS, ports, options);
    found.push(...differencesOf(minuteKey, minute, fold.counters));
  }
  // The hour follows its minutes, unless one of them is about to be written.
  if ([...rows, stored].every((row) => row?.dueAtMs === undefined))
    found.push(...differencesOf(key, stored ?? undefined, sumCounters(rows.map((row) => row.counters))));
  await ports.counterRefresh.send(grouped(slotRefreshes(minuteKeys)));
  return found;
}

/** `left` is what analytics says, `right` what the rows or the finer slots say. */
function differencesOf(
  key: SlotKey,
  stored: SlotRow | undefined,
  counted: SlotCounters,
): readonly Difference[] {
  const differences = countersDifference(stored?.counters ?? EMPTY_COUNTERS, counted);
  return differences.map((difference) => ({ ...key, ...difference }));
}

/** The sweep finds a slot that is due, and its fold tells the rows. */
async function redriveStranded(
  merchantId: string,
  hourStartMs: number,
  stranded: readonly StrandedRow[],
  ports: ReconcilePorts,
): Promise<number> {
  if (stranded.length === 0) return 0;
  const slots = await ports.counters.range(merchantId, 'minute', hourStartMs, hourStartMs + HOUR_MS);
  const due = new Set(slots.filter((slot) => slot.dueAtMs !== undefined).map((slot) => slotId(slot.key)));
  const forgotten = stranded.map((row) => slotOf(countedAt(row))).filter((key) => !due.has(slotId(key)));
  for (const key of new Map(forgotten.map((key) => [slotId(key), key])).values())
    await ports.counters.markDue(key, ports.clock.now());
  return forgotten.length;
}

const slotId = (key: SlotKey): string => `${key.startMs}/${shardOf(key)}`;
