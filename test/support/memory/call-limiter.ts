import { createCallLimiter } from '#lib/adapters/dynamodb/core/limits/call-limiter.ts';
import type { CallLimiter } from '#lib/core/work/call-limiter.ts';
import { createMemoryTables } from './tables.ts';

/** `ids`: of what has a window. */
export function createMemoryCallLimiter(): CallLimiter & { readonly ids: () => readonly string[] } {
  const { db, items } = createMemoryTables();
  return { ...createCallLimiter(db, 'rates'), ids: () => items('rates').map(({ pk }) => String(pk)) };
}
