// GET /v1/orders: what revenue counts, order by order. Guarantees: an order once, however often it was reported; no more rows are
// read than those of slots in which purchases were counted.
import type * as z from 'zod';
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { FOREIGN_CURSOR } from '#lib/core/http/list-cursor.ts';
import { floorTo } from '#lib/core/work/time-slot.ts';
import { withSettled } from '#lib/events/domain/analytics/settled-credit.ts';
import type { EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { amountOf } from '#lib/events/domain/orders/amount.ts';
import type { Order } from '#lib/events/domain/orders/order.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import { dayAfter, dayIn, startOfDay } from '#lib/events/domain/time-zone.ts';
import { isRepeatedOrder, isReplay } from '#lib/events/pipeline/counting/count-events.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import { bucketId, countedAt, minuteBucketOf } from '#lib/events/pipeline/counting/due-buckets.ts';
import { orderDigest, purchasedOrder } from '#lib/events/pipeline/orders/order-reports.ts';
import { readServerCopies } from '#lib/events/pipeline/server-copies.ts';
import type { listOrders as route } from '#lib/events/routes/orders/orders.ts';
import { moneyByCurrency } from '../analytics/overview-figures.ts';
import { type ReportedRange, reportingOf } from '../analytics/reported.ts';
import { rangeFor } from '../analytics/scan-range.ts';
import { zoneOf } from '../analytics/span.ts';
import { createCountedMatch } from '../events/counted-match.ts';
import { ENTRY_CURSORS, showMatches } from '../events/match-page.ts';
import { createVerdictReader, type VerdictReader } from '../events/verdicts.ts';
import { listedEvent } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { worthOf } from './worth.ts';

type Query = z.output<(typeof route)['query']>;
type Page = Success<typeof route>['body'];
type Listed = Page['orders'][number];

export async function listOrders(
  merchantId: string,
  query: Query,
  ports: ApiPorts,
): Promise<Page | Failure<'invalid_request'>> {
  const zone = await zoneOf(merchantId, ports);
  const within = await rangeFor(merchantId, { ...query, ...startIn(zone, query, ports.clock.now()) }, ports);
  if ('failure' in within) return within;
  const cursor = ENTRY_CURSORS.read(query);
  if (cursor === null) return FOREIGN_CURSOR;
  const orders: Listed[] = [];
  const found = new Map<string, Worth>();
  const creditOf = createCreditReader(ports);
  const filter = {
    isEmpty: false,
    counted: createCountedMatch({ event_name: 'Purchase' }),
    async matches(row: EventRow) {
      if (!isPurchase(row) || (await hasServerCopy(row, ports))) return false;
      const order = await orderOf(row, ports);
      found.set(row.ingestId, order ?? (await creditOf(row)));
      // The report of a server that came later may be counted in its place.
      return order === undefined || order.counted.eventId === row.key.eventId;
    },
  };
  const connections = await ports.config.listConnections(merchantId);
  const verdicts = createVerdictReader(ports.platforms, connections);
  const page = { filter, limit: query.limit };
  const next = await showMatches({ merchantId, ...within }, cursor, page, ports, ({ row }) => {
    orders.push(listed(row as NormalizedRow, found.get(row.ingestId) ?? {}, verdicts));
  });
  const totals = cursor === undefined ? await totalsOf(merchantId, { ...within, zone }, ports) : null;
  return {
    success: true,
    orders,
    totals,
    limit: query.limit,
    next_cursor: ENTRY_CURSORS.write(query, next),
  };
}

/** Days as analytics counts them, so that the totals are those of the overview. */
function startIn(zone: string, { start, end }: Query, nowMs: number): Pick<Query, 'start'> {
  if (start !== undefined) return {};
  const endMs = end === undefined ? nowMs + 1 : typeof end === 'object' ? startOfDay(zone, end.day) : end;
  return { start: { day: dayAfter(dayIn(zone, endMs - 1), 1 - DAYS_DEFAULT) } };
}

const DAYS_DEFAULT = 30;

async function totalsOf(
  merchantId: string,
  { fromMs, toMs, zone }: ReportedRange,
  ports: ApiPorts,
): Promise<Page['totals']> {
  const nowMs = ports.clock.now();
  const range = {
    fromMs: floorTo(fromMs, SPARSE_BUCKET_MS),
    toMs: toMs > nowMs ? nowMs + 1 : -floorTo(-toMs, SPARSE_BUCKET_MS),
  };
  const rows = await readCounters(merchantId, range, ports);
  const reporting = await reportingOf(merchantId, { ...range, zone }, rows, ports);
  return {
    start: iso(range.fromMs),
    end: iso(Math.min(range.toMs, nowMs)),
    revenue: moneyByCurrency(total(rows)),
    reported: reporting?.((counters) => counters) ?? null,
  };
}

function isPurchase(row: EventRow): row is NormalizedRow {
  if (row.state !== 'normalized' || row.event.name !== 'Purchase') return false;
  return (
    row.event.bot !== true && !isReplay(row) && !isRepeatedOrder(row) && row.event.credit?.repeat !== true
  );
}

/** The server's event of the same id is counted for both. */
async function hasServerCopy(row: NormalizedRow, { events }: ApiPorts): Promise<boolean> {
  if (row.key.channel === 'server') return false;
  const copyOf = await readServerCopies([row], events, 'eventual');
  return typeof copyOf(row) === 'object';
}

async function orderOf(
  { key, event }: NormalizedRow,
  { orders, clock }: ApiPorts,
): Promise<Order | undefined> {
  const id = purchasedOrder(event);
  if (id === undefined) return undefined;
  const found = await orders.read(key.merchantId, orderDigest(id), clock.now());
  return found === 'unreadable' ? undefined : found.order;
}

/** Of an order, or of what is not known as one any more. */
type Worth = Partial<Pick<Order, 'amount' | 'touch' | 'last' | 'refunds' | 'others'>>;

/** Of what is not known as an order: what its event said, and was settled since. */
function createCreditReader({ counters }: ApiPorts): (row: NormalizedRow) => Promise<Worth> {
  const slots = new Map<string, ReturnType<typeof counters.read>>();
  return async (row) => {
    const key = minuteBucketOf(countedAt(row));
    const slot = slots.get(bucketId(key)) ?? counters.read(key);
    slots.set(bucketId(key), slot);
    const { event } = withSettled(row, (await slot)?.settled?.credits ?? {});
    const amount = amountOf(event);
    return { ...(amount === undefined ? {} : { amount }), ...event.credit };
  };
}

function listed(row: NormalizedRow, worth: Worth, verdicts: VerdictReader): Listed {
  const { key, event, receivedAtMs } = row;
  const { deliveries, withheld } = listedEvent(row, verdicts.read(row));
  const { orderId, eventTimeSec } = event;
  return {
    ...(orderId === undefined ? {} : { order_id: orderId }),
    ...{ event_id: key.eventId, trust: key.channel },
    placed_at: iso(eventTimeSec * 1_000),
    received_at: iso(receivedAtMs),
    ...worthOf(worth),
    ...{ deliveries, withheld },
    reports: 1 + (worth.others?.length ?? 0),
  };
}
