// Whether another event near this one is the purchase of the same order. The index of rows has no orders in it, so rows are
// read: a bounded number, nearest in time, and only when somebody asks for one event that is a purchase.

import type { EventRow } from '#lib/events/domain/event/row.ts';
import { type Entry, type EntryRange, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { orderOf } from '#lib/events/pipeline/repeated-orders.ts';
import type { ScanPorts } from './scan.ts';

/** How far away a second purchase is looked for, and how many events are looked at on each side. */
export const SAME_ORDER_REACH = { rangeMs: 3_600_000, rowsEachSide: 50 } as const;

export async function hasSameOrder(row: EventRow, ports: ScanPorts): Promise<boolean> {
  const orderId = orderOf(row);
  if (orderId === undefined) return false;
  const { merchantId, eventId } = row.key;
  const { rangeMs, rowsEachSide: limit } = SAME_ORDER_REACH;
  const atMs = row.receivedAtMs;
  const sides: readonly EntryRange[] = [
    { merchantId, fromMs: atMs - rangeMs, toMs: atMs, order: 'desc' },
    { merchantId, fromMs: atMs, toMs: atMs + rangeMs, order: 'asc' },
  ];
  const pages = await Promise.all(sides.map((side) => firstPage(side, limit, ports)));
  // Copies of the event itself, and its earlier lives, are no other purchase.
  const keys = pages.flatMap((page) => page.map(({ key }) => key)).filter((key) => key.eventId !== eventId);
  if (keys.length === 0) return false;
  const others = await ports.events.readMany(keys, 'eventual');
  return others.rows.some((other) => orderOf(other) === orderId);
}

async function firstPage(range: EntryRange, limit: number, ports: ScanPorts): Promise<readonly Entry[]> {
  for await (const page of receivedEntries(range, limit, ports)) return page;
  return [];
}
