import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import { createMemoryTables } from './tables.ts';

export const createMemoryBillingStore = (): BillingStore =>
  createBillingStore(createMemoryTables().db, 'config');
