import type { BatchKey, Manifest } from '#lib/events/domain/deliveries/batch.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { settledCounters } from '#lib/events/pipeline/counting/count-batches.ts';

/** As normalization puts it, of rows that all of these platforms are to have. */
export const manifestOf = (
  batch: BatchKey,
  rows: readonly NormalizedRow[],
  targets: readonly string[],
): Manifest => ({
  batch,
  routingVersion: 1,
  counters: settledCounters(rows),
  rows: rows.map(({ key: { channel, eventId }, ingestId, event: { name } }) => ({
    channel,
    eventId,
    ingestId,
    name,
    targets,
  })),
});
