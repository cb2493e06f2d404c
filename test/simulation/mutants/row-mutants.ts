// Ways to lose a row on its way: conditions left out, due times dropped too early, nobody who looks again.
import { createAggregateStage } from '#services/events/aggregate/stage.ts';
import { runSweep } from '#services/events/sweep/stage.ts';
import type { Mutation } from '../world.ts';
import { type Mutant, replaceRow } from './mutant.ts';

const nobody = { send: async () => undefined };
const NOBODY = { accepted: nobody, normalized: nobody };

export function rowMutants(): Mutant[] {
  return [...rows(), ...sweeping()];
}

function rows(): Mutant[] {
  return [
    {
      name: 'normalizes whatever state the row is in',
      proof: 'storms',
      property: 'G2',
      mutation: { events: (store) => ({ ...store, normalize: (row) => replaceRow(store, row) }) },
    },
    {
      name: 'announces no slot before it stores a row',
      proof: 'storms',
      property: 'G1',
      mutation: { counters: (store) => ({ ...store, markDue: async () => undefined }) },
    },
    {
      name: 'looks at a retry a week late',
      proof: 'outage',
      property: 'G12',
      mutation: {
        events: (store) => ({
          ...store,
          putDelivery: (seen, patch) =>
            store.putDelivery(seen, {
              ...patch,
              dueAtMs: patch.dueAtMs === null ? null : patch.dueAtMs + 7 * 86_400_000,
            }),
        }),
      },
    },
    {
      name: 'counts rows that were forgotten and tells nobody',
      proof: 'storms',
      property: 'G1',
      mutation: { stages: { createAggregate: (ports) => createAggregateStage({ ...ports, ...NOBODY }) } },
    },
  ];
}

function sweeping(): Mutant[] {
  const never: Mutation = { stages: { sweep: async () => ({ rows: 0, batches: 0, slots: 0 }) } };
  const later: Mutation = {
    stages: {
      sweep: (ports) => runSweep({ ...ports, clock: { now: () => ports.clock.now() - 180_000 } }),
    },
  };
  return [
    { name: 'never sweeps', proof: 'storms', property: 'G1', mutation: never },
    { name: 'never sweeps', proof: 'purges', property: 'G7', mutation: never },
    { name: 'sweeps only what is long overdue', proof: 'purges', property: 'G7', mutation: later },
  ];
}
