// What is known now of who brought orders: the clicks of their persons, and those of what else reported the order.
// Guarantees: few reads for many orders; an order that cannot be opened, or whose click may have ended, is said to be unknown.
import type { Clock } from '#lib/core/ports/clock.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { DIRECT } from '../../domain/analytics/attribution.ts';
import { type Credited, creditText } from '../../domain/analytics/settled-credit.ts';
import type { NormalizedEvent, UnopenedEvent } from '../../domain/event/normalized-event.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import type { Order } from '../../domain/orders/order.ts';
import { RECENT_MAX, readRecent } from '../../domain/people/recent-clicks.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { AttributionStore, StoredPerson } from '../../ports/attribution-store.ts';
import type { Consistency, EventStore } from '../../ports/event-store.ts';
import type { EventVault } from '../../ports/event-vault.ts';
import type { OrderStore } from '../../ports/order-store.ts';
import { isOneVisit } from '../completed-from-copy.ts';
import { orderDigest, purchasedOrder } from '../orders/order-reports.ts';
import { readBeside } from '../pages/read-beside.ts';
import { openedOr } from '../people/sealed-person.ts';
import { openEvent } from '../sealed-event.ts';
import { isServerCopy } from '../server-copies.ts';
import { happenedAtMs, isDenied, orderKeys } from './clicks.ts';
import { creditNow } from './credit.ts';

