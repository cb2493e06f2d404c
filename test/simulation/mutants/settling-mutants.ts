// Ways to settle credit twice, halfway, or over what others know better.
import { creditIn } from '#lib/events/domain/analytics/settled-credit.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { MemoryCounterStore } from '../../support/memory/counter-store.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

export function settlingMutants(): Mutant[] {
  const store = (variant: (store: MemoryCounterStore) => Partial<CounterStore>): Mutation => ({
    counters: (base) => ({ ...base, ...variant(base) }),
  });
  return caughtBy('settles', 'G11', {
    'settles orders and not their counters': store(() => ({ settle: async () => true })),
    'counts twice what was settled': store((base) => ({
      write: async (row) => {
        const credits = { ...row.counters.credits };
        for (const text of Object.values((await base.read(row.key))?.settled?.credits ?? {})) {
          const { touch } = creditIn(text);
          const before = credits[touch] ?? { orders: 0, unlinked: 0, revenue: {} };
          credits[touch] = { ...before, orders: before.orders + 1 };
        }
        return await base.write({ ...row, counters: { ...row.counters, credits } });
      },
    })),
    'settles a slot over what others settled meanwhile': store((base) => ({
      settle: async (key, credits, _seen, dueAtMs) => {
        const seen = (await base.read(key))?.settled?.revision ?? 0;
        return await base.settle(key, credits, seen, dueAtMs);
      },
    })),
    'settles an order over what others wrote to it meanwhile': {
      orders: (base) => ({
        ...base,
        write: async (merchantId, digest, order) => {
          const stored = await base.read(merchantId, digest, order.counted.receivedAtMs);
          const version = stored === 'unreadable' ? 0 : stored.version;
          return await base.write(merchantId, digest, order, version);
        },
      }),
    },
    'settles a slot and leaves it to the next who counts it': store((base) => ({
      settle: async (key, credits, seen, dueAtMs) => {
        const before = await base.read(key);
        if (!(await base.settle(key, credits, seen, dueAtMs))) return false;
        const after = await base.read(key);
        if (after === null || before?.dueAtMs !== undefined) return true;
        const { dueAtMs: _, ...row } = after;
        return await base.write({ ...row, version: row.version + 1 });
      },
    })),
  });
}
