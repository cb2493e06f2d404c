// Rows of a span of time → their fold, page by page, from the time index. Reads cost half by being eventually consistent:
// a row seen as it was a moment ago is one that is still open, so whoever counted it comes back. One that cannot be read is
// open as well, and counted by whoever can read it.

import { type EventRow, type RowsRead, UnreadableRowError } from '../../domain/event-row.ts';
import { POINTERS_MAX } from '../../domain/pointer.ts';
import type { EventStore, ReceivedPage } from '../../ports/event-store.ts';
import { readRows } from '../read-rows.ts';
import { createOrderMemory } from '../repeated-orders.ts';
import { isServerCopy } from '../server-copies.ts';
import { type FoldResult, foldSlot, sumFolds } from './count-rows.ts';
import type { CountPorts } from './ports.ts';

type RecountPorts = Pick<CountPorts, 'platforms'> & {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
};

/** The fold of all rows received in [fromMs, toMs), from the rows themselves. */
export async function recount(
  merchantId: string,
  fromMs: number,
  toMs: number,
  ports: RecountPorts,
): Promise<FoldResult> {
  const parts: FoldResult[] = [];
  // A row on its way into the archive stands in the index twice, under one ingest id.
  const counted = new Set<string>();
  const isRepeated = createOrderMemory();
  let cursor: string | undefined;
  do {
    const page = await ports.events.received({
      merchantId,
      fromMs,
      toMs,
      order: 'asc',
      limit: POINTERS_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const read = await readPage(page.keys, ports.events);
    const isNew = ({ ingestId }: { readonly ingestId: string }): boolean => {
      const seen = counted.has(ingestId);
      counted.add(ingestId);
      return !seen;
    };
    const rows = read.rows.filter(isNew);
    if (rows.length > 0) {
      const merged = await mergedRows(rows, ports.events);
      const own = rows.filter(({ ingestId }) => !merged.has(ingestId));
      const repeated = new Set(own.filter(isRepeated).map(({ ingestId }) => ingestId));
      parts.push(foldSlot({ rows, merged, repeated, platforms: ports.platforms }));
    }
    parts.push(...read.unreadable.filter(isNew).map(unreadableFold));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return sumFolds(parts);
}

function unreadableFold(row: RowsRead['unreadable'][number]): FoldResult {
  const fold = foldSlot({ rows: [], merged: new Set(), platforms: [] });
  return { ...fold, open: 1, uncounted: [{ key: row.key, error: new UnreadableRowError(row) }] };
}

/** The rows the entries mean: an entry may be older than its row, which then belongs to another slot. */
async function readPage(entries: ReceivedPage['keys'], events: RecountPorts['events']): Promise<RowsRead> {
  const wanted = new Set(entries.map((entry) => entry.ingestId));
  const isReady = (row: { readonly ingestId: string }): boolean => wanted.has(row.ingestId);
  const { rows, unreadable } = await readRows(
    entries.map((entry) => entry.key),
    events,
    { isReady },
  );
  return { rows, unreadable: unreadable.filter(isReady) };
}

/** Browser rows that a server event of the same id, within a day of them, stands for. */
async function mergedRows(
  rows: readonly EventRow[],
  events: RecountPorts['events'],
): Promise<ReadonlySet<string>> {
  const browser = rows.filter((row) => row.key.channel === 'browser');
  if (browser.length === 0) return new Set();
  const { rows: twins } = await events.readMany(
    browser.map(({ key }) => ({
      merchantId: key.merchantId,
      channel: 'server' as const,
      eventId: key.eventId,
    })),
    'eventual',
  );
  const servers = new Map(twins.map((twin) => [twin.key.eventId, twin]));
  const isCopy = (row: EventRow): boolean => {
    const server = servers.get(row.key.eventId);
    return server !== undefined && isServerCopy(server, row);
  };
  return new Set(browser.filter(isCopy).map((row) => row.ingestId));
}
