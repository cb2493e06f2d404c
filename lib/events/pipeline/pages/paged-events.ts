// Rows of both places: those of the table, and those that lie in pages. A row of a page has its acceptance in its key (`archivedAs`),
// under which every reader of old rows finds it, wherever it is: in the table it may be live, or archived because its id was taken
// again. Once a row has expired its page holds before what the table still has of it, unless that is kept: the items of its batch may
// be gone. Guarantees: the table is read before pages, so that a row that leaves it is seen in its page; `received` names each old
// acceptance once; who writes to an old row finds it in the table, to stay.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { ingestTimeMs } from '../../domain/event/ingest-id.ts';
import {
  type EventKey,
  type EventRow,
  type NormalizedRow,
  type RowsRead,
  UnreadableRowError,
} from '../../domain/event/row.ts';
import { ROW_MS, YOUNG_MS } from '../../domain/event/row-expiry.ts';
import { bucketStartOf, shardOf } from '../../domain/shard.ts';
import type { Consistency, EventStore, Near, RowErasure } from '../../ports/event-store.ts';
import type { KeptBatches, KeptRows } from '../../ports/page-store.ts';
import { rowId } from '../read-rows.ts';
import { createPageReader, type PageReader, type PageReaderPorts } from './page-reader.ts';
import { isOwnCursor, receivedInBoth } from './received-in-both.ts';
import { eraseInPage, readIndex, writeIndex } from './unit.ts';

export interface PagedPorts extends PageReaderPorts {
  readonly events: EventStore;
  readonly kept: KeptRows & KeptBatches;
}

/** What was received less long ago lies in no page. Half a day less than where the archive begins: clocks differ. */
const PAGED_AFTER_MS = 6.5 * DAY_MS;
const SEARCHES_AT_ONCE = 8;

/** `erases`: of a row whose person is gone in one place and not in the other, the other is read. */
export function createPagedEvents(ports: PagedPorts, erases = false): EventStore {
  const { events, clock } = ports;
  const pages = createPageReader(ports);
  const readMany = createReadMany({ events, clock, pages, erases });
  const oldMs = (): number => clock.now() - PAGED_AFTER_MS;
  return {
    ...events,
    readMany,
    async read(key, near) {
      if (key.archivedAs === undefined && near === undefined) {
        const row = await events.read(key);
        if (row === null || (!erases && holds(row, clock.now()))) return row;
      }
      const { rows, unreadable } = await readMany([key], 'strong', near);
      if (unreadable[0] !== undefined) throw new UnreadableRowError(unreadable[0]);
      return rows[0] ?? null;
    },
    received: async (query) =>
      query.fromMs >= oldMs() || !isOwnCursor(query.cursor)
        ? await events.received(query)
        : await receivedInBoth(query, oldMs(), events, pages),
    hold: (seen) => hold(seen, pages, ports),
  };
}

/** What the table has of the row is what there is of it. */
const holds = (row: EventRow, nowMs: number): boolean =>
  row.kept === true || nowMs < row.receivedAtMs + ROW_MS;

interface ReadPorts {
  readonly events: EventStore;
  readonly clock: { now(): number };
  readonly pages: PageReader;
  readonly erases: boolean;
}

function createReadMany(ports: ReadPorts): EventStore['readMany'] {
  const { events, clock, erases } = ports;
  return async function readMany(keys, consistency = 'strong', near): Promise<RowsRead> {
    const oldMs = clock.now() - PAGED_AFTER_MS;
    const first = await events.readMany(keys, consistency);
    const inTable = new Map(first.rows.map((row) => [rowId(row.key), row]));
    const unread = new Set(first.unreadable.map(({ key }) => rowId(key)));
    const readable = keys.filter((key) => !unread.has(rowId(key)));
    const unsure = readable.flatMap((key): Unsure[] => {
      const row = inTable.get(rowId(key));
      const ingestId = key.archivedAs ?? row?.ingestId;
      if (ingestId === undefined || ingestTimeMs(ingestId) >= oldMs) return [];
      return row !== undefined && !erases && holds(row, clock.now()) ? [] : [{ key, ingestId, row }];
    });
    const isMissing = (key: EventKey): boolean => key.archivedAs === undefined && !inTable.has(rowId(key));
    const found =
      near === undefined || near.fromMs >= oldMs
        ? []
        : await search(readable.filter(isMissing), near, oldMs, ports);
    // The table may have more of it than its page.
    const searched =
      found.length === 0
        ? []
        : (
            await readMany(
              found.map(({ key }) => key),
              'strong',
              undefined,
            )
          ).rows;
    if (unsure.length === 0) return { ...first, rows: [...first.rows, ...searched] };
    const sure = await settle(unsure, consistency, ports);
    const settled = new Set(unsure.map(({ key }) => rowId(key)));
    return {
      rows: [...first.rows.filter(({ key }) => !settled.has(rowId(key))), ...sure.rows, ...searched],
      unreadable: [...first.unreadable, ...sure.unreadable],
    };
  };
}

