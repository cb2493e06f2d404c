import { createMemoryRefusalStore } from '../../support/memory/refusal-store.ts';
import { refusalStoreConformance } from './refusal-store.suite.ts';

const store = createMemoryRefusalStore();
refusalStoreConformance('memory', async () => store);
