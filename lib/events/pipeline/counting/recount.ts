// Rows of a span of time → their fold, page by page, from the time index. Reads cost half by being eventually consistent:
// a row seen as it was a moment ago is one that is still open, so whoever counted it comes back.
import { POINTERS_MAX } from '../../domain/pointer.ts';
import type { EventRow, EventStore, ReceivedPage } from '../../ports/event-store.ts';
import { isServerCopy } from '../server-copies.ts';
import { type FoldResult, foldSlot, sumFolds } from './count-rows.ts';
import type { AggregatePorts } from './ports.ts';

type RecountPorts = Pick<AggregatePorts, 'platforms'> & {
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
    const rows = (await readPage(page.keys, ports.events)).filter(({ ingestId }) => {
      const isNew = !counted.has(ingestId);
      counted.add(ingestId);
      return isNew;
    });
    if (rows.length > 0)
      parts.push(
        foldSlot({ rows, merged: await mergedRows(rows, ports.events), platforms: ports.platforms }),
      );
    cursor = page.cursor;
  } while (cursor !== undefined);
  return sumFolds(parts);
}

/** The rows the entries mean: an entry may be older than its row, which then belongs to another slot. */
async function readPage(
  entries: ReceivedPage['keys'],
  events: RecountPorts['events'],
): Promise<readonly EventRow[]> {
  if (entries.length === 0) return [];
  const wanted = new Set(entries.map((entry) => entry.ingestId));
  const isWanted = (row: EventRow): boolean => wanted.has(row.ingestId);
  const rows = (
    await events.readMany(
      entries.map((entry) => entry.key),
      'eventual',
    )
  ).filter(isWanted);
  const seen = new Set(rows.map((row) => row.ingestId));
  const unseen = entries.filter((entry) => !seen.has(entry.ingestId));
  if (unseen.length === 0) return rows;
  return [...rows, ...(await events.readMany(unseen.map((entry) => entry.key))).filter(isWanted)];
}

/** Browser rows that a server event of the same id, within a day of them, stands for. */
async function mergedRows(
  rows: readonly EventRow[],
  events: RecountPorts['events'],
): Promise<ReadonlySet<string>> {
  const browser = rows.filter((row) => row.key.channel === 'browser');
  if (browser.length === 0) return new Set();
  const twins = await events.readMany(
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
