// A merchant's rows by time of receipt, all shards together. One query over the range gives the shards of each day.
// Days of one shard are read as that shard's, without another query; the shards of a busier day are merged. Guarantees:
// entries in the order of their ingest ids, as within a shard.
import { DAY_MS } from '../../core/work/time-slot.ts';
import { inShard } from '../domain/shard.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { EventStore, ReceivedPage, ReceivedQuery } from '../ports/event-store.ts';

export type Entry = ReceivedPage['keys'][number];

export type EntryRange = Pick<ReceivedQuery, 'merchantId' | 'fromMs' | 'toMs' | 'order'>;

export interface EntryPorts {
  readonly events: Pick<EventStore, 'received'>;
  readonly counters: Pick<CounterStore, 'openedShards'>;
}

type RowCursor = Pick<Entry, 'receivedAtMs' | 'ingestId'>;

/** In the order of the entries. */
export const isBehind = (entry: RowCursor, cursor: RowCursor): boolean =>
  entry.receivedAtMs === cursor.receivedAtMs
    ? entry.ingestId > cursor.ingestId
    : entry.receivedAtMs > cursor.receivedAtMs;

/** In pages of 1 to `pageMax` entries. */
export async function* receivedEntries(
  range: EntryRange,
  pageMax: number,
  ports: EntryPorts,
): AsyncGenerator<readonly Entry[], void> {
  for (const { shards, ...part } of await partsOf(range, ports)) {
    if (shards.length === 1) yield* pages({ ...range, ...part }, pageMax, pageMax, ports);
    else yield* merged({ ...range, ...part }, shards, pageMax, ports);
  }
}

interface Part {
  readonly fromMs: number;
  readonly toMs: number;
  readonly shards: readonly number[];
}

/** Splits the range into days of many shards and the spans between them, in its order. */
async function partsOf(
  { merchantId, fromMs, toMs, order }: EntryRange,
  { counters }: EntryPorts,
): Promise<readonly Part[]> {
  if (fromMs >= toMs) return [];
  const opened = await counters.openedShards(merchantId, fromMs, toMs);
  if (opened.length === 0) return [{ fromMs, toMs, shards: [0] }];
  const byDay = Map.groupBy(opened, ({ dayMs }) => dayMs);
  const parts: Part[] = [];
  for (const [dayMs, shards] of [...byDay].sort(([a], [b]) => a - b)) {
    const before = parts.at(-1)?.toMs ?? fromMs;
    const startMs = Math.max(dayMs, fromMs);
    const endMs = Math.min(dayMs + DAY_MS, toMs);
    if (startMs > before) parts.push({ fromMs: before, toMs: startMs, shards: [0] });
    parts.push({ fromMs: startMs, toMs: endMs, shards: [0, ...new Set(shards.map(({ shard }) => shard))] });
  }
  const last = parts.at(-1)?.toMs ?? fromMs;
  if (last < toMs) parts.push({ fromMs: last, toMs, shards: [0] });
  return order === 'asc' ? parts : parts.reverse();
}

/** Page sizes double: a caller that reads on wants many. */
async function* pages(
  range: EntryRange & { readonly shard?: number },
  firstMax: number,
  pageMax: number,
  { events }: EntryPorts,
): AsyncGenerator<readonly Entry[], void> {
  let cursor: string | undefined;
  let limit = firstMax;
  do {
    const page = await events.received({ ...range, limit, ...(cursor === undefined ? {} : { cursor }) });
    if (page.keys.length > 0) yield page.keys;
    cursor = page.cursor;
    limit = Math.min(limit * 2, pageMax);
  } while (cursor !== undefined);
}

/** Entries of a shard that are read but not yet yielded; when none is left the next page is read. */
interface Head {
  entries: readonly Entry[];
  at: number;
  readonly more: AsyncGenerator<readonly Entry[], void>;
}

async function* merged(
  range: EntryRange,
  shards: readonly number[],
  pageMax: number,
  ports: EntryPorts,
): AsyncGenerator<readonly Entry[], void> {
  // Together one and a half pages, since shards are not equally full.
  const firstMax = Math.min(pageMax, Math.max(10, Math.ceil((1.5 * pageMax) / shards.length)));
  const start = (shard: number): Promise<Head> =>
    filled({ entries: [], at: 0, more: pages(inShard(range, shard), firstMax, pageMax, ports) });
  let heads = await Promise.all(shards.map(start));
  let page: Entry[] = [];
  for (;;) {
    heads = heads.filter(({ entries, at }) => at < entries.length);
    const head = firstOf(heads, range.order);
    const entry = head?.entries[head.at];
    if (head === undefined || entry === undefined) break;
    page.push(entry);
    head.at += 1;
    if (head.at === head.entries.length) await filled(head);
    if (page.length === pageMax) {
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

async function filled(head: Head): Promise<Head> {
  const next = await head.more.next();
  head.entries = next.done === true ? [] : next.value;
  head.at = 0;
  return head;
}

function firstOf(heads: readonly Head[], order: EntryRange['order']): Head | undefined {
  let first: Head | undefined;
  let least = '';
  for (const head of heads) {
    const id = head.entries[head.at]?.ingestId ?? '';
    if (first !== undefined && (order === 'asc' ? id >= least : id <= least)) continue;
    [first, least] = [head, id];
  }
  return first;
}
