// Ways to get wrong what the rows of a batch share. One that is no mutant: reading an item a moment late before the lease,
// since the lease is conditional on the version that was read. Two that are too rare for chance, a late success dropped and a
// row taken for another batch's, are refused by services/events/deliver/batches.test.ts.
import { type BatchOutcomes, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import type { MemoryBatchStore } from '../../support/memory/batch-store.ts';
import type { Mutation } from '../world.ts';
import type { Mutant } from './mutant.ts';

export function batchMutants(): Mutant[] {
  const store = (variant: (store: MemoryBatchStore) => Partial<BatchStore>): Mutation => ({
    batches: (base) => ({ ...base, ...variant(base) }),
  });
  /** Changes each fate that is about to be written, where it is not what the code would write. */
  const fates = (change: (before: Delivery | undefined, after: Delivery) => Delivery): Mutation =>
    store((base) => ({
      writeOutcomes: (next, seen) => base.writeOutcomes(changed(next, storedOf(base, next), change), seen),
    }));
  return [
    {
      name: 'counts a batch from its manifest and its rows as well',
      proof: 'storms',
      property: 'G11',
      mutation: store((base) => ({
        ofMinute: async (query) => {
          const page = await base.ofMinute(query);
          const strange = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
          const manifests = page.manifests.map((manifest) => ({
            ...manifest,
            rows: manifest.rows.map((row) => ({ ...row, ingestId: strange(row.ingestId) })),
          }));
          return { ...page, manifests };
        },
      })),
    },
    {
      name: 'does not note a surplus copy on a success',
      proof: 'copies',
      property: 'G8',
      mutation: {
        ...fates((before, after) => (before?.state === 'DELIVERED' ? before : after)),
        events: (base) => ({
          ...base,
          putDelivery: async (seen, patch) =>
            seen.deliveries[patch.platform]?.state === 'DELIVERED' ? null : base.putDelivery(seen, patch),
        }),
      },
    },
    {
      name: 'leases a batch where somebody may have sent as if nobody had',
      proof: 'storms',
      property: 'G8',
      mutation: fates((before, after) =>
        after.state === 'SENDING' ? { ...after, unknowns: before?.unknowns ?? 0 } : after,
      ),
    },
    {
      name: 'writes the outcomes of a batch over whatever is there',
      proof: 'storms',
      property: 'G9',
      mutation: store((base) => ({
        writeOutcomes: (next) => {
          const version = storedOf(base, next)?.version ?? 0;
          return base.writeOutcomes({ ...next, version: version + 1 }, version);
        },
      })),
    },
    {
      name: 'sends a batch that was received before without a lease',
      proof: 'storms',
      property: 'G8',
      mutation: {
        stages: {
          createDeliver: (ports, breaker) => {
            const stage = createDeliverStage(ports, breaker);
            return (messages) =>
              stage(messages.map((m) => ('batches' in m.body ? { ...m, receiveCount: 1 } : m)));
          },
        },
      },
    },
  ];
}

const storedOf = (base: MemoryBatchStore, { batch, platform }: BatchOutcomes): BatchOutcomes | undefined =>
  base.outcomes().find((item) => item.platform === platform && batchId(item.batch) === batchId(batch));

function changed(
  next: BatchOutcomes,
  before: BatchOutcomes | undefined,
  change: (before: Delivery | undefined, after: Delivery) => Delivery,
): BatchOutcomes {
  const groups = next.groups.flatMap(({ positions, delivery }) =>
    positions.map((position) => ({
      positions: [position],
      delivery: change(deliveryAt(before, position), delivery),
    })),
  );
  return { ...next, groups };
}
