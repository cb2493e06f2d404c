import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { joinedEventStoreConformance } from './joined-event-store.suite.ts';

const events = createMemoryEventStore();
const batches = createMemoryBatchStore();
joinedEventStoreConformance('memory', () => ({
  events,
  batches,
  spoil: async (batch, platform) => batches.spoil(batch, platform),
}));
