// One page of a reconciliation: finds the order of each event and, for those that have one, its outcomes. Guarantees:
// an event is read once, eventually consistent, and again only if that read did not find it or its id was taken again;
// outcomes of batches are read only for events of uploaded orders; an unreadable event is counted and does not hold up
// the others.
import type { EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import type {
  Reconciliation,
  ReconciliationCounts,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { joinOutcomes } from '#lib/events/pipeline/outcomes-of-batches.ts';
import type { Entry } from '#lib/events/pipeline/received-entries.ts';
import {
  hasServerCopy,
  namesOf,
  ownPurchaseAtMs,
  sightingOf,
} from '#lib/events/pipeline/reconciling/sighting.ts';
import { readServerCopies } from '#lib/events/pipeline/server-copies.ts';
import type { OrderBook } from './order-book.ts';
import type { TaskPorts } from './ports.ts';

/** Entries in the order of the index, each acceptance once. */
export async function seePage(
  entries: readonly Entry[],
  job: Reconciliation,
  book: OrderBook,
  ports: TaskPorts,
): Promise<ReconciliationCounts> {
  const { rows, unreadable } = await readEntries(entries, ports);
  const matched = rows.filter((row) => book.find(namesOf(row)).length > 0);
  const unlisted = rows.filter((row) => isUnlisted(row, job, book)).length;
  const joined = await joinOutcomes(matched, ports.batches, 'strong');
  const copies = await serverCopies(joined.rows, ports);
  for (const row of inOrder(joined.rows, entries)) {
    const at = book.find(namesOf(row));
    book.see(at, sightingOf(row, job.places));
    const copy = copies.get(row);
    if (copy !== undefined) book.see(at, sightingOf(copy, job.places));
  }
  return { seen: entries.length, unreadable: unreadable + joined.unreadable.length, unlisted };
}

/**
 * Eventually consistent, at half the cost; rows that this read does not show as normalized are read again,
 * consistently.
 */
async function readEntries(
  entries: readonly Entry[],
  { events }: TaskPorts,
): Promise<{ readonly rows: readonly EventRow[]; readonly unreadable: number }> {
  const first = await events.readMany(keysOf(entries), 'eventual');
  const rows = ownRows(first.rows, entries).filter(({ state }) => state === 'normalized');
  const left = without(entries, rows);
  if (left.length === 0) return { rows, unreadable: 0 };
  const second = await events.readMany(keysOf(left));
  const late = ownRows(second.rows, left);
  // Its id was taken again after the index was read.
  const moved = without(left, [...late, ...second.unreadable]).filter(
    ({ key }) => key.archivedAs === undefined,
  );
  const keys = moved.map(({ key, ingestId }): EventKey => ({ ...key, archivedAs: ingestId }));
  const third = keys.length === 0 ? { rows: [], unreadable: [] } : await events.readMany(keys);
  return {
    rows: [...rows, ...late, ...ownRows(third.rows, moved)],
    unreadable: second.unreadable.length + third.unreadable.length,
  };
}

const keysOf = (entries: readonly Entry[]): readonly EventKey[] => entries.map(({ key }) => key);

function ownRows(rows: readonly EventRow[], entries: readonly Entry[]): readonly EventRow[] {
  const ids = new Set(entries.map(({ ingestId }) => ingestId));
  return rows.filter(({ ingestId }) => ids.has(ingestId));
}

function without(
  entries: readonly Entry[],
  rows: readonly { readonly ingestId: string }[],
): readonly Entry[] {
  const ids = new Set(rows.map(({ ingestId }) => ingestId));
  return entries.filter(({ ingestId }) => !ids.has(ingestId));
}

/** In the order of the index, so that copies are seen in the same order at every try. */
function inOrder(rows: readonly EventRow[], entries: readonly Entry[]): readonly EventRow[] {
  const byId = new Map(rows.map((row) => [row.ingestId, row]));
  return entries.flatMap(({ ingestId }) => byId.get(ingestId) ?? []);
}

function isUnlisted(row: EventRow, { upload }: Reconciliation, book: OrderBook): boolean {
  const { firstMs, lastMs } = upload;
  const atMs = ownPurchaseAtMs(row);
  if (atMs === undefined || firstMs === undefined || lastMs === undefined) return false;
  return atMs >= firstMs && atMs <= lastMs && book.find(namesOf(row)).length === 0;
}

/** By browser event that yielded: the server's event is the same order, under any order id. */
async function serverCopies(
  rows: readonly EventRow[],
  { events, batches }: TaskPorts,
): Promise<ReadonlyMap<EventRow, EventRow>> {
  const browser = rows.filter(hasServerCopy);
  const copyOf = await readServerCopies(browser, events);
  const found = browser.flatMap((row): [EventRow, EventRow][] => {
    const server = copyOf(row);
    return server === undefined || server === 'unreadable' ? [] : [[row, server]];
  });
  const joined = await joinOutcomes([...new Set(found.map(([, server]) => server))], batches, 'strong');
  const byId = new Map(joined.rows.map((row) => [row.ingestId, row]));
  return new Map(
    found.flatMap(([row, { ingestId }]): [EventRow, EventRow][] => {
      const server = byId.get(ingestId);
      return server === undefined ? [] : [[row, server]];
    }),
  );
}
