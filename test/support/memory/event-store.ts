// The events table in memory, with the semantics the port promises and nothing kinder: values are copied in and
// frozen, every write is one atomic conditional write, and indexes are separate from rows so that they can lag.
import { batchId, batchOf } from '#lib/events/domain/deliveries/batch.ts';
import { openTargets, parkedFor } from '#lib/events/domain/deliveries/progress.ts';
import { mayFollow } from '#lib/events/domain/deliveries/transition.ts';
import { withoutPerson } from '#lib/events/domain/erasure/erased-row.ts';
import {
  type EventKey,
  type EventRow,
  type NormalizedRow,
  type UnreadableRow,
  UnreadableRowError,
} from '#lib/events/domain/event/row.ts';
import { inShard, shardOf } from '#lib/events/domain/shard.ts';
import type { DueEntry } from '#lib/events/ports/due-index.ts';
import type {
  EventStore,
  ReceivedPage,
  ReceivedQuery,
  RowErasure,
  RowPatch,
} from '#lib/events/ports/event-store.ts';
import { createMemoryDueIndex } from './due-index.ts';
import { frozenCopy } from './frozen-copy.ts';

/** Most keys one `readMany` takes, as DynamoDB's BatchGetItem. */
export const READ_MANY_MAX = 100;

export interface MemoryEventStore extends EventStore, RowErasure {
  /** From now on the row cannot be read, as if its bytes were garbage or of a format to come; `mend` takes it back. */
  spoil(key: EventKey): void;
  mend(key: EventKey): void;
  /** Rows that cannot be read. */
  spoiled(): readonly EventRow[];
  /** Every live row, for checks and tests: no part of the port. */
  rows(): readonly EventRow[];
  /** Rows set aside after their window, by ingest id. */
  archived(): ReadonlyMap<string, EventRow>;
}

export interface MemoryEventStoreOptions {
  /**
   * When an index learns of a write. Must run the updates of one `item` in the order given; the default runs them at
   * once. A simulation delays them, as a global secondary index does.
   */
  readonly publishIndex?: (item: string, update: () => void) => void;
  /** As above, for the replica that eventually consistent reads are answered from. */
  readonly publishReplica?: (item: string, update: () => void) => void;
  /** Shards of the due index; the default is few, so that a sweep of a simulation takes few steps. */
  readonly dueShards?: number;
}

export function createMemoryEventStore(options: MemoryEventStoreOptions = {}): MemoryEventStore {
  const rows = new Map<string, EventRow>();
  const replica = new Map<string, EventRow>();
  const { dueShards = 4 } = options;
  const due = createMemoryDueIndex<EventKey>(dueShards);
  const index = createIndex();
  const atOnce = (_item: string, update: () => void) => update();
  const publish = options.publishIndex ?? atOnce;
  const replicate = options.publishReplica ?? atOnce;

  const put = <Row extends EventRow>(row: Row): Row => {
    mustLieInOwnBatch(row);
    const stored = frozenCopy(row);
    const id = keyText(stored.key);
    rows.set(id, stored);
    publish(id, () => {
      index.update(id, stored);
      due.update(id, stored.key.merchantId, dueOfRow(stored));
    });
    replicate(id, () => replica.set(id, stored));
    return stored;
  };
  const find = (key: EventKey) => rows.get(keyText(key)) ?? null;
  const spoiled = new Set<string>();
  const readable = <Row extends EventRow>(row: Row): Row => {
    if (!spoiled.has(keyText(row.key))) return row;
    throw new UnreadableRowError(unreadable(row));
  };

  return {
    claim: async (row) => {
      if (find(row.key)) return 'exists';
      put(row);
      return 'claimed';
    },
    read: async (key) => {
      const row = find(key);
      return row === null ? null : readable(row);
    },
    readMany: async (keys, consistency = 'strong') => {
      if (keys.length > READ_MANY_MAX) throw new RangeError(`readMany takes ${READ_MANY_MAX} keys at most`);
      const source = consistency === 'strong' ? rows : replica;
      const found = [...new Set(keys.map(keyText))].flatMap((id) => source.get(id) ?? []);
      return {
        rows: found.filter((row) => !spoiled.has(keyText(row.key))),
        unreadable: found.filter((row) => spoiled.has(keyText(row.key))).map(unreadable),
      };
    },
    archive: async (row) => {
      put({ ...row, key: { ...row.key, archivedAs: row.ingestId } });
    },
    replace: async (row, expectedIngestId) => {
      if (find(row.key)?.ingestId !== expectedIngestId) return false;
      put(row);
      return true;
    },
    normalize: async (row) => {
      const stored = find(row.key);
      if (stored?.state !== 'accepted' || stored.ingestId !== row.ingestId) return false;
      const { erasedBy } = stored;
      put({ ...inShard(row, shardOf(stored)), ...(erasedBy === undefined ? {} : { erasedBy }) });
      return true;
    },
    putDelivery: async (seen, patch) => {
      if (seen.place !== undefined)
        throw new RangeError('what becomes of a row of a batch is written to its batch');
      const stored = find(seen.key);
      if (!stored || !mayPut(stored, seen, patch)) return null;
      return readable(put(patched(stored, seen, patch)));
    },
    reschedule: async (seen, dueAtMs, sweeps) => {
      const stored = find(seen.key);
      if (!isSame(stored, seen) || stored.dueAtMs !== seen.dueAtMs) return false;
      if (isLater(seen, dueAtMs) && !othersAsSeen(stored, seen)) return false;
      put(moved({ ...stored, sweeps }, dueAtMs));
      return true;
    },
    deferUnreadable: async ({ key, dueAtMs: seenDueAtMs, sweeps }, dueAtMs) => {
      const stored = find(key);
      if (stored?.state !== 'normalized' || stored.dueAtMs !== seenDueAtMs) return false;
      put(moved({ ...stored, sweeps: sweeps + 1 }, dueAtMs));
      return true;
    },
    release: async (seen, event = seen.event) => {
      const stored = find(seen.key);
      if (!isSame(stored, seen) || stored.heldUntilMs === undefined) return false;
      put({ ...released(stored), event });
      return true;
    },
    withdraw: async (seen, verdicts) => {
      const stored = find(seen.key);
      if (!isSame(stored, seen) || stored.heldUntilMs === undefined) return false;
      put({ ...released(stored), verdicts });
      return true;
    },
    erase: async (seen, erasedBy) => {
      const stored = find(seen.key);
      if (stored?.ingestId !== seen.ingestId || stored.state !== seen.state) return false;
      put(withoutPerson(stored, erasedBy));
      return true;
    },
    dueShards,
    dueGroups: due.dueGroups,
    dueOf: due.dueOf,
    received: async (query) => index.received(query),
    spoil: (key) => void spoiled.add(keyText(key)),
    mend: (key) => void spoiled.delete(keyText(key)),
    spoiled: () => [...rows.values()].filter((row) => spoiled.has(keyText(row.key))),
    rows: () => [...rows.values()].filter((row) => row.key.archivedAs === undefined),
    archived: () =>
      new Map(
        [...rows.values()].flatMap((row) =>
          row.key.archivedAs === undefined ? [] : [[row.key.archivedAs, row] as const],
        ),
      ),
  };
}

