// Ways to count wrongly.

import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import { type MemoryCounterStore, slotText } from '../../support/memory/counter-store.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

export function counterMutants(): Mutant[] {
  const store = (variant: (store: MemoryCounterStore) => Partial<CounterStore>): Mutation => ({
    counters: (base) => ({ ...base, ...variant(base) }),
  });
  return [
    ...caughtBy('folds', 'G11', {
      'overwrites a slot whatever its version': store((base) => ({
        write: async (row) => {
          const version = ((await base.read(row.key))?.version ?? 0) + 1;
          return await base.write({ ...row, version });
        },
      })),
      'adds to a slot instead of counting it anew': store((base) => ({
        write: async (row) => {
          const before = (await base.read(row.key))?.counters.events ?? 0;
          const events = before + row.counters.events;
          return await base.write({ ...row, counters: { ...row.counters, events } });
        },
      })),
      'does not announce rows before it writes them': store(() => ({ markDue: async () => undefined })),
      'reads the rows before the version': store((base) => ({
        read: async (key) => {
          const current = () => base.rows().find((row) => slotText(row.key) === slotText(key));
          const seen = current();
          // The fold asks for the version when it has the rows: here it is told what it is by then.
          return seen
            ? {
                ...seen,
                get version() {
                  return current()?.version ?? 0;
                },
              }
            : null;
        },
      })),
      'forgets that somebody announced rows for later': store((base) => ({
        markDue: async (key, dueAtMs) => {
          const seen = await base.read(key);
          if (seen === null) await base.markDue(key, dueAtMs);
        },
      })),
    }),
  ];
}
