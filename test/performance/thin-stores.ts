// Stores that do as little as a store can: what the stages ask of a table, on maps, without copies or conditions beyond the
// ones the happy path relies on. For timing the stages themselves; a test uses the memory stores, which behave like tables.

import {
  type BatchKey,
  type BatchOutcomes,
  batchId,
  type Manifest,
} from '../../lib/events/domain/deliveries/batch.ts';
import type { PersonalPart } from '../../lib/events/domain/event/normalized-event.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import {
  type AttributionStore,
  NO_VERSION,
  type StoredPerson,
} from '../../lib/events/ports/attribution-store.ts';
import type { BatchItems, BatchStore, OutcomesKey } from '../../lib/events/ports/batch-store.ts';
import type { BucketKey, BucketRow, CounterStore } from '../../lib/events/ports/counter-store.ts';
import type { EventStore } from '../../lib/events/ports/event-store.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import type { OrderStore, StoredOrder } from '../../lib/events/ports/order-store.ts';

type ThinEventStore = Pick<
  EventStore,
  | 'claim'
  | 'read'
  | 'readMany'
  | 'archive'
  | 'replace'
  | 'normalize'
  | 'putDelivery'
  | 'release'
  | 'withdraw'
  | 'received'
>;

export function createThinEventStore(): ThinEventStore {
  const rows = new Map<string, EventRow>();
  const idOf = ({ channel, eventId }: EventKey): string => `${channel}${eventId}`;
  const never = async (): Promise<never> => {
    throw new Error('nothing expires while it is timed');
  };
  return {
    async claim(row) {
      const id = idOf(row.key);
      if (rows.has(id)) return 'exists';
      rows.set(id, row);
      return 'claimed';
    },
    read: async (key) => rows.get(idOf(key)) ?? null,
    readMany: async (keys) => ({
      rows: keys.flatMap((key) => rows.get(idOf(key)) ?? []),
      unreadable: [],
    }),
    archive: never,
    replace: never,
    async normalize(row) {
      rows.set(idOf(row.key), row);
      return true;
    },
    async putDelivery(seen, { platform, delivery, also, dueAtMs }) {
      const { dueAtMs: _due, ...rest } = seen;
      const written: NormalizedRow = {
        ...rest,
        deliveries: { ...seen.deliveries, ...also, [platform]: delivery },
        ...(dueAtMs === null ? {} : { dueAtMs }),
      };
      rows.set(idOf(seen.key), written);
      return written;
    },
    release: never,
    withdraw: never,
    async received({ fromMs, toMs, limit, cursor }) {
      const start = Number(cursor ?? 0);
      const all = [...rows.values()].filter((row) => row.receivedAtMs >= fromMs && row.receivedAtMs < toMs);
      const keys = all.slice(start, start + limit);
      const end = start + limit;
      return end < all.length ? { keys, cursor: String(end) } : { keys };
    },
  };
}

export function createThinCounterStore(): Pick<
  CounterStore,
  'read' | 'range' | 'write' | 'markDue' | 'openShard' | 'openedShards' | 'settle'
> {
  const rows = new Map<string, BucketRow>();
  const idOf = ({ grain, startMs }: BucketKey): string => `${grain}${startMs}`;
  return {
    read: async (key) => rows.get(idOf(key)) ?? null,
    range: async (_merchant, grain, fromMs, toMs) =>
      [...rows.values()].filter(
        (r) => r.key.grain === grain && r.key.startMs >= fromMs && r.key.startMs < toMs,
      ),
    async write(row) {
      rows.set(idOf(row.key), row);
      return true;
    },
    markDue: async () => {},
    openShard: async () => {},
    openedShards: async () => [],
    settle: async () => true,
  };
}

type ThinBatchStore = Pick<BatchStore, 'putManifest' | 'readMany' | 'ofBatch' | 'ofMinute' | 'writeOutcomes'>;

/** Everything written so far is of the one minute that is timed. */
export function createThinBatchStore(): ThinBatchStore {
  const manifests = new Map<string, Manifest>();
  const outcomes = new Map<string, BatchOutcomes>();
  const idOf = ({ batch, platform }: OutcomesKey): string => `${platform}/${batchId(batch)}`;
  const items = (batches: readonly BatchKey[], keys: readonly OutcomesKey[]): BatchItems => ({
    manifests: batches.flatMap((batch) => manifests.get(batchId(batch)) ?? []),
    outcomes: keys.flatMap((key) => outcomes.get(idOf(key)) ?? []),
    unreadable: [],
  });
  return {
    async putManifest(manifest) {
      manifests.set(batchId(manifest.batch), manifest);
    },
    readMany: async ({ manifests: batches = [], outcomes: keys = [] }) => items(batches, keys),
    ofBatch: async (key) => items([key.batch], [key]),
    ofMinute: async () => ({
      manifests: [...manifests.values()],
      outcomes: [...outcomes.values()],
      unreadable: [],
    }),
    async writeOutcomes(next, seenVersion) {
      const id = idOf(next);
      if ((outcomes.get(id)?.version ?? 0) !== seenVersion) return false;
      outcomes.set(id, { ...next, version: seenVersion + 1 });
      return true;
    },
  };
}

/** Packing and encrypting are the adapter's, as packing a row is the table's. */
export function createThinEventVault(): EventVault {
  const parts = new Map<string, PersonalPart>();
  return {
    seal: async ({ ingestId }, personal) => {
      parts.set(ingestId, personal);
      return ingestId;
    },
    open: async (_row, sealed) => parts.get(sealed) ?? null,
    sealText: async (_of, text) => text,
    openText: async (_of, sealed) => sealed,
  };
}

export function createThinOrderStore(): OrderStore {
  const orders = new Map<string, StoredOrder>();
  return {
    read: async (_merchantId, digest) => orders.get(digest) ?? { version: 0 },
    readMany: async () => new Map(),
    async create(_merchantId, digest, order) {
      if (orders.has(digest)) return false;
      orders.set(digest, { version: 1, order });
      return true;
    },
    async write(_merchantId, digest, order, version) {
      orders.set(digest, { version: version + 1, order });
      return true;
    },
    async writeWaiting(_merchantId, digest, waiting, version) {
      orders.set(digest, { version: version + 1, waiting });
      return true;
    },
  };
}

type ThinAttributionStore = Pick<
  AttributionStore,
  'people' | 'addTouch' | 'writeClicks' | 'writeOrders' | 'suppressed'
>;

export function createThinAttributionStore(): ThinAttributionStore {
  const people = new Map<string, StoredPerson>();
  const change = (key: string, person: Partial<StoredPerson>): void => {
    people.set(key, { version: NO_VERSION, ...people.get(key), ...person });
  };
  return {
    people: async (_merchantId, keys) =>
      new Map(
        keys.flatMap((key): [string, StoredPerson][] => {
          const person = people.get(key);
          return person === undefined ? [] : [[key, person]];
        }),
      ),
    suppressed: async () => new Map(),
    addTouch: async (_merchantId, key, touch) => change(key, { touch }),
    async writeClicks(_merchantId, key, clicks, { touch }) {
      change(key, { clicks, ...(touch === undefined ? {} : { touch }) });
      return true;
    },
    async writeOrders(_merchantId, key, orders, { version, touch }) {
      change(key, { orders, version: version + 1, ...(touch === undefined ? {} : { touch }) });
      return true;
    },
  };
}
