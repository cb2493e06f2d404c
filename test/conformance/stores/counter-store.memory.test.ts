import { createMemoryCounterStore } from '../../support/memory/counter-store.ts';
import { counterStoreConformance } from './counter-store.suite.ts';

const store = createMemoryCounterStore();
counterStoreConformance('memory', async () => store);
