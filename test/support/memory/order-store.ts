import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import { createMemoryTables } from './tables.ts';

/** As orders of before they were stored: each event goes out under its own id. */
export const NO_ORDERS_KNOWN: OrderStore = {
  read: async () => ({ version: 0 }),
  readMany: async () => new Map(),
  create: async () => true,
  write: async () => true,
  writeWaiting: async () => true,
};

export const createMemoryOrderStore = (): OrderStore =>
  createOrderStore(createMemoryTables().db, 'analytics');
