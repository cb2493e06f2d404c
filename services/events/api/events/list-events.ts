// GET /v1/events: one page of a merchant's events. By time of receipt the index does the sorting and a cursor names the
// last event of a page; any other order sorts what one request may look at, and pages by offset.

import * as z from 'zod';
import { type Failure, refuse, type Success } from '#lib/core/http/handler.ts';
import { createListCursor, FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import { LIST_LIMITS, type listEvents as route } from '#lib/events/routes/events.ts';
import { rangeFor } from '../analytics/scan-range.ts';
import { unknownConnection } from '../connections/named.ts';
import { readOrderRows } from '../orders/order-rows.ts';
import type { ApiPorts } from '../ports.ts';
import { factsOf } from './facts.ts';
import { createEventFilter, type EventFilter, type ListQuery } from './filter.ts';
import {
  type Entry,
  type Place,
  readRows,
  SCAN_ENTRIES_MAX,
  type ScanRange,
  scanEntries,
  scanMatches,
} from './scan.ts';
import { createVerdictReader } from './verdicts.ts';
import { listedEvent } from './view.ts';

/** After an event, or, in an order that no index keeps, after so many. */
const placeSchema = z
  .strictObject({
    /** Events before the page. */
    o: z.int().nonnegative(),
    /** Events in all, as counted for the first page, and whether that was all of them. */
    n: z.int().nonnegative(),
    x: z.boolean(),
    /** Time and id of the last event seen; absent where only the offset counts. */
    t: z.int().nonnegative().max(8.64e15).optional(),
    i: z.guid().optional(),
  })
  .refine(({ t, i }) => (t === undefined) === (i === undefined));

type EventCursor = z.output<typeof placeSchema>;

const eventCursor = createListCursor(placeSchema);

interface PageOfRows {
  readonly rows: readonly EventRow[];
  readonly total: number;
  readonly exact: boolean;
  /** Null after the last page. */
  readonly next: EventCursor | null;
}

export async function listEvents(
  merchantId: string,
  query: ListQuery,
  ports: ApiPorts,
): Promise<Omit<Success<typeof route>['body'], 'success'> | Failure<'invalid_request'>> {
  const within = await rangeFor(merchantId, query, ports);
  if ('failure' in within) return within;
  const range = { merchantId, ...within, order: query.orderDirection };
  if (query.cursor !== undefined && query.offset !== undefined)
    return refuse('offset', 'not together with cursor');
  const cursor = eventCursor.read(query);
  if (cursor === null) return FOREIGN_CURSOR;

  const { connections, removed } = await ports.config.everyConnection(merchantId);
  const stranger = unknownConnection(query.connection_id, [...connections, ...removed]);
  if (stranger !== null) return stranger;
  const verdicts = createVerdictReader(ports.platforms, connections, removed);
  const filter = createEventFilter(query, verdicts, ports.eventVault);
  const page = await pageOf({ query, range, filter, cursor, ports });
  return {
    events: page.rows.map((row) => listedEvent(row, verdicts.read(row))),
    total: cursor?.n ?? page.total,
    total_is_exact: cursor?.x ?? page.exact,
    limit: query.limit,
    offset: cursor?.o ?? query.offset ?? 0,
    next_cursor: eventCursor.write(query, page.next),
  };
}

interface PageRequest {
  readonly query: ListQuery;
  readonly range: ScanRange;
  readonly filter: EventFilter;
  readonly cursor: EventCursor | undefined;
  readonly ports: ApiPorts;
}

async function pageOf(request: PageRequest): Promise<PageOfRows> {
  const { query, filter } = request;
  const ofOrder = await pageOfOrder(request);
  if (ofOrder !== null) return ofOrder;
  if (query.orderBy !== 'received_at') return await sortedPage(request);
  return filter.isEmpty ? await unfilteredPage(request) : await filteredPage(request);
}

/** Counts index entries and reads only the rows of the page. */
async function unfilteredPage({ query, range, cursor, ports }: PageRequest): Promise<PageOfRows> {
  const skip = query.offset ?? 0;
  const taken: Entry[] = [];
  let seen = 0;
  let complete = true;
  for await (const entries of scanEntries(beyond(range, cursor), ports)) {
    if (seen >= SCAN_ENTRIES_MAX) {
      complete = false;
      break;
    }
    const from = Math.max(0, skip - seen);
    if (taken.length < query.limit) taken.push(...entries.slice(from, from + query.limit - taken.length));
    seen += entries.length;
    // The total is known from the first page on: what is left is not counted again.
    if (cursor !== undefined && seen > taken.length && taken.length === query.limit) break;
  }
  const more = seen > skip + taken.length || !complete;
  const rows = await readRows(taken, ports.events);
  const counted = { total: seen, exact: complete };
  return { rows, ...counted, next: more ? nextAfter(placeOf(query, cursor), taken.at(-1), counted) : null };
}

async function filteredPage({ query, range, filter, cursor, ports }: PageRequest): Promise<PageOfRows> {
  const skip = query.offset ?? 0;
  const rows: EventRow[] = [];
  let lastTaken: Place | undefined;
  let matched = 0;
  const isFull = () => rows.length === query.limit;
  // What this reads leaves less to read of what is listed.
  const before =
    filter.isFrugal === true && cursor === undefined ? await countOf(range, filter, ports) : null;
  const end = await scanMatches(
    beyond(range, cursor),
    filter,
    ports,
    ({ entry, row }) => {
      if (matched >= skip && !isFull()) {
        rows.push(row);
        lastTaken = entry;
      }
      matched++;
      // One more says that there is another page.
      return matched > skip + query.limit ? 'stop' : 'find';
    },
    skip + query.limit + 1,
  );
  const seen = { total: matched, exact: end.complete };
  const isKnown = end.complete || cursor !== undefined;
  const counted = isKnown ? null : (before ?? (await countOf(range, filter, ports)));
  const found = counted === null || counted.total < seen.total ? seen : counted;
  // A page cut short by the bound goes on where the scan stopped; a full one after its last event.
  const last = isFull() ? lastTaken : end.last;
  const more = !end.complete || (isFull() && matched > skip + rows.length);
  return { rows, ...found, next: more ? nextAfter(placeOf(query, cursor, rows.length), last, found) : null };
}

type Found = Pick<PageOfRows, 'total' | 'exact'>;

/** What the counters say of whole slots in the range, where they say it: all of them, but for bots, copies and replays. */
async function countOf(
  { merchantId, fromMs, toMs }: ScanRange,
  { counted }: EventFilter,
  ports: ApiPorts,
): Promise<Found | null> {
  if (counted?.countIn === undefined) return null;
  const isOpen = toMs > ports.clock.now() - MINUTE_MS;
  const whole = {
    fromMs: -floorTo(-fromMs, SPARSE_BUCKET_MS),
    toMs: isOpen ? toMs : floorTo(toMs, SPARSE_BUCKET_MS),
  };
  const sum = total(await readCounters(merchantId, whole, ports));
  const own = counted.countIn(sum);
  return own === undefined ? null : { total: own, exact: rowsIn(sum) === sum.events };
}

/** Null where no order is asked for, or it is not known: then rows are looked through for its id. */
async function pageOfOrder({ query, range, filter, cursor, ports }: PageRequest): Promise<PageOfRows | null> {
  const { order_id, limit } = query;
  const order = order_id === undefined ? null : await readOrderRows(range.merchantId, order_id, ports);
  if (order === null) return null;
  const found: (Sorted & { readonly row: EventRow })[] = [];
  for (const row of order.rows) {
    const isWithin = row.receivedAtMs >= range.fromMs && row.receivedAtMs < range.toMs;
    if (isWithin && (await filter.matches(row))) found.push({ row, by: sortedBy(row, query.orderBy) });
  }
  found.sort(byValue(query.orderDirection));
  const skip = cursor?.o ?? query.offset ?? 0;
  const rows = found.slice(skip, skip + limit).map(({ row }) => row);
  const end = skip + rows.length;
  const counted = { total: found.length, exact: order.isComplete };
  return {
    rows,
    ...counted,
    next: end < found.length ? { o: end, n: found.length, x: counted.exact } : null,
  };
}

function sortedBy(row: EventRow, orderBy: ListQuery['orderBy']): number | undefined {
  if (orderBy === 'received_at') return row.receivedAtMs;
  const facts = factsOf(row);
  return orderBy === 'value' ? facts.value : facts.eventTimeSec;
}

interface Sorted {
  readonly by: number | undefined;
}

/** Events without a value come last, whatever the direction. */
function byValue(direction: ListQuery['orderDirection']): (a: Sorted, b: Sorted) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) =>
    a.by === undefined || b.by === undefined
      ? Number(a.by === undefined) - Number(b.by === undefined)
      : sign * (a.by - b.by);
}

