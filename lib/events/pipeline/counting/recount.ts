// Rows of a time span and shard → their fold, page by page, from the time index. Reads are eventually consistent, at
// half the cost: a stale row is seen as still open, so its slot is counted again. A row that cannot be read counts as
// open as well, until a release can read it. Ended batches are counted without their rows.

import { readAhead } from '#lib/core/work/read-ahead.ts';
import { type SettledCredits, withSettled } from '../../domain/analytics/settled-credit.ts';
import type { Manifest } from '../../domain/deliveries/batch.ts';
import {
  type EventRow,
  type NormalizedRow,
  type RowsRead,
  UnreadableRowError,
} from '../../domain/event/row.ts';
import { POINTERS_MAX } from '../../domain/pointer.ts';
import { inShard } from '../../domain/shard.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import type { EventStore, ReceivedPage } from '../../ports/event-store.ts';
import { joinOutcomes } from '../outcomes-of-batches.ts';
import { readRows } from '../read-rows.ts';
import { besides, readServerCopies, readServerEvents } from '../server-copies.ts';
import { type EndedBatch, outcomesByMinute, readMinuteBatches } from './batches-of-minute.ts';
import { countBatch } from './count-batches.ts';
import { isRepeatedOrder } from './count-events.ts';
import { type FoldResult, foldBucket, sumFolds } from './count-rows.ts';
import { withoutDisplaced } from './displaced-orders.ts';
import type { CountPorts } from './ports.ts';

export type RecountPorts = Pick<CountPorts, 'platforms' | 'orders'> & {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly batches: Pick<BatchStore, 'ofMinute' | 'readMany'>;
};

export interface RecountOptions {
  /** Absent = 0. */
  readonly shard?: number;
  /** Counts every row instead of manifests, to check the counts. */
  readonly everyRow?: boolean;
  /** Whether a row is read that the index lists; with `everyRow`. Absent: all are. Ends the count by throwing. */
  readonly isWanted?: (entry: Entry) => boolean;
  /** Called with each row that is counted as an order, with the credit that it counts for. */
  readonly onOrder?: (row: NormalizedRow) => void;
  /** Called with each refund that is counted, likewise. */
  readonly onRefund?: (row: NormalizedRow) => void;
  /** What rows are credited to instead of what they say. */
  readonly settled?: SettledCredits;
  /** Called after each page with the number of rows read so far: it may wait, and ends the count by throwing. */
  readonly afterRows?: (rows: number) => Promise<void>;
}

type Entry = ReceivedPage['keys'][number];

/** Thrown where there are more rows than were to be read. */
export class TooManyRows extends Error {}

export interface EveryRow extends Pick<RecountOptions, 'onOrder' | 'onRefund' | 'settled'> {
  readonly shards: readonly number[];
  readonly rowsMax: number;
}

/** Every row of these shards received in [fromMs, toMs), whatever manifests count. Throws `TooManyRows` above `rowsMax`. */
export async function recountEveryRow(
  merchantId: string,
  fromMs: number,
  toMs: number,
  ports: RecountPorts,
  { shards, rowsMax, ...each }: EveryRow,
): Promise<FoldResult> {
  const parts: FoldResult[] = [];
  let before = 0;
  for (const shard of shards) {
    let own = 0;
    const afterRows = async (rows: number): Promise<void> => {
      own = rows;
      if (before + rows > rowsMax) throw new TooManyRows();
    };
    parts.push(await recount(merchantId, fromMs, toMs, ports, { ...each, shard, everyRow: true, afterRows }));
    before += own;
  }
  return sumFolds(parts);
}

/** Entries of one query: a tenth of the maximum size of its answer. */
const INDEX_PAGE = 1_000;
/** Concurrent reads besides the page being counted; each may take 16 MB. */
const PAGES_AHEAD = 2;

/**
 * The fold of all rows of one shard received in [fromMs, toMs), which is one bucket unless every row is read. Reads of
 * the next pages run while one is counted.
 */
