// GET /v1/deliveries: the deliveries of a merchant's events, newest event first. Guarantees: bounded, whatever the range
// holds; the pages of a list show every delivery once, also where a page ends in the middle of an event's; a cursor works
// with the query it came from and names a position only.
import * as z from 'zod';
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { createListCursor, FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { isCode } from '#lib/events/domain/deliveries/code.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import type { listDeliveries as route } from '#lib/events/routes/deliveries.ts';
import { rangeFor } from '../analytics/scan-range.ts';
import { createWindowReader, type WindowReader } from '../analytics/shown-window.ts';
import { unknownConnection } from '../connections/named.ts';
import type { ApiPorts } from '../ports.ts';
import { createCountedMatch } from './counted-match.ts';
import { eventHead } from './facts.ts';
import { type Entry, readRows, SCAN_ROWS_MAX, type ScanRange, scanEntries } from './scan.ts';
import {
  createVerdictReader,
  isSaid,
  type PlatformVerdict,
  placesIn,
  type VerdictReader,
} from './verdicts.ts';
import { deliveryViews } from './view.ts';

type Query = z.output<(typeof route)['query']>;
type Page = Success<typeof route>['body'];
type ListedDelivery = Page['deliveries'][number];

/** Rows read together: about as many as a page can need. */
const READ_MAX = 100;

const placeSchema = z.strictObject({
  /** Time and id of the event to go on with, and how many of its deliveries were shown. */
  t: z.int().nonnegative().max(8.64e15),
  i: z.guid(),
  d: z.int().nonnegative(),
});
type Place = z.output<typeof placeSchema>;

const cursors = createListCursor(placeSchema);

export async function listDeliveries(
  merchantId: string,
  query: Query,
  ports: ApiPorts,
): Promise<Page | Failure<'invalid_request'>> {
  const range = await rangeFor(merchantId, query, ports);
  if ('failure' in range) return range;
  const place = cursors.read(query);
  if (place === null) return FOREIGN_CURSOR;
  const { connections, removed } = await ports.config.everyConnection(merchantId);
  const stranger = unknownConnection(query.connection_id, [...connections, ...removed]);
  if (stranger !== null) return stranger;
  const verdicts = createVerdictReader(ports.platforms, connections, removed);
  const windows = await createWindowReader(merchantId, connections, ports);
  const scan: ScanRange = {
    merchantId,
    ...range,
    ...(place === undefined ? {} : { toMs: Math.min(range.toMs, place.t + 1) }),
    order: 'desc',
  };
  const { deliveries, next } = await collect(scan, place, { query, verdicts, windows, ports });
  return {
    success: true,
    deliveries,
    limit: query.limit,
    next_cursor: cursors.write(query, next),
  };
}

interface Reading {
  readonly query: Query;
  readonly verdicts: VerdictReader;
  readonly windows: WindowReader;
  readonly ports: ApiPorts;
}

async function collect(
  scan: ScanRange,
  place: Place | undefined,
  reading: Reading,
): Promise<{ readonly deliveries: ListedDelivery[]; readonly next: Place | null }> {
  const { query, ports } = reading;
  const deliveries: ListedDelivery[] = [];
  let left = SCAN_ROWS_MAX;
  for await (const page of scanEntries(scan, ports, createCountedMatch(query))) {
    const entries = page.filter((entry) => !isBefore(entry, place));
    for (let at = 0; at < entries.length; at += READ_MAX) {
      const chunk = entries.slice(at, at + READ_MAX);
      const rows = new Map((await readRows(chunk, ports.events)).map((row) => [row.ingestId, row]));
      for (const entry of chunk) {
        if (left === 0) return { deliveries, next: placeAt(entry, 0) };
        left -= 1;
        const row = rows.get(entry.ingestId);
        if (row === undefined) continue;
        const shown = entry.ingestId === place?.i ? place.d : 0;
        const of = (await matching(row, reading)).slice(shown);
        const room = query.limit - deliveries.length;
        deliveries.push(...of.slice(0, room));
        if (of.length > room) return { deliveries, next: placeAt(entry, shown + room) };
      }
    }
  }
  return { deliveries, next: null };
}

const placeAt = ({ receivedAtMs: t, ingestId: i }: Entry, d: number): Place => ({ t, i, d });

/** Shown on a page before: newer than the place, in the order of the index. */
function isBefore(entry: Entry, place: Place | undefined): boolean {
  if (place === undefined || entry.receivedAtMs < place.t) return false;
  return entry.receivedAtMs > place.t || entry.ingestId > place.i;
}

async function matching(
  row: EventRow,
  { query, verdicts, windows }: Reading,
): Promise<readonly ListedDelivery[]> {
  const { reason: wanted, status, connection_id } = query;
  const all = verdicts.read(row);
  const asked: readonly PlatformVerdict[] =
    connection_id === undefined
      ? all
      : all.flatMap(placesIn).filter(({ holder }) => holder?.id === connection_id);
  const said = asked.filter((verdict) => status === undefined || isSaid(status, verdict));
  return deliveryViews(row, said, windows)
    .filter(
      ({ platform, reason, connections = [] }) =>
        (query.platform === undefined || platform === query.platform) &&
        (wanted === undefined ||
          [reason, ...connections.map((one) => one.reason)].some((one) =>
            isCode(wanted, one ?? '', platform),
          )),
    )
    .map((view) => ({ ...view, ...eventHead(row) }));
}