function unreadable(row: EventRow): UnreadableRow {
  const { key, ingestId } = row;
  const normalized = row.state === 'normalized' ? row : undefined;
  return {
    key,
    ingestId,
    problem: 'spoiled by a test',
    sweeps: normalized?.sweeps ?? 0,
    ...(normalized?.dueAtMs === undefined ? {} : { dueAtMs: normalized.dueAtMs }),
    ...(normalized?.parkedFor === undefined ? {} : { parkedFor: normalized.parkedFor }),
  };
}

/** Injective: no part can run into the next. */
export function keyText(key: EventKey): string {
  return `${key.merchantId}/${key.channel}/${key.archivedAs ?? '~'}/${key.eventId}`;
}

/** Still the acceptance that was seen, normalized, and not reopened since. */
function isSame(stored: EventRow | null, seen: NormalizedRow): stored is NormalizedRow {
  return (
    stored?.state === 'normalized' && stored.ingestId === seen.ingestId && stored.revision === seen.revision
  );
}

function mayPut(
  stored: EventRow,
  seen: NormalizedRow,
  { platform, delivery, also, dueAtMs }: RowPatch,
): stored is NormalizedRow {
  if (!isSame(stored, seen)) return false;
  const written = { ...also, [platform]: delivery };
  for (const [slug, next] of Object.entries(written)) {
    const now = stored.deliveries[slug];
    const before = seen.deliveries[slug];
    if (!mayFollow(now, next)) return false;
    if (now?.updatedAtMs !== before?.updatedAtMs || now?.state !== before?.state) return false;
    if (now?.unknowns !== before?.unknowns) return false;
  }
  if (isIndifferent(seen, dueAtMs)) return true;
  if (stored.dueAtMs !== seen.dueAtMs) return false;
  return !isLater(seen, dueAtMs) || othersAsSeen(stored, seen, Object.keys(written));
}

/** Whoever ends a due time, or moves it away, must know of every delivery that is open. */
const isLater = (seen: NormalizedRow, dueAtMs: number | null): boolean =>
  seen.dueAtMs !== undefined && (dueAtMs === null || dueAtMs > seen.dueAtMs);

function othersAsSeen(
  stored: NormalizedRow,
  seen: NormalizedRow,
  platforms: readonly string[] = [],
): boolean {
  return openTargets(seen).every((slug) => {
    const [now, then] = [stored.deliveries[slug], seen.deliveries[slug]];
    return platforms.includes(slug) || (now?.updatedAtMs === then?.updatedAtMs && now?.state === then?.state);
  });
}

