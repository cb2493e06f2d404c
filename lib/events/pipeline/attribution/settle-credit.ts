// Settles what orders are credited to: asks once more for the clicks of their persons, and where that differs writes it to the order
// and beside the counters of the slots of its purchase and its refunds, which are then counted anew.
// Guarantees: whatever a write depends on is read before the clicks, and the write is conditional on it, so of two that settle the one
// that knows more wins; the slot of the purchase is written last, so that a process that dies leaves a difference, and settling again
// ends it; settling twice is settling once. A click that is not known any more moves nothing.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import {
  type Credited,
  creditIn,
  creditOfRow,
  creditText,
  NOT_SETTLED,
  SETTLED_MAX,
  type Settled,
} from '../../domain/analytics/settled-credit.ts';
import type { EventKey, EventRow, NormalizedRow } from '../../domain/event/row.ts';
import { ROWS_KEPT_MIN_MS } from '../../domain/event/row-expiry.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { BucketKey, CounterStore } from '../../ports/counter-store.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { OrderStore, StoredOrder } from '../../ports/order-store.ts';
import { bucketId, countedAt, minuteBucketOf } from '../counting/due-buckets.ts';
import { orderDigest, purchasedOrder } from '../orders/order-reports.ts';
import { type EvidencePorts, type Reported, recountedCredits } from './evidence.ts';

export interface SettlePorts extends EvidencePorts {
  readonly counters: Pick<CounterStore, 'read' | 'settle'>;
  readonly orders: Pick<OrderStore, 'read' | 'write'> & EvidencePorts['orders'];
  readonly events: Pick<EventStore, 'readMany'>;
}

export interface SettledOrders {
  /** Whose credit moved. */
  readonly moved: number;
  /** Slots to be counted anew; they are due. */
  readonly slots: readonly BucketKey[];
}

const TRIES_MAX = 16;
/** Of one slot, between two writes of it. */
const ORDERS_MAX = 100;
/** Then a slot is counted if the hint to do so was lost. Rows that were announced before are stored by then. */
const DUE_AFTER_MS = 60_000;

/** `rows`: purchases of one merchant that are counted as orders. `beside`: what else reports the order, and is not stored yet. */
export async function settleCredit(
  rows: readonly NormalizedRow[],
  ports: SettlePorts,
  beside: NonNullable<Reported['beside']> = [],
): Promise<SettledOrders> {
  const nowMs = ports.clock.now();
  // Older slots are not counted anew: their rows may be gone.
  const young = rows.filter(({ receivedAtMs }) => nowMs < receivedAtMs + ROWS_KEPT_MIN_MS);
  const moved = new Set<string>();
  const slots = new Map<string, BucketKey>();
  for (const own of Map.groupBy(young, (row) => bucketId(slotOf(row))).values())
    for (let at = 0; at < own.length; at += ORDERS_MAX) {
      const some = own.slice(at, at + ORDERS_MAX);
      // Until nothing differs: a click may have been stored since the clicks were read.
      await retryConflicts({ what: 'the credit of a slot', triesMax: TRIES_MAX }, async () => {
        const settled = await settleSome(some, beside, ports);
        if (settled === null) return undefined;
        for (const id of settled.moved) moved.add(id);
        for (const key of settled.slots) slots.set(bucketId(key), key);
        return CONFLICT;
      });
    }
  return { moved: moved.size, slots: [...slots.values()] };
}

const slotOf = (row: Pick<EventRow, 'key' | 'receivedAtMs' | 'shard'>): BucketKey =>
  minuteBucketOf(countedAt(row));

/** A slot as it was read, and what is to be written to it. */
interface Slot {
  readonly key: BucketKey;
  readonly seen: Settled;
  readonly next: Record<string, string>;
}

interface Target {
  readonly row: NormalizedRow;
  readonly credited: Credited;
  /** Absent: it has none, or another event is counted as it. */
  readonly order?: Order;
  readonly stored?: StoredOrder;
  readonly refunds: readonly EventRow[];
}

