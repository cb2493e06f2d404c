// What was counted for each connection, those that were removed among them. Pure. Counts of earlier releases know platforms only:
// they are the connection's where its platform had no other in that time.
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import {
  type ConnectionCounts,
  connected,
  connectionCounts,
  isComplete,
  placeAndVersion,
  sumCounts,
} from '#lib/events/domain/analytics/connection-counts.ts';
import {
  type Connection,
  type EveryConnection,
  holderOf,
  type RemovedConnection,
} from '#lib/events/domain/connections/connection.ts';
import { endOf } from '#lib/events/pipeline/counting/counter-range.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';

export type Slot = Pick<BucketRow, 'key' | 'counters'>;

/** By the connection's id; those with nothing are left out. */
export type CountsByConnection = (slots: readonly Slot[]) => Readonly<Record<string, ConnectionCounts>>;

/** Reads each slot once, and adds up each list of them once: every connection asks for the same ones. */
export function createCountsByConnection(every: EveryConnection): CountsByConnection {
  const read = once((slot: Slot) => countsOf(slot, every));
  return once((slots: readonly Slot[]) => sumCounts(slots.map(read)));
}

function once<Key extends object, Value extends object>(work: (key: Key) => Value): (key: Key) => Value {
  const done = new WeakMap<Key, Value>();
  return (key) => {
    const value = done.get(key) ?? work(key);
    done.set(key, value);
    return value;
  };
}

function countsOf({ key, counters }: Slot, every: EveryConnection): Record<string, ConnectionCounts> {
  const own = Object.entries(connectionCounts(counters)).map(([at, counts]) => {
    const holder = holderOf(...placeAndVersion(at), every);
    return holder === undefined ? {} : { [holder.id]: counts };
  });
  const counted = sumCounts(own);
  return isComplete(counters) ? counted : { ...counted, ...countsOfOnlyOnes({ key, counters }, every) };
}

function countsOfOnlyOnes({ key, counters }: Slot, every: EveryConnection): Record<string, ConnectionCounts> {
  const { deliveries, later }: BucketCounters = counters;
  const counts = Object.entries(deliveries).flatMap(([platform, names]) => {
    const only = onlyHolder(platform, key, every);
    const said = later?.[platform];
    const one = { deliveries: connected(names), ...(said === undefined ? {} : { later: said }) };
    return only === undefined ? [] : [[only.id, one]];
  });
  return Object.fromEntries(counts);
}

/** Undefined where several may be meant. */
function onlyHolder(platform: string, key: Slot['key'], { connections, removed }: EveryConnection) {
  const all = [...connections, ...removed].filter((one) => one.platform === platform);
  if (all.length === 1) return all[0];
  const then = all.filter(
    (one) =>
      one.createdAtMs < endOf(key) && (!('removedAtMs' in one) || Number(one.removedAtMs) >= key.startMs),
  );
  return then.length === 1 ? then[0] : undefined;
}

/** Those that were connected in the span, the current ones first, and any that something was counted for. */
export function holdersIn(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { connections, removed }: EveryConnection,
  counts: Readonly<Record<string, ConnectionCounts>>,
): readonly (Connection | RemovedConnection)[] {
  const isIn = ({ createdAtMs }: Pick<Connection, 'createdAtMs'>): boolean => createdAtMs < toMs;
  const here = (id: string): boolean => Object.hasOwn(counts, id);
  return [
    ...connections.filter((one) => isIn(one) || here(one.id)),
    ...removed.filter((one) => (isIn(one) && one.removedAtMs >= fromMs) || here(one.id)),
  ];
}