/** A write that neither has nor ends a due time leaves the stored one alone, whatever it is. */
const isIndifferent = (seen: NormalizedRow, dueAtMs: number | null): boolean =>
  seen.dueAtMs === undefined && dueAtMs === null;

function patched(stored: NormalizedRow, seen: NormalizedRow, patch: RowPatch): NormalizedRow {
  const { platform, delivery, also, dueAtMs } = patch;
  // A write is progress: the sweeper starts counting anew.
  const row = { ...stored, deliveries: { ...stored.deliveries, ...also, [platform]: delivery }, sweeps: 0 };
  return isIndifferent(seen, dueAtMs) ? row : moved(row, dueAtMs);
}

function moved(row: NormalizedRow, dueAtMs: number | null): NormalizedRow {
  const { dueAtMs: _due, parkedFor: _parked, ...rest } = row;
  const parked = parkedFor(row);
  if (dueAtMs === null) return rest;
  return { ...rest, dueAtMs, ...(parked === undefined ? {} : { parkedFor: parked }) };
}

function released(row: NormalizedRow): NormalizedRow {
  const { heldUntilMs: _held, dueAtMs: _due, ...rest } = row;
  return { ...rest, sweeps: 0 };
}

interface IndexEntry {
  readonly key: EventKey;
  readonly shard: number;
  readonly ingestId: string;
  readonly receivedAtMs: number;
}

function dueOfRow(row: EventRow): DueEntry<EventKey> | null {
  if (row.state !== 'normalized' || row.dueAtMs === undefined) return null;
  const { key, dueAtMs, parkedFor } = row;
  return { key, dueAtMs, ...(parkedFor === undefined ? {} : { parkedFor }) };
}

/** A merchant's rows by minute of receipt, each of its shards for itself. */
function createIndex() {
  const entries = new Map<string, IndexEntry>();
  const minutes = new Map<string, Map<number, Map<string, IndexEntry>>>();

  const bucket = (entry: IndexEntry) => {
    const merchant = at(
      minutes,
      partition(entry.key.merchantId, entry.shard),
      () => new Map<number, Map<string, IndexEntry>>(),
    );
    return at(merchant, Math.floor(entry.receivedAtMs / 60_000), () => new Map<string, IndexEntry>());
  };
  const update = (id: string, row: EventRow) => {
    const old = entries.get(id);
    if (old) bucket(old).delete(id);
    const { key, ingestId, receivedAtMs } = row;
    const entry = { key, shard: shardOf(row), ingestId, receivedAtMs };
    entries.set(id, entry);
    bucket(entry).set(id, entry);
  };
  const received = (query: ReceivedQuery): ReceivedPage => {
    const merchant =
      minutes.get(partition(query.merchantId, shardOf(query))) ?? new Map<number, Map<string, IndexEntry>>();
    return page(within(merchant, query), query);
  };
  return { update, received };
}

const partition = (merchantId: string, shard: number): string => `${merchantId}~${shard}`;

function within(
  merchant: ReadonlyMap<number, ReadonlyMap<string, IndexEntry>>,
  query: ReceivedQuery,
): IndexEntry[] {
  const first = Math.floor(query.fromMs / 60_000);
  const last = Math.floor((query.toMs - 1) / 60_000);
  const buckets =
    last - first < merchant.size
      ? Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => merchant.get(first + i))
      : [...merchant].flatMap(([minute, entries]) => (minute >= first && minute <= last ? [entries] : []));
  return buckets
    .flatMap((entries) => [...(entries?.values() ?? [])])
    .filter((entry) => entry.receivedAtMs >= query.fromMs && entry.receivedAtMs < query.toMs);
}

function page(found: readonly IndexEntry[], query: ReceivedQuery): ReceivedPage {
  const direction = query.order === 'asc' ? 1 : -1;
  const sorted = found
    .map((entry) => ({ entry, position: position(entry) }))
    .sort((a, b) => (a.position < b.position ? -direction : direction));
  const { cursor } = query;
  const rest =
    cursor === undefined
      ? sorted
      : sorted.filter(({ position: p }) => (direction === 1 ? p > cursor : p < cursor));
  const taken = rest.slice(0, query.limit);
  const last = taken.at(-1);
  return {
    keys: taken.map(({ entry }) => ({
      key: entry.key,
      ingestId: entry.ingestId,
      receivedAtMs: entry.receivedAtMs,
    })),
    ...(rest.length > taken.length && last ? { cursor: last.position } : {}),
  };
}

/** Orders by time, then by acceptance, then by row: a row and its archived copy share the first two. */
const position = (entry: IndexEntry): string =>
  `${String(entry.receivedAtMs).padStart(15, '0')}/${entry.ingestId}/${keyText(entry.key)}`;

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function mustLieInOwnBatch(row: EventRow): void {
  const batch = row.state === 'normalized' ? row.place?.batch : undefined;
  if (batch !== undefined && batchId(batch) !== batchId(batchOf(row, batch.id)))
    throw new RangeError('a row lies in a batch of its own merchant, minute and shard');
}