/** Null where nothing differs. Nothing moved: another write came between. */
async function settleSome(
  rows: readonly NormalizedRow[],
  beside: NonNullable<Reported['beside']>,
  ports: SettlePorts,
): Promise<{ readonly moved: readonly string[]; readonly slots: readonly BucketKey[] } | null> {
  const [first] = rows;
  if (first === undefined) return null;
  const slots = new Map<string, Slot>();
  const open = async (key: BucketKey): Promise<Slot> => {
    const seen = (await ports.counters.read(key))?.settled ?? NOT_SETTLED;
    return { key, seen, next: { ...seen.credits } };
  };
  const own = await open(slotOf(first));
  slots.set(bucketId(own.key), own);
  const targets = await Promise.all(rows.map((row) => targetOf(row, own.seen, ports)));
  for (const key of targets.flatMap(({ refunds }) => refunds.map(slotOf)))
    if (!slots.has(bucketId(key))) slots.set(bucketId(key), await open(key));
  const credits = await recountedCredits(
    targets.map((target) => ({ ...target, beside })),
    'strong',
    ports,
  );
  const moved = targets.flatMap((target, at) => {
    const credit = credits[at];
    return isDifferent(credit, target.credited) ? [{ ...target, credit }] : [];
  });
  if (moved.length === 0) return null;
  for (const { row, credit, refunds } of moved)
    for (const each of [row, ...refunds]) {
      const slot = slots.get(bucketId(slotOf(each)));
      if (slot !== undefined) slot.next[each.ingestId] = creditText(credit);
    }
  if ([...slots.values()].some(({ next }) => Object.keys(next).length > SETTLED_MAX)) {
    ports.report('credit of orders was not settled', new Error(`a slot of ${own.key.merchantId} is full`));
    return null;
  }
  if (!(await write(moved, [...slots.values()], own, ports))) return { moved: [], slots: [] };
  return {
    moved: moved.map(({ row }) => row.ingestId),
    slots: [...slots.values()].filter(isChanged).map(({ key }) => key),
  };
}

/** Read before the clicks: the order, and where its refunds are counted. */
async function targetOf(row: NormalizedRow, { credits }: Settled, ports: SettlePorts): Promise<Target> {
  const text = Object.hasOwn(credits, row.ingestId) ? credits[row.ingestId] : undefined;
  const credited = text === undefined ? (creditOfRow(row) as Credited) : creditIn(text);
  const id = purchasedOrder(row.event);
  const { merchantId } = row.key;
  const stored =
    id === undefined ? 'unreadable' : await ports.orders.read(merchantId, orderDigest(id), row.receivedAtMs);
  if (stored === 'unreadable' || stored.order?.counted.ingestId !== row.ingestId)
    return { row, credited, refunds: [] };
  const { order } = stored;
  return { row, credited, order, stored, refunds: await readRefunds(merchantId, order, ports) };
}

/** As far as they are kept: those that took something back, but for what is counted with the purchase. */
async function readRefunds(
  merchantId: string,
  { refunds = [] }: Order,
  { events }: SettlePorts,
): Promise<readonly EventRow[]> {
  const taking = refunds.filter(({ minor, early }) => minor !== '0' && early === undefined);
  if (taking.length === 0) return [];
  const keyOf = (eventId: string): EventKey => ({ merchantId, channel: 'server', eventId });
  const ids = new Set(taking.map(({ ingestId }) => ingestId));
  const isOwn = (row: EventRow): boolean => ids.has(row.ingestId);
  const live = (await events.readMany(taking.map(({ eventId }) => keyOf(eventId)))).rows.filter(isOwn);
  // Their event ids were taken again since.
  const moved = taking.filter(({ ingestId }) => !live.some((row) => row.ingestId === ingestId));
  if (moved.length === 0) return live;
  const archived = moved.map(({ eventId, ingestId }) => ({ ...keyOf(eventId), archivedAs: ingestId }));
  return [...live, ...(await events.readMany(archived)).rows.filter(isOwn)];
}

const isChanged = ({ seen, next }: Slot): boolean =>
  Object.entries(next).some(([id, text]) => seen.credits[id] !== text);

/** False where something changed since it was read. The orders first, the slot of the purchases last. */
async function write(
  moved: readonly (Target & { readonly credit: Credited })[],
  slots: readonly Slot[],
  own: Slot,
  { orders, counters, clock }: SettlePorts,
): Promise<boolean> {
  const dueAtMs = clock.now() + DUE_AFTER_MS;
  for (const { row, order, stored, credit } of moved) {
    if (order === undefined || stored === undefined || isSame(order, credit)) continue;
    const { touch: _t, last: _l, ...rest } = order;
    const digest = orderDigest(row.event.orderId ?? '');
    if (!(await orders.write(row.key.merchantId, digest, { ...rest, ...credit }, stored.version)))
      return false;
  }
  for (const slot of [...slots.filter((each) => each !== own), own])
    if (isChanged(slot) && !(await counters.settle(slot.key, slot.next, slot.seen.revision, dueAtMs)))
      return false;
  return true;
}

/** True where it is known what is credited now, and that is something else. */
export const isDifferent = (now: Credited | null | undefined, before: Credited): now is Credited =>
  now !== null && now !== undefined && !isSame(now, before);

const isSame = (one: Partial<Credited>, other: Credited): boolean =>
  one.touch === other.touch && (one.last ?? one.touch) === (other.last ?? other.touch);
