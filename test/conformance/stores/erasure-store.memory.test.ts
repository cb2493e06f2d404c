import { createMemoryErasureStore } from '../../support/memory/erasure-store.ts';
import { erasureStoreConformance } from './erasure-store.suite.ts';

const erasures = createMemoryErasureStore();
erasureStoreConformance('memory', async () => erasures);
