// Two purchases with one order_id: a shop that reports an order twice under different event ids doubles its revenue,
// and no platform can detect it. Nothing is stored for this: it is found in rows that are read anyway. Counters see
// repetitions within one bucket; a single event is compared with its nearest neighbours (services/events/api).
import { hash } from 'node:crypto';
import { canonicalEventName } from '../domain/event/names.ts';
import type { EventRow } from '../domain/event/row.ts';
import type { IdentityIssue } from '../domain/identity/identity.ts';
import { bucketStartOf, shardOf } from '../domain/shard.ts';

export const REPEATED_ORDER: IdentityIssue = { field: 'order_id', code: 'repeated_order' };

/** The order whose purchase the row is; undefined for other events, and for copies and replays. */
export function orderOf(row: EventRow): string | undefined {
  if (row.state === 'normalized') {
    const { name, bot, replay, orderId } = row.event;
    return name === 'Purchase' && bot !== true && replay !== true ? orderId : undefined;
  }
  const { event_name: name, internal, order_id: orderId } = row.body;
  const isPurchase = canonicalEventName(name) === 'Purchase' && !internal?.bot && !internal?.replay;
  return isPurchase ? orderId?.trim() || undefined : undefined;
}

/** As manifests store it: 96 bits, so that comparing orders needs no rows. */
export function orderDigest(orderId: string): string {
  return hash('sha256', orderId, 'base64url').slice(0, 16);
}

export interface OrderMemory {
  /** Whether another row of its minute was the purchase of its order. */
  isRepeated(row: EventRow): boolean;
  /** The same for a row of which only the order's digest is known. */
  isRepeatedDigest(minuteMs: number, digest: string): boolean;
}

/** For many pages of rows, each row given once. */
export function createOrderMemory(): OrderMemory {
  const seen = new Set<string>();
  const isRepeatedDigest = (minuteMs: number, digest: string): boolean => {
    const order = `${minuteMs} ${digest}`;
    const isRepeated = seen.has(order);
    seen.add(order);
    return isRepeated;
  };
  return {
    isRepeatedDigest,
    isRepeated: (row) => {
      const orderId = orderOf(row);
      return (
        orderId !== undefined &&
        isRepeatedDigest(bucketStartOf(row.receivedAtMs, shardOf(row)), orderDigest(orderId))
      );
    },
  };
}
