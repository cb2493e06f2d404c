// All orders of a reconciliation in memory, found by what events say of them: ten thousand of them take a few megabytes.
// Guarantees: only parts that changed are written, each under the version that is this worker's alone.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { NOTHING_SEEN, type Sighting, seeEvent } from '#lib/events/domain/analytics/order-standing.ts';
import type { ReconciledOrder } from '#lib/events/domain/reconciliation/reconciled-part.ts';
import type { PartRef, Reconciliation } from '#lib/events/domain/reconciliation/reconciliation.ts';
import { readPart, writePart } from '#lib/events/pipeline/reconciling/sealed-parts.ts';
import type { OrderNames } from '#lib/events/pipeline/reconciling/sighting.ts';
import type { TaskPorts } from './ports.ts';

const PARTS_AT_ONCE = 4;

type At = readonly [part: number, index: number];

export interface OrderBook {
  /** Orders that an event of these names is, or is a copy or replay of. */
  find(names: OrderNames): readonly At[];
  /** An event of these orders. */
  see(at: readonly At[], sighting: Sighting): void;
  all(): Iterable<ReconciledOrder>;
  /** Where the parts lie after what was seen. */
  write(): Promise<readonly PartRef[]>;
}

export async function openBook(job: Reconciliation, ports: TaskPorts): Promise<OrderBook> {
  const { vault, reconciliations: store } = ports;
  const numbers = job.parts.map((_, part) => part);
  const read = await inParallel(numbers, PARTS_AT_ONCE, (part) => readPart(job, part, { vault, store }));
  const parts = read.map((orders) => [...orders]);
  const byOrder = new Map<string, At>();
  const byEvent = new Map<string, At>();
  for (const [part, orders] of parts.entries())
    for (const [index, { order }] of orders.entries()) {
      if (order.orderId !== undefined) byOrder.set(order.orderId, [part, index]);
      if (order.eventId !== undefined) byEvent.set(order.eventId, [part, index]);
    }
  const changed = new Set<number>();
  return {
    find({ orderId, eventId }) {
      const first = orderId === undefined ? undefined : byOrder.get(orderId);
      const second = byEvent.get(eventId);
      const isSame = first?.[0] === second?.[0] && first?.[1] === second?.[1];
      return [first, isSame ? undefined : second].filter((at) => at !== undefined);
    },
    see(at, sighting) {
      for (const [part, index] of at) {
        const known = parts[part]?.[index];
        if (known === undefined) continue;
        const { order, seen = NOTHING_SEEN } = known;
        parts[part]?.splice(index, 1, { order, seen: seeEvent(seen, sighting, order, job.places) });
        changed.add(part);
      }
    },
    *all() {
      for (const orders of parts) yield* orders;
    },
    write: () =>
      inParallel(numbers, PARTS_AT_ONCE, async (part): Promise<PartRef> => {
        const { merchantId, id, version } = job;
        const before = job.parts[part];
        if (before !== undefined && !changed.has(part)) return before;
        return await writePart({ merchantId, id, part, version }, parts[part] ?? [], { vault, store });
      }),
  };
}