/** Old rows, or those that the table does not have under these keys: in its other form, or in a page. */
async function settle(
  unsure: readonly Unsure[],
  consistency: Consistency,
  { events, clock, pages, erases }: ReadPorts,
): Promise<RowsRead> {
  const twins = await events.readMany(unsure.map(otherKey), consistency);
  const twin = new Map(twins.rows.map((row) => [row.ingestId, row]));
  const isValid = (row: EventRow): boolean => holds(row, clock.now());
  const stored = ({ row, ingestId }: Unsure): readonly EventRow[] =>
    [row, twin.get(ingestId)].filter((one) => one !== undefined);
  const left = erases ? unsure : unsure.filter((one) => !stored(one).some(isValid));
  const inPages = new Map<string, EventRow>();
  for (const [merchantId, some] of Map.groupBy(left, ({ key }) => key.merchantId)) {
    const ids = some.map(({ ingestId }) => ingestId);
    for (const [id, row] of await pages.byAcceptance(merchantId, ids)) inPages.set(id, row);
  }
  const rows = unsure.flatMap((one) => {
    const paged = inPages.get(one.ingestId);
    const inOrder = [...stored(one).filter(isValid), ...(paged === undefined ? [] : [paged]), ...stored(one)];
    const unerased = erases ? inOrder.find(({ erasedBy }) => erasedBy === undefined) : undefined;
    const row = unerased ?? inOrder[0];
    return row === undefined ? [] : [{ ...row, key: one.key }];
  });
  const wanted = new Set(unsure.map(({ ingestId }) => ingestId));
  for (const { ingestId } of rows) wanted.delete(ingestId);
  return { rows, unreadable: twins.unreadable.filter(({ ingestId }) => wanted.has(ingestId)) };
}

async function search(
  keys: readonly EventKey[],
  near: Near,
  oldMs: number,
  { pages }: ReadPorts,
): Promise<readonly EventRow[]> {
  const found: EventRow[] = [];
  for (let at = 0; at < keys.length; at += SEARCHES_AT_ONCE) {
    const some = keys.slice(at, at + SEARCHES_AT_ONCE);
    const rows = await Promise.all(some.map((key) => pages.newest(key, near, oldMs)));
    found.push(...rows.filter((row) => row !== null));
  }
  return found;
}

async function hold(
  seen: NormalizedRow,
  pages: PageReader,
  { kept, clock }: PagedPorts,
): Promise<NormalizedRow> {
  // Before that what is written of its batch would not stay.
  if (clock.now() < seen.receivedAtMs + YOUNG_MS) return seen;
  const [live, archived] = bothKeys(seen);
  if (!holds(seen, clock.now())) {
    const row = (await pages.byAcceptance(live.merchantId, [seen.ingestId])).get(seen.ingestId);
    if (row?.state === 'normalized') {
      await kept.restore({ ...row, key: archived });
      return { ...row, key: archived, kept: true };
    }
  }
  // Until DynamoDB deletes it, an expired row lies beside the one that was put back from its page: only that one is kept.
  for (const key of [live, archived]) {
    if (!(await kept.keep(key, seen.ingestId, seen.kept === true))) continue;
    const shard = shardOf(seen);
    const minuteMs = bucketStartOf(seen.receivedAtMs, shard);
    if (seen.place !== undefined) await kept.keepMinute({ merchantId: key.merchantId, minuteMs, shard });
    return { ...seen, key, kept: true };
  }
  return seen;
}

interface Unsure {
  readonly key: EventKey;
  readonly ingestId: string;
  /** As the table has it under this key. */
  readonly row: EventRow | undefined;
}

function bothKeys({
  key,
  ingestId,
}: Pick<EventRow, 'key' | 'ingestId'>): readonly [live: EventKey, archived: EventKey] {
  const { archivedAs: _, ...live } = key;
  return [live, { ...live, archivedAs: ingestId }];
}

function otherKey(one: Unsure): EventKey {
  const [live, archived] = bothKeys(one);
  return one.key.archivedAs === undefined ? archived : live;
}

/** Takes the person out of a row in both places; see archive-day.ts for the order. */
export function createPagedErasure(ports: PagedPorts & { readonly events: RowErasure }): RowErasure {
  return {
    async erase(seen, erasedBy) {
      const { events, clock } = ports;
      if (clock.now() < seen.receivedAtMs + PAGED_AFTER_MS) return await events.erase(seen, erasedBy);
      let isErased = false;
      for (const key of bothKeys(seen)) if (await events.erase({ ...seen, key }, erasedBy)) isErased = true;
      const { merchantId } = seen.key;
      const unit = { merchantId, dayMs: floorTo(seen.receivedAtMs, DAY_MS), shard: shardOf(seen) };
      const inPage = await retryConflicts({ what: 'an archived day', triesMax: CONFLICTS_MAX }, async () => {
        const found = await readIndex(unit, ports);
        if (found === null) return false;
        const { index, tag } = found;
        const one: [string, string] = [seen.ingestId, erasedBy];
        if (index.isComplete) return await eraseInPage(unit, index, one, ports);
        const noted = await writeIndex(unit, { ...index, erased: [...index.erased, one] }, tag, ports);
        return noted === null ? CONFLICT : false;
      });
      return isErased || inPage;
    },
  };
}

/** Others erase rows of the same day, and the archiver goes on. */
const CONFLICTS_MAX = 100;
