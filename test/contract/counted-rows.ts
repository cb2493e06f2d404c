// Rows in batches, and their counters, as normalize and aggregate leave them.
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../lib/events/domain/analytics/analytics.ts';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { BatchKey } from '../../lib/events/domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '../../lib/events/domain/deliveries/batch-outcomes.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { bucketStartOf } from '../../lib/events/domain/shard.ts';
import { countMinute, storeCount } from '../../lib/events/pipeline/counting/count-minute.ts';
import type { CountPorts } from '../../lib/events/pipeline/counting/ports.ts';
import type { BatchStore } from '../../lib/events/ports/batch-store.ts';
import { type BucketKey, type CounterStore, GRAIN_MS } from '../../lib/events/ports/counter-store.ts';
import type { EventStore } from '../../lib/events/ports/event-store.ts';
import { manifestOf } from '../support/manifest.ts';
import { MINE, NOW } from './api-host.ts';
import { store } from './stored-rows.ts';

/** Rows of one bucket, at most 100, with what became of them at each target. */
export async function storeTogether(
  { events, batches }: { readonly events: EventStore; readonly batches: BatchStore },
  rows: readonly NormalizedRow[],
  id: string,
): Promise<void> {
  const [{ receivedAtMs, shard = 0 }] = rows as [NormalizedRow];
  const batch: BatchKey = { merchantId: MINE, minuteMs: bucketStartOf(receivedAtMs, shard), shard, id };
  await batches.putManifest(manifestOf(batch, rows));
  for (const target of new Set(rows.flatMap(({ deliveries }) => Object.keys(deliveries)))) {
    const changes = new Map(
      rows.flatMap(({ deliveries }, at) => (deliveries[target] ? [[at, deliveries[target]] as const] : [])),
    );
    await batches.writeOutcomes(nextOutcomes(emptyOutcomes(batch, target), changes), 0);
  }
  for (const [position, row] of rows.entries())
    await store(events, { ...row, deliveries: {}, place: { batch, position } });
}

export type Counting = Omit<CountPorts, 'report' | 'counters'> & { readonly counters: CounterStore };

/** The bucket that holds this moment, and its hour and day. */
export async function countAt(atMs: number, shard: number, ports: Counting): Promise<void> {
  const startMs = bucketStartOf(atMs, shard);
  const { counters } = ports;
  await counters.markDue({ merchantId: MINE, grain: 'minute', startMs, shard }, NOW);
  if (shard > 0) await counters.openShard(MINE, floorTo(startMs, DAY_MS), shard);
  const report = (_: string, error: unknown) => {
    throw error;
  };
  const count = await countMinute(
    { merchantId: MINE, startMs, shard, changedAtMs: NOW },
    { ...ports, report },
  );
  if ('untilMs' in count || !(await storeCount(count, { ...ports, report })))
    throw new Error('it was not counted');
}

/**
 * Counters of so many days, as if there were rows beside those that were counted in the minutes begun at `counted`: hours and minutes
 * are written where a list looks for them. `restOf`: null for what was never counted.
 */
export async function countRest(
  counters: CounterStore,
  days: number,
  counted: readonly number[],
  restOf: (minutes: number, key: BucketKey) => BucketCounters | null,
): Promise<void> {
  const spans: [BucketKey['grain'], number, number][] = [
    ['day', floorTo(NOW - days * DAY_MS, DAY_MS), NOW + 1],
  ];
  const looked = [...counted, NOW];
  for (const atMs of new Set(looked.map((one) => floorTo(one, DAY_MS))))
    spans.push(['hour', atMs, Math.min(atMs + DAY_MS, NOW + 1)]);
  for (const atMs of new Set(looked.map((one) => floorTo(one, HOUR_MS))))
    spans.push(['minute', atMs, Math.min(atMs + HOUR_MS, NOW - 10 * MINUTE_MS)]);
  for (const [grain, fromMs, toMs] of spans) {
    const rows = await counters.range(MINE, grain, fromMs, toMs);
    const byStart = new Map(rows.map((row) => [row.key.startMs, row]));
    const minutes = GRAIN_MS[grain] / MINUTE_MS;
    for (let startMs = fromMs; startMs < toMs; startMs += GRAIN_MS[grain]) {
      const row = byStart.get(startMs);
      if (row !== undefined && grain === 'minute') continue;
      const key = { merchantId: MINE, grain, startMs };
      const rest = restOf(minutes - (row === undefined ? 0 : 1), key);
      if (rest === null) continue;
      const foldedAtMs = startMs + GRAIN_MS[grain] + HOUR_MS;
      await counters.write({
        ...{ key, foldedAtMs, version: (row?.version ?? 0) + 1 },
        counters: sumCounters([rest, ...(row === undefined ? [] : [row.counters])]),
      });
    }
  }
}
