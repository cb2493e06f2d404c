// Ways to misjudge what became of a delivery.
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant, replaceRow } from './mutant.ts';
import { outcomes } from './retry-mutants.ts';

export function deliveryMutants(): Mutant[] {
  const putDelivery = (variant: (store: EventStore) => EventStore['putDelivery']): Mutation => ({
    events: (store) => ({ ...store, putDelivery: variant(store) }),
  });
  return [
    ...caughtBy('storms', 'G8', {
      'forgets that a lost answer may have been a yes': outcomes(
        ({ maybeDelivered: _, ...outcome }) => outcome,
      ),
      'takes over a dead worker as if it had done nothing': putDelivery((store) => (seen, patch) => {
        const before = seen.deliveries[patch.platform]?.unknowns ?? 0;
        const { delivery } = patch;
        const unknowns = delivery.state === 'SENDING' ? before : delivery.unknowns;
        return store.putDelivery(seen, { ...patch, delivery: { ...delivery, unknowns } });
      }),
    }),
    ...caughtBy('storms', 'G9', {
      'forgets that a lost answer may have been a yes': outcomes(({ maybeDelivered: _, ...outcome }) =>
        outcome.kind === 'retry' ? { ...outcome, kind: 'permanent' } : outcome,
      ),
      'takes silence for consent': outcomes((outcome) =>
        outcome.maybeDelivered ? { kind: 'delivered' } : outcome,
      ),
      'writes an outcome over whatever is there': putDelivery((store) => async (seen, patch) => {
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
    }),
  ];
}
