// Ways to misjudge what became of a delivery.
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { Mutation } from '../world.ts';
import { type Mutant, replaceRow } from './mutant.ts';
import { outcomes } from './retry-mutants.ts';

export function deliveryMutants(): Mutant[] {
  const putDelivery = (variant: (store: EventStore) => EventStore['putDelivery']): Mutation => ({
    events: (store) => ({ ...store, putDelivery: variant(store) }),
  });
  return [
    {
      name: 'forgets that a lost answer may have been a yes',
      proof: 'storms',
      property: 'G8',
      mutation: outcomes(({ maybeDelivered: _, ...outcome }) => outcome),
    },
    {
      name: 'forgets that a lost answer may have been a yes',
      proof: 'storms',
      property: 'G9',
      mutation: outcomes(({ maybeDelivered: _, ...outcome }) =>
        outcome.kind === 'retry' ? { ...outcome, kind: 'permanent' } : outcome,
      ),
    },
    {
      name: 'takes silence for consent',
      proof: 'storms',
      property: 'G9',
      mutation: outcomes((outcome) => (outcome.maybeDelivered ? { kind: 'delivered' } : outcome)),
    },
    {
      name: 'takes over a dead worker as if it had done nothing',
      proof: 'storms',
      property: 'G8',
      mutation: putDelivery((store) => (seen, patch) => {
        const before = seen.deliveries[patch.platform]?.unknowns ?? 0;
        const { delivery } = patch;
        const unknowns = delivery.state === 'SENDING' ? before : delivery.unknowns;
        return store.putDelivery(seen, { ...patch, delivery: { ...delivery, unknowns } });
      }),
    },
    {
      name: 'writes an outcome over whatever is there',
      proof: 'storms',
      property: 'G9',
      mutation: putDelivery((store) => async (seen, patch) => {
        const row = await store.read(seen.key);
        if (row?.state !== 'normalized') return null;
        const { dueAtMs: _, ...rest } = row;
        const written = {
          ...rest,
          deliveries: { ...row.deliveries, [patch.platform]: patch.delivery },
          ...(patch.dueAtMs === null ? {} : { dueAtMs: patch.dueAtMs }),
        };
        return (await replaceRow(store, written)) ? written : null;
      }),
    },
  ];
}
