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
import { createPageReader, type PageReaderPorts } from './page-reader.ts';
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
  const oldMs = (): number => clock.now() - PAGED_AFTER_MS;
  const isOld = (ingestId: string): boolean => ingestTimeMs(ingestId) < oldMs();
  const holds = (row: EventRow): boolean =>
    !erases && (row.kept === true || clock.now() < row.receivedAtMs + ROW_MS);

  const readMany = async (
    keys: readonly EventKey[],
    consistency: Consistency = 'strong',
    near?: Near,
  ): Promise<RowsRead> => {
    const first = await events.readMany(keys, consistency);
    const inTable = new Map(first.rows.map((row) => [rowId(row.key), row]));
    const unread = new Set(first.unreadable.map(({ key }) => rowId(key)));
    const unsure = keys.flatMap((key): Unsure[] => {
      const row = inTable.get(rowId(key));
      const ingestId = key.archivedAs ?? row?.ingestId;
      if (ingestId === undefined || unread.has(rowId(key)) || !isOld(ingestId)) return [];
      return row !== undefined && holds(row) ? [] : [{ key, ingestId, row }];
    });
    const missing = keys.filter((key) => key.archivedAs === undefined && !inTable.has(rowId(key)) && !unread.has(rowId(key)));
    const searched = near === undefined || near.fromMs >= oldMs() ? [] : await search(missing, near);
    if (unsure.length === 0) return { ...first, rows: [...first.rows, ...searched] };
    const sure = await settle(unsure, consistency);
    const settled = new Set(unsure.map(({ key }) => rowId(key)));
    return {
      rows: [...first.rows.filter(({ key }) => !settled.has(rowId(key))), ...sure.rows, ...searched],
      unreadable: [...first.unreadable, ...sure.unreadable],
    };
  };

  const settle = async (unsure: readonly Unsure[], consistency: Consistency): Promise<RowsRead> => {
    const twins = await events.readMany(unsure.map(otherKey), consistency);
    const ids = new Set(unsure.map(({ ingestId }) => ingestId));
    const twin = new Map(twins.rows.map((row) => [row.ingestId, row]));
    const stored = (one: Unsure): readonly EventRow[] =>
      [one.row, twin.get(one.ingestId)].filter((row) => row !== undefined);
    const left = unsure.filter((one) => !stored(one).some(holds));
    const inPages = new Map<string, EventRow>();
    for (const [merchantId, some] of Map.groupBy(left, ({ key }) => key.merchantId))
      for (const found of await pages.byAcceptance(merchantId, some.map(({ ingestId }) => ingestId)))
        inPages.set(...found);
    const rows = unsure.flatMap((one) => {
      const paged = inPages.get(one.ingestId);
      const inOrder = [...stored(one).filter(holds), ...(paged === undefined ? [] : [paged]), ...stored(one)];
      const unerased = inOrder.find(({ erasedBy }) => erasedBy === undefined);
      const row = (erases ? unerased : undefined) ?? inOrder[0];
      return row === undefined ? [] : [{ ...row, key: one.key }];
    });
    const found = new Set(rows.map(({ ingestId }) => ingestId));
    return {
      rows,
      unreadable: twins.unreadable.filter(({ ingestId }) => ids.has(ingestId) && !found.has(ingestId)),
    };
  };

  const search = async (keys: readonly EventKey[], near: Near): Promise<readonly EventRow[]> => {
    const found: EventRow[] = [];
    for (let at = 0; at < keys.length; at += SEARCHES_AT_ONCE) {
      const some = keys.slice(at, at + SEARCHES_AT_ONCE);
      const rows = await Promise.all(some.map((key) => pages.newest(key, near, oldMs())));
      found.push(...rows.filter((row) => row !== null));
    }
    // The table may have more of it than its page.
    return found.length === 0 ? [] : (await readMany(found.map(({ key }) => key))).rows;
  };

  return {
    ...events,
    readMany,
    async read(key, near) {
      if (key.archivedAs === undefined && near === undefined) {
        const row = await events.read(key);
        if (row === null || !isOld(row.ingestId) || holds(row)) return row;
      }
      const { rows, unreadable } = await readMany([key], 'strong', near);
      if (unreadable[0] !== undefined) throw new UnreadableRowError(unreadable[0]);
      return rows[0] ?? null;
    },
    received: async (query) =>
      query.fromMs >= oldMs() || !isOwnCursor(query.cursor)
        ? await events.received(query)
        : await receivedInBoth(query, oldMs(), events, pages),
    async hold(seen) {
      // Before that what is written of its batch would not stay.
      if (clock.now() < seen.receivedAtMs + YOUNG_MS) return seen;
      const [live, archived] = bothKeys(seen);
      // Once it has expired, its page holds.
      const isLate = clock.now() >= seen.receivedAtMs + ROW_MS;
      const paged = isLate ? await pages.byAcceptance(live.merchantId, [seen.ingestId]) : new Map<string, EventRow>();
      const row = paged.get(seen.ingestId);
      if (row !== undefined && seen.kept === undefined) {
        await ports.kept.restore({ ...row, key: archived });
        return { ...(row as NormalizedRow), key: archived, kept: true };
      }
      for (const key of [live, archived]) {
        if (!(await ports.kept.keep(key, seen.ingestId))) continue;
        const shard = shardOf(seen);
        const minuteMs = bucketStartOf(seen.receivedAtMs, shard);
        if (seen.place !== undefined) await ports.kept.keepMinute({ merchantId: key.merchantId, minuteMs, shard });
        return { ...seen, key, kept: true };
      }
      return seen;
    },
  };
}

interface Unsure {
  readonly key: EventKey;
  readonly ingestId: string;
  /** As the table has it under this key. */
  readonly row: EventRow | undefined;
}

function bothKeys({ key, ingestId }: Pick<EventRow, 'key' | 'ingestId'>): readonly [live: EventKey, archived: EventKey] {
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
