import { createMemoryReconciliationStore } from '../../support/memory/reconciliation-store.ts';
import { reconciliationStoreConformance } from './reconciliation-store.suite.ts';

const store = createMemoryReconciliationStore();
reconciliationStoreConformance('memory', async () => store);
