import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { batchStoreConformance } from './batch-store.suite.ts';

const store = createMemoryBatchStore();
batchStoreConformance('memory', ['anything'], () => ({
  store,
  spoilers: { anything: async (batch, platform) => store.spoil(batch, platform) },
}));
