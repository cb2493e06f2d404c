// The events table in memory as a reader sees it: rows of batches with what became of them. For checks and tests.
import { batchId } from '#lib/events/domain/deliveries/batch.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { createJoinedEventStore, withOutcomes } from '#lib/events/pipeline/outcomes-of-batches.ts';
import type { MemoryBatchStore } from './batch-store.ts';
import type { MemoryEventStore } from './event-store.ts';

export function joinedMemoryEvents(events: MemoryEventStore, batches: MemoryBatchStore): MemoryEventStore {
  const joined = (rows: readonly EventRow[]): EventRow[] => {
    const outcomes = Map.groupBy(batches.outcomes(), ({ batch }) => batchId(batch));
    return rows.map((row) =>
      row.state === 'normalized' && row.place !== undefined
        ? withOutcomes(row, outcomes.get(batchId(row.place.batch)) ?? [])
        : row,
    );
  };
  return {
    ...events,
    ...createJoinedEventStore(events, batches),
    rows: () => joined(events.rows()),
    archived: () =>
      new Map(joined([...events.archived().values()]).map((row) => [String(row.key.archivedAs), row])),
  };
}
