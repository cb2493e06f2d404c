import type { BatchKey, Manifest } from '#lib/events/domain/deliveries/batch.ts';
import { targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { settledCounters } from '#lib/events/pipeline/counting/count-batches.ts';

/** As normalization puts it. `targets`: of all rows, instead of their own. */
export const manifestOf = (
  batch: BatchKey,
  rows: readonly NormalizedRow[],
  targets?: readonly string[],
): Manifest => ({
  batch,
  routingVersion: rows[0]?.routingVersion ?? 1,
  counters: settledCounters(rows),
  rows: rows.map((row) => {
    const { key, ingestId, event } = row;
    const { channel, eventId } = key;
    return { channel, eventId, ingestId, name: event.name, targets: targets ?? targetsOf(row) };
  }),
});
