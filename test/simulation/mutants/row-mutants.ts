// Ways to lose a row on its way: conditions left out, due times dropped too early, nobody who looks again.
import { createAggregateStage } from '#services/events/aggregate/stage.ts';
import { runSweep } from '#services/events/sweep/stage.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant, replaceRow } from './mutant.ts';

const nobody = { send: async () => undefined };
const NOBODY = { accepted: nobody, normalized: nobody };

export function rowMutants(): Mutant[] {
  return [...rows(), ...sweeping()];
}

function rows(): Mutant[] {
  return [
    ...caughtBy('storms', 'G2', {
      'normalizes whatever state the row is in': {
        events: (store) => ({ ...store, normalize: (row) => replaceRow(store, row) }),
      },
    }),
    ...caughtBy('storms', 'G1', {
      'announces no slot before it stores a row': {
        counters: (store) => ({ ...store, markDue: async () => undefined }),
      },
      'counts rows that were forgotten and tells nobody': {
        stages: { createAggregate: (ports) => createAggregateStage({ ...ports, ...NOBODY }) },
      },
    }),
    ...caughtBy('outage', 'G12', {
      'looks at a retry a week late': {
        events: (store) => ({
          ...store,
          putDelivery: (seen, patch) =>
            store.putDelivery(seen, {
              ...patch,
              dueAtMs: patch.dueAtMs === null ? null : patch.dueAtMs + 7 * 86_400_000,
            }),
        }),
      },
    }),
  ];
}

function sweeping(): Mutant[] {
  const never: Mutation = { stages: { sweep: async () => ({ rows: 0, batches: 0, slots: 0, waiting: 0 }) } };
  const later: Mutation = {
    stages: {
      sweep: (ports) => runSweep({ ...ports, clock: { now: () => ports.clock.now() - 180_000 } }),
    },
  };
  return [
    ...caughtBy('storms', 'G1', {
      'never sweeps': never,
    }),
    ...caughtBy('purges', 'G7', {
      'never sweeps': never,
      'sweeps only what is long overdue': later,
    }),
  ];
}