export async function recount(
  merchantId: string,
  fromMs: number,
  toMs: number,
  ports: RecountPorts,
  { shard = 0, everyRow = false, isWanted, settled = {}, onOrder, onRefund, afterRows }: RecountOptions = {},
): Promise<FoldResult> {
  const parts: FoldResult[] = [];
  // A row that is being archived is in the index twice, under one ingest id; a row of a batch is in its manifest as
  // well.
  const counted = new Set<string>();
  const isNew = ({ ingestId }: { readonly ingestId: string }): boolean => {
    const seen = counted.has(ingestId);
    counted.add(ingestId);
    return !seen;
  };
  let outcomes = outcomesByMinute(ports.batches);
  if (!everyRow) {
    // Even if the index does not list its rows yet.
    const minute = await readMinuteBatches({ merchantId, minuteMs: fromMs, shard }, ports.batches);
    // A manifest has the credit of its rows as it was: where that was settled since they are counted one by one.
    const asWritten = (batches: readonly EndedBatch[]): readonly EndedBatch[] =>
      batches.filter(({ manifest }) => !hasSettled(manifest, settled));
    const alone = await withoutCopies(asWritten(minute.endedOfPages), ports.events);
    for (const batch of [...asWritten(minute.ended), ...alone]) {
      for (const { ingestId } of batch.manifest.rows) counted.add(ingestId);
      parts.push(foldBatch(batch, ports));
    }
    outcomes = minute.outcomes;
  }
  const query = inShard({ merchantId, fromMs, toMs, order: 'asc', limit: INDEX_PAGE } as const, shard);
  const pages = entryPages(query, ports.events, isWanted ?? ((entry) => !counted.has(entry.ingestId)));
  const reads = readAhead(pages, PAGES_AHEAD, (entries) => readPage(entries, ports.events, outcomes));
  let rowsRead = 0;
  for await (const read of reads) {
    const rows = read.rows.filter(isNew);
    if (rows.length > 0) {
      const merged = await mergedRows(rows, ports.events);
      const own = (await withoutDisplaced(rows, merged, ports)).map((row) =>
        row.state === 'normalized' ? withSettled(row, settled) : row,
      );
      if (onOrder !== undefined) for (const row of own) if (isOrder(row, merged)) onOrder(row);
      if (onRefund !== undefined) for (const row of own) if (isRefund(row)) onRefund(row);
      parts.push(foldBucket({ rows: own, merged, platforms: ports.platforms }));
    }
    parts.push(...read.unreadable.filter(isNew).map(unreadableFold));
    rowsRead += rows.length + read.unreadable.length;
    await afterRows?.(rowsRead);
  }
  return sumFolds(parts);
}

const hasSettled = ({ rows }: Manifest, settled: SettledCredits): boolean =>
  rows.some(({ ingestId }) => Object.hasOwn(settled, ingestId));

const isOrder = (row: EventRow, merged: ReadonlySet<string>): row is NormalizedRow =>
  row.state === 'normalized' &&
  row.event.credit !== undefined &&
  !merged.has(row.ingestId) &&
  !isRepeatedOrder(row);

const isRefund = (row: EventRow): row is NormalizedRow =>
  row.state === 'normalized' && row.event.refund !== undefined;

/** Splits longer pages of the index into pages for one read of rows. */
async function* entryPages(
  query: Omit<Parameters<EventStore['received']>[0], 'cursor'>,
  events: Pick<EventStore, 'received'>,
  isWanted: (entry: Entry) => boolean,
): AsyncGenerator<ReceivedPage['keys']> {
  let cursor: string | undefined;
  do {
    const page = await events.received({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    const wanted = page.keys.filter(isWanted);
    for (let at = 0; at < wanted.length; at += POINTERS_MAX) yield wanted.slice(at, at + POINTERS_MAX);
    cursor = page.cursor;
  } while (cursor !== undefined);
}

const NOTHING = foldBucket({ rows: [], merged: new Set(), platforms: [] });

const foldBatch = (
  { manifest, outcomes }: EndedBatch,
  { platforms }: Pick<RecountPorts, 'platforms'>,
): FoldResult => ({ ...NOTHING, counters: countBatch(manifest, outcomes, platforms) });

function unreadableFold(row: RowsRead['unreadable'][number]): FoldResult {
  return { ...NOTHING, open: 1, uncounted: [{ key: row.key, error: new UnreadableRowError(row) }] };
}

/** The rows of the entries. An entry may be older than its row, which then belongs to another slot. */
async function readPage(
  entries: ReceivedPage['keys'],
  events: RecountPorts['events'],
  outcomes: Pick<BatchStore, 'readMany'>,
): Promise<RowsRead> {
  const wanted = new Set(entries.map((entry) => entry.ingestId));
  const isReady = (row: { readonly ingestId: string }): boolean => wanted.has(row.ingestId);
  const { rows, unreadable } = await readRows(
    entries.map((entry) => entry.key),
    events,
    { isReady },
  );
  const joined = await joinOutcomes(rows, outcomes, 'eventual');
  return { rows: joined.rows, unreadable: [...unreadable.filter(isReady), ...joined.unreadable] };
}

/** Browser rows that are represented by a server event of the same id, received within a day of them. */
async function mergedRows(
  rows: readonly EventRow[],
  events: RecountPorts['events'],
): Promise<ReadonlySet<string>> {
  const browser = rows.filter((row) => row.key.channel === 'browser');
  const copyOf = await readServerCopies(browser, events, 'eventual');
  return new Set(browser.filter((row) => isRow(copyOf(row))).map((row) => row.ingestId));
}

/** The batches of which no row's id is a server event's as well. */
async function withoutCopies(
  batches: readonly EndedBatch[],
  events: RecountPorts['events'],
): Promise<readonly EndedBatch[]> {
  const idsOf = ({ manifest: { batch, rows } }: EndedBatch) =>
    rows.map(({ eventId }) => ({ merchantId: batch.merchantId, eventId }));
  const near = besides(batches.map(({ manifest }) => manifest.batch.minuteMs));
  const serverOf = await readServerEvents(batches.flatMap(idsOf), events, 'eventual', near);
  return batches.filter((batch) => idsOf(batch).every((id) => serverOf(id) === undefined));
}

const isRow = (found: EventRow | 'unreadable' | undefined): boolean => typeof found === 'object';
