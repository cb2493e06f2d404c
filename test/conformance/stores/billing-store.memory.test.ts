import { createMemoryBillingStore } from '../../support/memory/billing-store.ts';
import { billingConformance } from './billing-store.suite.ts';

const store = createMemoryBillingStore();

billingConformance('memory', () => store);
