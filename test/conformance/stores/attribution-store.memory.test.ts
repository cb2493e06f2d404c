import { createMemoryAttributionStore } from '../../support/memory/attribution-store.ts';
import { attributionStoreConformance } from './attribution-store.suite.ts';

const store = createMemoryAttributionStore();
attributionStoreConformance('memory', async () => store);
