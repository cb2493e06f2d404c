// GET /v1/events: one page of a merchant's events. By time of receipt the index does the sorting and a cursor names the
// last event of a page; any other order sorts what one request may look at, and pages by offset.

import * as z from 'zod';
import { type Failure, refuse, type Success } from '#lib/core/http/handler.ts';
import { createListCursor, FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { LIST_LIMITS, type listEvents as route } from '#lib/events/routes/events.ts';
import { rangeFor } from '../analytics/scan-range.ts';
import { unknownConnection } from '../connections/named.ts';
import { readOrderRows } from '../orders/order-rows.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { countOf, countUnits } from './counted-match.ts';
import { factsOf } from './facts.ts';
import { createEventFilter, type EventFilter, type ListQuery } from './filter.ts';
import {
  cutAt,
  type Entry,
  INDEX_UNITS,
  PAGE_MAX,
  type Place,
  SCAN_ENTRIES_MAX,
  type ScanRange,
  scanEntries,
  UNCUT,
  unitsSince,
} from './scan.ts';
import { readRows, scanMatches } from './scan-rows.ts';
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

interface Found {
  readonly total: number;
  readonly exact: boolean;
}

interface PageOfRows extends Found {
  readonly rows: readonly EventRow[];
  /** Null after the last page. */
  readonly next: EventCursor | null;
  /** Received then: how far a page was looked for that ended early. */
  readonly untilMs?: number | undefined;
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
  if (page === TOO_FAR) return refuse('offset', 'further than one request looks: go on by next_cursor');
  const offset = cursor?.o ?? query.offset ?? 0;
  const exact = cursor?.x ?? page.exact;
  return {
    events: page.rows.map((row) => listedEvent(row, verdicts.read(row))),
    // What was found since the first page is more than that one knew of.
    total: Math.max(cursor?.n ?? page.total, exact ? 0 : offset + page.rows.length),
    total_is_exact: exact,
    limit: query.limit,
    offset,
    next_cursor: eventCursor.write(query, page.next),
    ...(page.untilMs === undefined ? {} : { searched_until: iso(page.untilMs) }),
  };
}

/** There is no telling which events come after so many. */
const TOO_FAR = 'too far';

interface PageRequest {
  readonly query: ListQuery;
  readonly range: ScanRange;
  readonly filter: EventFilter;
  readonly cursor: EventCursor | undefined;
  readonly ports: ApiPorts;
}

async function pageOf(request: PageRequest): Promise<PageOfRows | typeof TOO_FAR> {
  const { query, filter } = request;
  const ofOrder = await pageOfOrder(request);
  if (ofOrder !== null) return ofOrder;
  if (query.orderBy !== 'received_at') return await sortedPage(request);
  return filter.isEmpty ? await unfilteredPage(request) : await filteredPage(request);
}

/** Skips and counts index entries and reads only the rows of the page. */
async function unfilteredPage({ query, range, cursor, ports }: PageRequest): Promise<PageOfRows> {
  const skip = query.offset ?? 0;
  const read = unitsSince(ports);
  const wanted = skip + query.limit;
  const entries: Entry[] = [];
  const pageMax = Math.min(wanted + 1, PAGE_MAX);
  for await (const page of scanEntries(beyond(range, cursor), ports, null, UNCUT, pageMax)) {
    entries.push(...page);
    if (entries.length > wanted) break;
  }
  const shown = entries.slice(skip, wanted);
  const rows = await readRows(shown, ports.events);
  const isLast = entries.length <= wanted;
  const total = { total: entries.length, exact: isLast };
  // The total is known from the first page on: it is not counted again.
  const found = isLast || cursor !== undefined ? total : await countAll(range, entries, ports, read);
  return { rows, ...found, next: isLast ? null : nextAfter(placeOf(query, cursor), shown.at(-1), found) };
}

/** Behind those that were seen: exactly where there is room to, else as far as counters say it. */
async function countAll(
  range: ScanRange,
  seen: readonly Entry[],
  ports: ApiPorts,
  read: () => number,
): Promise<Found> {
  const after = seen.at(-1);
  const cut = cutAt(read, countUnits(range));
  let count = seen.length;
  let isWhole = cut.spent() < INDEX_UNITS;
  const behind = isWhole
    ? scanEntries(after === undefined ? range : { ...range, after }, ports, null, cut)
    : [];
  for await (const page of behind) {
    count += page.length;
    isWhole = count < SCAN_ENTRIES_MAX;
    if (!isWhole) break;
  }
  if (isWhole && cut.at === undefined) return { total: count, exact: true };
  const counted = await countOf(range, rowsIn, ports, read);
  return { total: Math.max(Math.min(count, SCAN_ENTRIES_MAX), counted?.total ?? 0), exact: false };
}

async function filteredPage({
  query,
  range,
  filter,
  cursor,
  ports,
}: PageRequest): Promise<PageOfRows | typeof TOO_FAR> {
  const skip = query.offset ?? 0;
  const read = unitsSince(ports);
  const rows: EventRow[] = [];
  let lastTaken: Place | undefined;
  let matched = 0;
  const isFull = () => rows.length === query.limit;
  const countIn = cursor === undefined ? filter.counted?.countIn : undefined;
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
    { wanted: skip + query.limit + 1, kept: countIn === undefined ? 0 : countUnits(range), read },
  );
  if (!end.complete && skip > 0 && matched <= skip) return TOO_FAR;
  const seen = { total: matched, exact: end.complete };
  const counted = end.complete || countIn === undefined ? null : await countOf(range, countIn, ports, read);
  const found = counted === null || counted.total < seen.total ? seen : counted;
  // A page cut short by the bound goes on where the scan stopped; a full one after its last event.
  const last = isFull() ? lastTaken : end.last;
  const more = !end.complete || (isFull() && matched > skip + rows.length);
  const next = more ? nextAfter(placeOf(query, cursor, rows.length), last, found) : null;
  return { rows, ...found, next, ...(isFull() || !more ? {} : { untilMs: last?.receivedAtMs }) };
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
  counted: Found,
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
