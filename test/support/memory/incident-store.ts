import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import type { IncidentStore } from '#lib/events/ports/incident-store.ts';
import { createMemoryTables } from './tables.ts';

export const createMemoryIncidentStore = (): IncidentStore =>
  createIncidentStore(createMemoryTables().db, 'config');
