// The database in memory, and the stores in memory that simulations and narrow tests use: they do as the tables do.
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createMemoryDailyBudget, createMemoryOneTimeStore } from '../../support/memory/assistant-stores.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { createMemoryCounterStore } from '../../support/memory/counter-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createMemoryIdempotencyStore } from '../../support/memory/idempotency-store.ts';
import { createMemoryTables } from '../../support/memory/tables.ts';
import { assistantConformance } from './assistant-stores.suite.ts';
import { batchStoreConformance } from './batch-store.suite.ts';
import { counterStoreConformance } from './counter-store.suite.ts';
import { eventStoreConformance } from './event-store.suite.ts';
import { poisonConformance } from './event-store-poison.suite.ts';
import { storesConformance } from './every-store.ts';
import { idempotencyConformance } from './idempotency-store.suite.ts';
import { joinedEventStoreConformance } from './joined-event-store.suite.ts';

const tables = createMemoryTables();
storesConformance('database in memory', () => ({ db: tables.db, nameOf: (table) => table }));
const tableOfBatches = createBatchStore(tables.db, 'batches');
batchStoreConformance('database in memory', [], () => ({ store: tableOfBatches, spoilers: {} }));

const [events, batches, counters] = [
  createMemoryEventStore(),
  createMemoryBatchStore(),
  createMemoryCounterStore(),
];
eventStoreConformance('memory', async () => events);
counterStoreConformance('memory', async () => counters);
poisonConformance('memory', ['anything'], () => ({
  store: events,
  spoilers: { anything: async (key) => events.spoil(key) },
}));
batchStoreConformance('memory', ['anything'], () => ({
  store: batches,
  spoilers: { anything: async (batch, platform) => batches.spoil(batch, platform) },
}));
joinedEventStoreConformance('memory', () => ({
  events,
  batches,
  spoil: async (batch, platform) => batches.spoil(batch, platform),
}));
idempotencyConformance('memory', createMemoryIdempotencyStore);
const assistant = { confirmations: createMemoryOneTimeStore(), perDay: createMemoryDailyBudget() };
assistantConformance('memory', () => assistant);
