// Which call a request to the database belongs to, of several that are carried out side by side.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { UnitMeter } from '../../core/tenancy/unit-budget.ts';

export function createUnitMeter(): UnitMeter {
  const current = new AsyncLocalStorage<{ read: number; write: number }>();
  const none = { read: 0, write: 0 };
  return {
    async measured(work, consumed) {
      const units = { read: 0, write: 0 };
      try {
        return await current.run(units, work);
      } finally {
        await consumed(units);
      }
    },
    add(kind, units) {
      const own = current.getStore();
      if (own !== undefined) own[kind] += units;
    },
    consumed: () => current.getStore() ?? none,
  };
}
