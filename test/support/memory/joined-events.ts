// The events table in memory as a reader sees it: rows of batches with what became of them. For checks and tests.
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { createJoinedEventStore, withOutcomes } from '#lib/events/pipeline/outcomes-of-batches.ts';
import type { MemoryBatchStore } from './batch-store.ts';
import type { MemoryEventStore } from './event-store.ts';

export function joinedMemoryEvents(events: MemoryEventStore, batches: MemoryBatchStore): MemoryEventStore {
  const joined = (row: EventRow): EventRow =>
    row.state === 'normalized' ? withOutcomes(row, batches.outcomes()) : row;
  return {
    ...events,
    ...createJoinedEventStore(events, batches),
    rows: () => events.rows().map(joined),
    archived: () => new Map([...events.archived()].map(([id, row]) => [id, joined(row)])),
  };
}