/** Sorts everything one request may look at: by offset only, since nothing else keeps this order. */
async function sortedPage({ query, range, filter, cursor, ports }: PageRequest): Promise<PageOfRows> {
  const skip = cursor?.o ?? query.offset ?? 0;
  const found: { readonly entry: Entry; readonly by: number | undefined }[] = [];
  const { complete } = await scanMatches(range, filter, ports, ({ entry, row }) => {
    found.push({ entry, by: sortedBy(row, query.orderBy) });
    return 'find';
  });
  found.sort(byValue(query.orderDirection));
  const page = found.slice(skip, skip + query.limit);
  const rows = await readRows(
    page.map(({ entry }) => entry),
    ports.events,
  );
  const end = skip + page.length;
  const counted = { total: found.length, exact: complete };
  const more = end < found.length && end <= LIST_LIMITS.offsetMax;
  return { rows, ...counted, next: more ? { o: end, n: counted.total, x: complete } : null };
}

function beyond(range: ScanRange, cursor: EventCursor | undefined): ScanRange {
  if (cursor?.t === undefined || cursor.i === undefined) return range;
  return { ...range, after: { receivedAtMs: cursor.t, ingestId: cursor.i } };
}

interface PagePlace {
  readonly offset: number;
  readonly cursor: EventCursor | undefined;
}

function placeOf(
  query: ListQuery,
  cursor: EventCursor | undefined,
  shownRows: number = query.limit,
): PagePlace {
  return { offset: (cursor?.o ?? query.offset ?? 0) + shownRows, cursor };
}

function nextAfter(
  { offset, cursor }: PagePlace,
  last: Place | undefined,
  counted: { readonly total: number; readonly exact: boolean },
): EventCursor | null {
  if (last === undefined) return null;
  return {
    o: offset,
    n: cursor?.n ?? counted.total,
    x: cursor?.x ?? counted.exact,
    t: last.receivedAtMs,
    i: last.ingestId,
  };
}
