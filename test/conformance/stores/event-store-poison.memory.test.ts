import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { poisonConformance } from './event-store-poison.suite.ts';

const store = createMemoryEventStore();
poisonConformance('memory', ['anything'], () => ({
  store,
  spoilers: { anything: async (key) => store.spoil(key) },
}));
