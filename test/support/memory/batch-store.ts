// The batches table in memory, with the semantics the port promises and nothing kinder: values are copied in and frozen,
// every write is one atomic conditional write, and the due index and the replica are separate so that they can lag.
import {
  BATCH_ROWS_MAX,
  type BatchKey,
  type BatchOutcomes,
  type Manifest,
} from '#lib/events/domain/deliveries/batch.ts';
import { parkedIn } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type {
  BatchItems,
  BatchStore,
  OutcomesKey,
  UnreadableBatchItem,
} from '#lib/events/ports/batch-store.ts';
import type { DueEntry } from '#lib/events/ports/due-index.ts';
import { createMemoryDueIndex } from './due-index.ts';
import { frozenCopy } from './frozen-copy.ts';

/** Items of one answer of `ofMinute`, so that tests meet a second page. */
const PAGE = 50;

export interface MemoryBatchStore extends BatchStore {
  /** From now on the item cannot be read, as if its bytes were garbage; without a platform, the manifest. `mend` takes it back. */
  spoil(batch: BatchKey, platform?: string): void;
  mend(batch: BatchKey, platform?: string): void;
  /** Every item, for checks and tests: no part of the port. */
  manifests(): readonly Manifest[];
  outcomes(): readonly BatchOutcomes[];
}

export interface MemoryBatchStoreOptions {
  /** When the due index learns of a write. Must run the updates of one `item` in the order given; the default runs them at once. */
  readonly publishIndex?: (item: string, update: () => void) => void;
  /** As above, for the replica that eventually consistent reads are answered from. */
  readonly publishReplica?: (item: string, update: () => void) => void;
  /** Shards of the due index; the default is few, so that a sweep of a simulation takes few steps. */
  readonly dueShards?: number;
}

type Stored = { readonly manifest: Manifest } | { readonly outcomes: BatchOutcomes };

export function createMemoryBatchStore(options: MemoryBatchStoreOptions = {}): MemoryBatchStore {
  const items = new Map<string, Stored>();
  const replica = new Map<string, Stored>();
  const { dueShards = 4 } = options;
  const due = createMemoryDueIndex<OutcomesKey>(dueShards);
  const spoiled = new Set<string>();
  const atOnce = (_item: string, update: () => void) => update();
  const publish = options.publishIndex ?? atOnce;
  const replicate = options.publishReplica ?? atOnce;

  const put = (id: string, value: Stored): void => {
    const stored = frozenCopy(value);
    items.set(id, stored);
    replicate(id, () => replica.set(id, stored));
    if (!('outcomes' in stored)) return;
    const { outcomes } = stored;
    publish(id, () => due.update(id, outcomes.batch.merchantId, dueOfItem(outcomes)));
  };
  const outcomesOf = (id: string): BatchOutcomes | undefined => {
    const stored = items.get(id);
    return stored !== undefined && 'outcomes' in stored ? stored.outcomes : undefined;
  };

  return {
    putManifest: async (manifest) => {
      if (manifest.rows.length > BATCH_ROWS_MAX)
        throw new RangeError(`a batch has ${BATCH_ROWS_MAX} rows at most`);
      put(idOf(manifest.batch), { manifest });
    },
    readMany: async ({ manifests = [], outcomes = [] }, consistency) => {
      const source = consistency === 'strong' ? items : replica;
      const ids = [
        ...manifests.map((batch) => idOf(batch)),
        ...outcomes.map((key) => idOf(key.batch, key.platform)),
      ];
      return told(source, [...new Set(ids)], spoiled);
    },
    ofBatch: async ({ batch, platform }) => told(replica, [idOf(batch), idOf(batch, platform)], spoiled),
    ofMinute: async ({ cursor = '', merchantId, minuteMs, shard }) => {
      const prefix = minuteText({ merchantId, minuteMs, shard });
      const ids = [...replica.keys()].filter((id) => id.startsWith(prefix) && id > cursor).sort();
      const page = ids.slice(0, PAGE);
      const last = page.at(-1);
      const read = told(replica, page, spoiled);
      return ids.length > PAGE && last !== undefined ? { ...read, cursor: last } : read;
    },
    writeOutcomes: async (next, seenVersion) => {
      const id = idOf(next.batch, next.platform);
      if ((outcomesOf(id)?.version ?? 0) !== seenVersion) return false;
      put(id, { outcomes: { ...next, version: seenVersion + 1 } });
      return true;
    },
    deferUnreadable: async ({ batch, platform, dueAtMs: seenDueAtMs, sweeps }, dueAtMs) => {
      if (platform === undefined || seenDueAtMs === undefined) return false;
      const stored = outcomesOf(idOf(batch, platform));
      if (stored?.dueAtMs !== seenDueAtMs) return false;
      put(idOf(batch, platform), { outcomes: { ...stored, dueAtMs, sweeps: sweeps + 1 } });
      return true;
    },
    dueShards,
    dueGroups: due.dueGroups,
    dueOf: due.dueOf,
    spoil: (batch, platform) => void spoiled.add(idOf(batch, platform)),
    mend: (batch, platform) => void spoiled.delete(idOf(batch, platform)),
    manifests: () => [...items.values()].flatMap((item) => ('manifest' in item ? [item.manifest] : [])),
    outcomes: () => [...items.values()].flatMap((item) => ('outcomes' in item ? [item.outcomes] : [])),
  };
}

function dueOfItem(outcomes: BatchOutcomes): DueEntry<OutcomesKey> | null {
  const { batch, platform, dueAtMs } = outcomes;
  if (dueAtMs === undefined) return null;
  const parkedFor = parkedIn(outcomes);
  return { key: { batch, platform }, dueAtMs, ...(parkedFor === undefined ? {} : { parkedFor }) };
}

function told(
  source: ReadonlyMap<string, Stored>,
  ids: readonly string[],
  spoiled: ReadonlySet<string>,
): BatchItems {
  const found = ids.flatMap((id) => {
    const item = source.get(id);
    return item === undefined ? [] : [{ id, item }];
  });
  const readable = found.filter(({ id }) => !spoiled.has(id));
  return {
    manifests: readable.flatMap(({ item }) => ('manifest' in item ? [item.manifest] : [])),
    outcomes: readable.flatMap(({ item }) => ('outcomes' in item ? [item.outcomes] : [])),
    unreadable: found.filter(({ id }) => spoiled.has(id)).map(({ item }) => unreadable(item)),
  };
}

function unreadable(item: Stored): UnreadableBatchItem {
  const problem = 'spoiled by a test';
  if ('manifest' in item) return { batch: item.manifest.batch, problem, sweeps: 0 };
  const { batch, platform, sweeps, dueAtMs } = item.outcomes;
  const parkedFor = parkedIn(item.outcomes);
  return {
    batch,
    platform,
    problem,
    sweeps,
    ...(dueAtMs === undefined ? {} : { dueAtMs }),
    ...(parkedFor === undefined ? {} : { parkedFor }),
  };
}

/** Injective: a merchant's id may hold any character, so its length goes first. */
const minuteText = ({ merchantId, minuteMs, shard }: Omit<BatchKey, 'id'>): string =>
  `${merchantId.length}/${merchantId}/${String(minuteMs).padStart(15, '0')}/${shard}/`;
const idOf = (batch: BatchKey, platform?: string): string =>
  `${minuteText(batch)}${batch.id}/${platform === undefined ? '' : `#${platform}`}`;
