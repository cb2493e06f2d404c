import { createMemoryCounterStore } from '../../../lib/adapters/memory/counter-store.ts';
import { counterStoreConformance } from './counter-store.suite.ts';

const store = createMemoryCounterStore();
counterStoreConformance('memory', async () => store);
