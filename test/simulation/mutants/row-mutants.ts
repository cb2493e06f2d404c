// Ways to lose a row on its way: conditions left out, due times dropped too early, nobody who looks again.
import { createFanOutStage } from '../../../services/fan-out/stage.ts';
import { runSweep } from '../../../services/sweep/stage.ts';
import type { Mutation } from '../world.ts';
import { type Mutant, replaceRow } from './mutant.ts';

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
      name: 'stores no due time with the claim',
      proof: 'storms',
      property: 'G1',
      mutation: {
        events: (store) => ({
          ...store,
          claim: ({ dueAtMs: _, ...row }) => store.claim(row),
        }),
      },
    },
    {
      name: 'takes a row out of the due index with its first delivery',
      proof: 'storms',
      property: 'G1',
      mutation: {
        events: (store) => ({
          ...store,
          putDelivery: (seen, patch) => store.putDelivery(seen, { ...patch, dueAtMs: null }),
        }),
      },
    },
    {
      name: 'closes a row when it has told the queues',
      proof: 'storms',
      property: 'G1',
      mutation: {
        stages: {
          createFanOut: (ports) => {
            const stage = createFanOutStage(ports);
            return async (messages) => {
              const result = await stage(messages);
              for (const { body } of messages) {
                const keys = body.rows.map(([trust, eventId]) => ({
                  merchantId: body.merchant,
                  trust: trust === 's' ? ('server' as const) : ('browser' as const),
                  eventId,
                }));
                for (const row of await ports.events.readMany(keys)) await ports.events.reschedule(row, null);
              }
              return result;
            };
          },
        },
      },
    },
  ];
}

function sweeping(): Mutant[] {
  const never: Mutation = { stages: { sweep: async () => ({ rows: 0, slots: 0 }) } };
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
