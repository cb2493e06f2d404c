// One hour of one merchant. An hour of few rows is recounted at once; if it differs, or has many rows, its minutes are
// recounted in messages of their own, so that no recount takes longer than one minute of a shard, however much the merchant
// sends.
import { floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { countersDifference } from '#lib/events/domain/analytics/difference.ts';
import { type SettledCredits, settledIn } from '#lib/events/domain/analytics/settled-credit.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { bucketMsOf, everyShard } from '#lib/events/domain/shard.ts';
import type { FoldResult } from '#lib/events/pipeline/counting/count-rows.ts';
import { type EveryRow, recountEveryRow, TooManyRows } from '#lib/events/pipeline/counting/recount.ts';
import type { BucketKey, BucketRow } from '#lib/events/ports/counter-store.ts';
import { bucketRefreshes } from '../aggregate/message.ts';
import { send } from './list-merchants.ts';
import type { MinutesMessage } from './message.ts';
import type { ReconcilePorts } from './ports.ts';
import { differencesOf } from './recount-minutes.ts';
import type { ReconcileReport } from './report.ts';
import { collectOrders } from './settle-orders.ts';

/**
 * A larger hour is recounted minute by minute. The counters may be wrong, so rows are also counted while they are read.
 */
const ROWS_AT_ONCE_MAX = 2_000;
const MINUTES_PER_MESSAGE = 10;

export async function recountHour(
  merchantId: string,
  hour: number,
  ports: ReconcilePorts,
): Promise<Partial<ReconcileReport>> {
  const { counters } = ports;
  const key: BucketKey = { merchantId, grain: 'hour', startMs: hour };
  const opened = await counters.openedShards(merchantId, hour, hour + HOUR_MS);
  const shards = everyShard(opened);
  const stored = await counters.read(key);
  const { events, bots, merged } = stored?.counters ?? EMPTY_COUNTERS;
  if (events + bots + merged <= ROWS_AT_ONCE_MAX) {
    const orders = collectOrders(ports);
    const rows = { shards, onOrder: orders.onOrder, settled: await settledCredits(key, stored, ports) };
    const fold = await recountAtOnce(merchantId, hour, rows, ports);
    const isRight =
      fold !== null &&
      fold.stranded.length === 0 &&
      countersDifference(stored?.counters ?? EMPTY_COUNTERS, fold.counters).length === 0;
    if (isRight) return { merchants: 1, settled: await orders.settle() };
  }
  const found = await compareWithMinutes(key, ports);
  await send(minutesOf(merchantId, hour, shards), ports.recounts);
  return { merchants: 1, ...found };
}

/** Nothing is read of an hour without orders. */
async function settledCredits(
  { merchantId, startMs }: BucketKey,
  hour: BucketRow | null,
  { counters }: ReconcilePorts,
): Promise<SettledCredits> {
  if (hour?.counters.credits === undefined) return {};
  return settledIn(await counters.range(merchantId, 'minute', startMs, startMs + HOUR_MS));
}

/** Null if it has too many rows. */
async function recountAtOnce(
  merchantId: string,
  hour: number,
  rows: Omit<EveryRow, 'rowsMax'>,
  ports: ReconcilePorts,
): Promise<FoldResult | null> {
  try {
    const bounds = { ...rows, rowsMax: ROWS_AT_ONCE_MAX };
    return await recountEveryRow(merchantId, hour, hour + HOUR_MS, ports, bounds);
  } catch (error) {
    if (error instanceof TooManyRows) return null;
    throw error;
  }
}

/** The hour must equal its minutes, unless one of them, or the hour itself, is about to be written. */
async function compareWithMinutes(
  hour: BucketKey,
  { counters, counterRefresh }: ReconcilePorts,
): Promise<Partial<ReconcileReport>> {
  const { merchantId, startMs } = hour;
  const before = await counters.read(hour);
  const rows = await counters.range(merchantId, 'minute', startMs, startMs + HOUR_MS);
  const differences = differencesOf(hour, before, sumCounters(rows.map((row) => row.counters)));
  if (differences.length === 0) return {};
  const first = { ...hour, grain: 'minute' } as const;
  await counterRefresh.send(byTenant(bucketRefreshes([rows[0]?.key ?? first])));
  const after = await counters.read(hour);
  const moves =
    after?.version !== before?.version || [...rows, after].some((row) => row?.dueAtMs !== undefined);
  return moves ? {} : { drift: differences.length, differences };
}

function minutesOf(merchant: string, hour: number, shards: readonly number[]): MinutesMessage[] {
  return shards.flatMap((shard) => {
    const lengthMs = bucketMsOf(shard);
    const starts = Array.from(
      { length: HOUR_MS / lengthMs },
      (_, i) => floorTo(hour, HOUR_MS) + i * lengthMs,
    );
    const messages: MinutesMessage[] = [];
    for (let at = 0; at < starts.length; at += MINUTES_PER_MESSAGE)
      messages.push({ hour, merchant, shard, minutes: starts.slice(at, at + MINUTES_PER_MESSAGE) });
    return messages;
  });
}
