// Entries of one shard by time, out of the time index and out of pages. Guarantees: each old acceptance once, as its page names it;
// a cursor is a place in the order of entries, so that a row may move between the places from page to page.
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { ingestIdFloor, ingestTimeMs } from '../../domain/event/ingest-id.ts';
import { shardOf } from '../../domain/shard.ts';
import type { EventStore, ReceivedPage, ReceivedQuery } from '../../ports/event-store.ts';
import type { createPageReader } from './page-reader.ts';

type Entry = ReceivedPage['keys'][number];
type Pages = Pick<ReturnType<typeof createPageReader>, 'entries'>;

/** A row and its archived copy have one ingest id. */
const positionOf = ({ ingestId, key }: Pick<Entry, 'ingestId' | 'key'>): string =>
  `${ingestId}/${key.archivedAs === undefined ? '~' : '-'}`;

const MARK = 'p.';

/** A cursor that was begun with before the range was old is the table's. */
export const isOwnCursor = (cursor: string | undefined): boolean =>
  cursor === undefined || cursor.startsWith(MARK);

/** `oldMs`: what was received later lies in no page. */
export async function receivedInBoth(
  query: ReceivedQuery,
  oldMs: number,
  events: Pick<EventStore, 'received'>,
  pages: Pages,
): Promise<ReceivedPage> {
  const { order, limit } = query;
  const sign = order === 'asc' ? 1 : -1;
  const isBehind = (a: string, b: string): boolean => (sign === 1 ? a > b : a < b);
  const at =
    query.cursor === undefined ? '' : Buffer.from(query.cursor.slice(MARK.length), 'base64url').toString();
  const range = within(query, at);
  const isRest = (entry: Entry): boolean => at === '' || isBehind(positionOf(entry), at);
  const inTable = await fromTable({ ...query, ...range }, isRest, events);
  const { edge } = inTable;
  const paged = new Set<string>();
  const inPages: Entry[] = [];
  for await (const entry of fromPages({ ...query, ...range }, oldMs, pages)) {
    if (edge !== undefined && !isBehind(edge, entry.ingestId)) break;
    paged.add(entry.ingestId);
    // By acceptance: the page before may have named it as it is in the other place.
    if (at !== '' && !isBehind(entry.ingestId, at.split('/')[0] ?? '')) continue;
    inPages.push(entry);
    if (inPages.length > limit) break;
  }
  const keys = [...inTable.entries.filter(({ ingestId }) => !paged.has(ingestId)), ...inPages].sort((a, b) =>
    positionOf(a) < positionOf(b) ? -sign : sign,
  );
  const page = keys.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined || (edge === undefined && keys.length <= limit)) return { keys: page };
  return { keys: page, cursor: MARK + Buffer.from(positionOf(last)).toString('base64url') };
}

function within({ fromMs, toMs, order }: ReceivedQuery, at: string): { fromMs: number; toMs: number } {
  if (at === '') return { fromMs, toMs };
  const atMs = ingestTimeMs(at);
  return order === 'asc'
    ? { fromMs: Math.max(fromMs, atMs), toMs }
    : { fromMs, toMs: Math.min(toMs, atMs + 1) };
}

interface FromTable {
  readonly entries: readonly Entry[];
  /** The ingest id from which on there may be more; absent: these are all. */
  readonly edge?: string;
}

/** More than `limit` of them, or all: of the last acceptance the other entry may be on the next page. */
async function fromTable(
  { cursor: _, ...query }: ReceivedQuery,
  isRest: (entry: Entry) => boolean,
  events: Pick<EventStore, 'received'>,
): Promise<FromTable> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  do {
    const limit = query.limit + 3;
    const page = await events.received({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
    entries.push(...page.keys.filter(isRest));
    cursor = page.cursor;
  } while (cursor !== undefined && entries.length < query.limit + 3);
  const last = entries.at(-1);
  if (cursor === undefined || last === undefined) return { entries };
  return { entries: entries.filter(({ ingestId }) => ingestId !== last.ingestId), edge: last.ingestId };
}

/** The whole range may have more than are wanted: they are read as far as they are taken. */
async function* fromPages(query: ReceivedQuery, oldMs: number, pages: Pages): AsyncGenerator<Entry, void> {
  const { merchantId, order, fromMs } = query;
  const toMs = Math.min(query.toMs, oldMs);
  const first = floorTo(fromMs, DAY_MS);
  const days = Array.from(
    { length: Math.max(0, Math.ceil((toMs - first) / DAY_MS)) },
    (_, i) => first + i * DAY_MS,
  );
  for (const dayMs of order === 'asc' ? days : days.reverse()) {
    const unit = { merchantId, dayMs, shard: shardOf(query) };
    for await (const { key, ingestId, receivedAtMs } of pages.entries({
      ...unit,
      order,
      ...bounds(fromMs, toMs),
    }))
      yield { key, ingestId, receivedAtMs };
  }
}

const bounds = (fromMs: number, toMs: number): { readonly above: string; readonly below: string } => ({
  above: ingestIdFloor(fromMs),
  below: ingestIdFloor(toMs),
});
