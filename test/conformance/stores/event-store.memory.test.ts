import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { eventStoreConformance } from './event-store.suite.ts';

const store = createMemoryEventStore();
eventStoreConformance('memory', async () => store);
