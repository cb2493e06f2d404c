// Rows in batches, and their counters, as normalize and aggregate leave them.
import { DAY_MS, floorTo } from '../../lib/core/work/time-slot.ts';
import type { BatchKey } from '../../lib/events/domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '../../lib/events/domain/deliveries/batch-outcomes.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { bucketStartOf } from '../../lib/events/domain/shard.ts';
import { countMinute, storeCount } from '../../lib/events/pipeline/counting/count-minute.ts';
import type { CountPorts } from '../../lib/events/pipeline/counting/ports.ts';
import type { BatchStore } from '../../lib/events/ports/batch-store.ts';
import type { CounterStore } from '../../lib/events/ports/counter-store.ts';
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
