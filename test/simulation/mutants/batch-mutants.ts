// Ways to get wrong what the rows of a batch share; and what can be got wrong with a row, got wrong with a batch. Without a twin
// among batches: what is decided before there are any (ingestion, keys, shards), a row that is never in one (held for its server
// copy), and what both share (answers of platforms, circuits).
// No mutants: reading an item a moment late before the lease, which is conditional on the version that was read; and reading a
// minute's batches before its version, since a batch seen too early is open, and counted again. Too rare for chance, and refused
// by tests of their own: a late success dropped and a row taken for another batch's (services/events/deliver/batches.test.ts), an
// id taken over whose batch has not ended (services/events/ingestion), and a batch counted as ended while a row of it is open
// (lib/events/pipeline/counting/count-batches.test.ts).
import { type BatchOutcomes, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt, nextDueMs } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import { createAggregateStage } from '#services/events/aggregate/stage.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import type { MemoryBatchStore } from '../../support/memory/batch-store.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant, replaceRow } from './mutant.ts';

const WEEK_MS = 7 * 86_400_000;

export function batchMutants(): Mutant[] {
  return [...shared(), ...onTheWay(), ...outcomes(), ...retries()];
}

const batchStore = (variant: (store: MemoryBatchStore) => Partial<BatchStore>): Mutation => ({
  batches: (base) => ({ ...base, ...variant(base) }),
});

type Change = (before: Delivery | undefined, after: Delivery) => Delivery;

/** Changes each delivery of a batch that is about to be written, and when the batch is due. */
export const batchFates = (change: Change): Mutation =>
  batchStore((base) => ({
    writeOutcomes: (next, seen) => base.writeOutcomes(changed(next, storedOf(base, next), change), seen),
  }));

const storedOf = (
  base: MemoryBatchStore,
  { batch, platform }: Pick<BatchOutcomes, 'batch' | 'platform'>,
): BatchOutcomes | undefined =>
  base.outcomes().find((item) => item.platform === platform && batchId(item.batch) === batchId(batch));

function changed(next: BatchOutcomes, before: BatchOutcomes | undefined, change: Change): BatchOutcomes {
  const groups = next.groups.flatMap(({ positions, delivery }) =>
    positions.map((position) => ({
      positions: [position],
      delivery: change(deliveryAt(before, position), delivery),
    })),
  );
  const { dueAtMs: _, ...rest } = next;
  const dueAtMs = nextDueMs(groups);
  return { ...rest, groups, ...(dueAtMs === null ? {} : { dueAtMs }) };
}

function shared(): Mutant[] {
  return [
    ...caughtBy('storms', 'G11', {
      'counts a batch from its manifest and its rows as well': batchStore((base) => ({
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
      'counts the batches of shard 0 in every shard': batchStore((base) => ({
        ofMinute: (query) => base.ofMinute({ ...query, shard: 0 }),
      })),
    }),
    ...caughtBy('copies', 'G8', {
      'does not note a surplus copy on a success': {
        ...batchFates((before, after) => (before?.state === 'DELIVERED' ? before : after)),
        events: (base) => ({
          ...base,
          putDelivery: async (seen, patch) =>
            seen.deliveries[patch.platform]?.state === 'DELIVERED' ? null : base.putDelivery(seen, patch),
        }),
      },
    }),
    ...caughtBy('storms', 'G8', {
      'leases a batch where somebody may have sent as if nobody had': batchFates((before, after) =>
        after.state === 'SENDING' ? { ...after, unknowns: before?.unknowns ?? 0 } : after,
      ),
      'sends a batch that was received before without a lease': {
        stages: {
          createDeliver: (ports, breaker) => {
            const stage = createDeliverStage(ports, breaker);
            return (messages, express) =>
              stage(
                messages.map((m) => ('batches' in m.body ? { ...m, receiveCount: 1 } : m)),
                express,
              );
          },
        },
      },
    }),
    ...caughtBy('storms', 'G9', {
      'writes the outcomes of a batch over whatever is there': batchStore((base) => ({
        writeOutcomes: (next) => {
          const version = storedOf(base, next)?.version ?? 0;
          return base.writeOutcomes({ ...next, version: version + 1 }, version);
        },
      })),
    }),
  ];
}

/** True where this write adds an attempt whose fate is not known. */
const isUnheard = (before: Delivery | undefined, after: Delivery): boolean =>
  before?.state !== 'DELIVERED' && after.state === 'RETRY' && after.unknowns > (before?.unknowns ?? 0);

function onTheWay(): Mutant[] {
  const tellsRowsAlone: Mutation = {
    stages: {
      createAggregate: (ports) =>
        createAggregateStage({
          ...ports,
          normalized: {
            send: async (messages, ...rest) => {
              const rows = messages.filter(({ body }) => !('batches' in body));
              if (rows.length > 0) await ports.normalized.send(rows, ...rest);
            },
          },
        }),
    },
  };
  const sweepsRowsAlone = batchStore(() => ({ dueGroups: async () => ({ entries: [], isCut: false }) }));
  return [
    ...caughtBy('storms', 'G2', {
      'commits the rows of a batch whatever state they are in': {
        events: (store) => ({
          ...store,
          normalize: (row) => (row.place === undefined ? store.normalize(row) : replaceRow(store, row)),
        }),
      },
    }),
    ...caughtBy('storms', 'G1', {
      'counts batches that were forgotten and tells nobody': tellsRowsAlone,
      'puts a manifest after its rows are told of, or never': batchStore(() => ({
        putManifest: async () => undefined,
      })),
      'sweeps rows and no batches': sweepsRowsAlone,
    }),
  ];
}

function outcomes(): Mutant[] {
  return [
    ...caughtBy('storms', 'G8', {
      'forgets that a lost answer about a batch may have been a yes': batchFates((before, after) =>
        isUnheard(before, after) ? { ...after, unknowns: before?.unknowns ?? 0 } : after,
      ),
    }),
    ...caughtBy('storms', 'G9', {
      'gives a batch up whose answer was lost, as if it had been a no': batchFates((before, after) =>
        isUnheard(before, after) ? over(after, 'FAILED', before?.unknowns ?? 0) : after,
      ),
      'takes silence about a batch for consent': batchFates((before, after) =>
        isUnheard(before, after)
          ? { ...over(after, 'DELIVERED', before?.unknowns ?? 0), deliveredAtMs: after.updatedAtMs }
          : after,
      ),
    }),
  ];
}

function over(delivery: Delivery, state: Delivery['state'], unknowns: number): Delivery {
  const { nextAttemptAtMs: _, leaseUntilMs: __, ...rest } = delivery;
  return { ...rest, state, unknowns };
}

function retries(): Mutant[] {
  const isRetry = ({ state }: Delivery): boolean => state === 'RETRY';
  const late = batchStore((base) => ({
    writeOutcomes: (next, seen) =>
      base.writeOutcomes(
        next.dueAtMs === undefined ? next : { ...next, dueAtMs: next.dueAtMs + WEEK_MS },
        seen,
      ),
  }));
  return [
    ...caughtBy('outage', 'G12', {
      'looks at the retry of a batch a week late': late,
      'comes back to a batch at once': batchFates((_before, after) =>
        isRetry(after) ? { ...after, nextAttemptAtMs: after.updatedAtMs + 1_000 } : after,
      ),
      'gives a batch up after the first failure': batchFates((_before, after) =>
        isRetry(after) && after.attempts > 0 ? over(after, 'ERROR', after.unknowns) : after,
      ),
    }),
  ];
}
