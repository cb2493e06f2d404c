import { createRunLeases } from '#lib/adapters/dynamodb/core/run-leases.ts';
import type { RunLeases } from '#lib/core/work/run-leases.ts';
import { createMemoryTables } from './tables.ts';

export const createMemoryRunLeases = (): RunLeases => createRunLeases(createMemoryTables().db, 'rates');
