// Minutes of one shard → what differs from their rows. A minute is the smallest part of an hour that is recounted at once: as
// many rows as a partition of the time index takes.
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { countersDifference } from '#lib/events/domain/analytics/difference.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { bucketEndOf, inShard } from '#lib/events/domain/shard.ts';
import type { FoldResult } from '#lib/events/pipeline/counting/count-rows.ts';
import { recount } from '#lib/events/pipeline/counting/recount.ts';
import type { BucketKey, BucketRow } from '#lib/events/ports/counter-store.ts';
import { bucketRefreshes } from '../aggregate/message.ts';
import type { MinutesMessage } from './message.ts';
import type { ReconcilePorts } from './ports.ts';
import { type Difference, type ReconcileReport, sumReports } from './report.ts';
import { collectOrders } from './settle-orders.ts';

/** Recounts them one after another until `isOver`, at least one. `rest`: the minutes that were not begun. */
export async function recountMinutes(
  { merchant: merchantId, shard, minutes }: MinutesMessage,
  ports: ReconcilePorts,
  isOver: () => boolean,
): Promise<{ readonly report: ReconcileReport; readonly rest: readonly number[] }> {
  const parts: Partial<ReconcileReport>[] = [];
  let done = 0;
  for (const startMs of minutes) {
    if (done > 0 && isOver()) break;
    parts.push(await recountMinute(inShard({ merchantId, grain: 'minute', startMs } as const, shard), ports));
    done += 1;
  }
  return { report: sumReports(parts), rest: minutes.slice(done) };
}

async function recountMinute(key: BucketKey, ports: ReconcilePorts): Promise<Partial<ReconcileReport>> {
  const { merchantId, startMs, shard = 0 } = key;
  const before = await ports.counters.read(key);
  // Not what manifests add up to: that is what is checked.
  const orders = collectOrders(ports);
  const { onOrder, afterRows } = orders;
  const options = { everyRow: true, shard, settled: before?.settled?.credits ?? {}, onOrder, afterRows };
  const fold = await recount(merchantId, startMs, bucketEndOf(key), ports, options);
  const found = await compareMinute(key, before, fold, ports);
  return { ...found, settled: await orders.settle() };
}

async function compareMinute(
  key: BucketKey,
  before: BucketRow | null,
  fold: FoldResult,
  { counters: slots, counterRefresh, clock }: ReconcilePorts,
): Promise<Partial<ReconcileReport>> {
  const differences = differencesOf(key, before, fold.counters);
  if (differences.length + fold.stranded.length === 0) return {};
  const after = await slots.read(key);
  let redriven = 0;
  if (fold.stranded.length > 0 && after?.dueAtMs === undefined) {
    // The sweep finds the due slot, and its fold sends pointers to the rows.
    await slots.markDue(key, clock.now());
    redriven = fold.stranded.length;
  }
  if (differences.length === 0) return { redriven };
  await counterRefresh.send(byTenant(bucketRefreshes([key])));
  // A row that moved since it was counted is no error: the minute is due, and counted again. So is one that was announced or
  // counted while its rows were read here.
  const moves = after?.dueAtMs !== undefined || after?.version !== before?.version;
  return moves ? { redriven, late: 1 } : { redriven, drift: differences.length, differences };
}

/** `left` is what analytics says, `right` what the rows or the finer slots say. */
export function differencesOf(
  key: BucketKey,
  stored: BucketRow | null | undefined,
  counted: BucketCounters,
): readonly Difference[] {
  const left = stored?.counters ?? EMPTY_COUNTERS;
  // An earlier release counted no codes: lists look through its rows for them.
  const right = left.codes === undefined ? { ...counted, codes: {} } : counted;
  const differences = countersDifference(left, right);
  return differences.map((difference) => ({ ...key, ...difference }));
}