export interface EvidencePorts {
  readonly events: Pick<EventStore, 'readMany'>;
  readonly orders: Pick<OrderStore, 'readMany'>;
  readonly people: Pick<AttributionStore, 'people'>;
  readonly eventVault: Pick<EventVault, 'open'>;
  readonly platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[];
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

/** A purchase that is counted as an order, and what is known of it already. */
export interface Reported {
  readonly row: NormalizedRow;
  readonly credited: Credited;
  /** Absent where it is to be read. */
  readonly order?: Order | undefined;
  /** What a page reports of it that is not stored yet. */
  readonly beside?: readonly UnopenedEvent[];
}

/** Orders whose persons are read together: four identifiers each fill one read. */
const ORDERS_AT_ONCE = 20;
/** After it, a click that an older order was credited to may have ended. */
const CLICKS_STAND_MS = 7 * DAY_MS;

/** In the order of `orders`, which are of one merchant. Null where it cannot be known. */
export async function recountedCredits(
  orders: readonly Reported[],
  consistency: Consistency,
  ports: EvidencePorts,
): Promise<readonly (Credited | null)[]> {
  const found: (Credited | null)[] = [];
  for (let at = 0; at < orders.length; at += ORDERS_AT_ONCE)
    found.push(...(await recountSome(orders.slice(at, at + ORDERS_AT_ONCE), consistency, ports)));
  return found;
}

async function recountSome(
  orders: readonly Reported[],
  consistency: Consistency,
  ports: EvidencePorts,
): Promise<readonly (Credited | null)[]> {
  const pages = await pagesOf(orders, consistency, ports);
  const opened = await Promise.all(
    orders.map(async (each) => {
      const event = await openedRow(each.row, ports);
      if (event === null || each.row.event.credit?.unlinked === true) return null;
      const seen = [...(pages.get(each.row.ingestId) ?? []), ...(each.beside ?? [])];
      const reports = [event, ...seen.filter((page) => isOneOrder(event, page)).map(before(event))];
      return { ...each, event, reports, keys: [...new Set(reports.flatMap(keysOf))] };
    }),
  );
  const keys = [...new Set(opened.flatMap((each) => each?.keys ?? []))];
  const merchantId = orders[0]?.row.key.merchantId ?? '';
  const people = await ports.people.people(merchantId, keys, consistency);
  return opened.map((each) => {
    if (each === null) return null;
    const own = each.keys.flatMap((key) => people.get(key) ?? []);
    const credit = creditNow(each, own, ports.platforms);
    return credit === null || mayBeForgotten(each, credit, own, ports.clock.now()) ? null : credit;
  });
}

const keysOf = (event: UnopenedEvent): readonly string[] => (isDenied(event) ? [] : orderKeys(event).looked);

function mayBeForgotten(
  { credited, event }: { readonly credited: Credited; readonly event: NormalizedEvent },
  credit: Credited,
  people: readonly StoredPerson[],
  nowMs: number,
): boolean {
  if (credited.touch === DIRECT || creditText(credited) === creditText(credit)) return false;
  return (
    nowMs - happenedAtMs(event) > CLICKS_STAND_MS ||
    people.some(({ recent }) => readRecent(recent).length >= RECENT_MAX)
  );
}

/** Null once its personal data is erased, or where it cannot be read. */
const openedRow = (row: NormalizedRow, { eventVault, report }: EvidencePorts) =>
  openedOr(openEvent(row, eventVault), null, (error) => report('an order could not be opened', error));

/** A stranger who guesses an order's id has to know its amount, too. */
const isOneOrder = (order: NormalizedEvent, page: UnopenedEvent): boolean =>
  page.value !== undefined && !isDenied(page) && isOneVisit(order, page);

/** What a page reports of an order was clicked before it, whenever the page says that it happened. */
const before =
  (order: Pick<NormalizedEvent, 'eventTimeSec'>) =>
  <E extends UnopenedEvent>(page: E): E => ({
    ...page,
    eventTimeSec: Math.min(page.eventTimeSec, order.eventTimeSec),
  });

/** By ingest id of a server's purchase: what pages reported of it, under its event id or its order id. */
async function pagesOf(
  reported: readonly Reported[],
  consistency: Consistency,
  ports: EvidencePorts,
): Promise<ReadonlyMap<string, readonly NormalizedEvent[]>> {
  const servers = reported.filter(({ row }) => row.key.channel === 'server');
  if (servers.length === 0) return new Map();
  const orders = await ordersOf(servers, ports);
  const keys = servers.map(({ row, order = orders.get(row.ingestId) }) => {
    const others = order?.others.filter(({ channel }) => channel === 'browser') ?? [];
    const { merchantId } = row.key;
    return [row.key, ...others].map(({ eventId }, at) => ({
      key: { merchantId, channel: 'browser', eventId } as const,
      atMs: others[at - 1]?.receivedAtMs ?? row.receivedAtMs,
    }));
  });
  const rows = await readRows(keys.flat(), consistency, ports);
  const pages = await Promise.all(
    servers.map(async ({ row }, at): Promise<[string, readonly NormalizedEvent[]]> => {
      const wanted = new Set(keys[at]?.map(({ key }) => key.eventId));
      const own = rows.filter((page) => wanted.has(page.key.eventId) && isBeside(page, row));
      const events = await Promise.all(own.map((page) => openedRow(page, ports)));
      return [row.ingestId, events.filter((event) => event !== null)];
    }),
  );
  return new Map(pages);
}

/** An id may have been taken again since. */
const isBeside = (page: NormalizedRow, server: NormalizedRow): boolean =>
  page.key.eventId === server.key.eventId
    ? isServerCopy(server, page)
    : page.event.orderId !== undefined && page.event.orderId === server.event.orderId;

async function readRows(
  keys: Parameters<typeof readBeside>[0],
  consistency: Consistency,
  { events }: EvidencePorts,
): Promise<readonly NormalizedRow[]> {
  const rows = await readBeside(keys, events, consistency);
  return rows.filter((row) => row.state === 'normalized' && row.event.name === 'Purchase') as NormalizedRow[];
}

/** By ingest id; eventual. */
async function ordersOf(
  reported: readonly Reported[],
  { orders }: EvidencePorts,
): Promise<ReadonlyMap<string, Order>> {
  const digests = new Map<string, string>();
  for (const { row, order } of reported) {
    const id = order === undefined ? purchasedOrder(row.event) : undefined;
    if (id !== undefined) digests.set(row.ingestId, orderDigest(id));
  }
  const [first] = reported;
  if (first === undefined || digests.size === 0) return new Map();
  const wanted = [...new Set(digests.values())];
  const found = await orders.readMany(first.row.key.merchantId, wanted, first.row.receivedAtMs);
  return new Map(
    [...digests].flatMap(([id, digest]) => {
      const order = found.get(digest);
      return order === undefined ? [] : [[id, order] as const];
    }),
  );
}
