// The orders of a reconciliation that is done, in the order of the upload, until enough are found. Guarantees: reads parts, not
// events, and no more of them than it needs; a cursor names a place in this very reconciliation.
import * as z from 'zod';
import { createListCursor } from '#lib/core/http/list-cursor.ts';
import type { ReconciledOrder } from '#lib/events/domain/reconciliation/reconciled-part.ts';
import {
  RECONCILIATION_LIMITS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { readPart } from '#lib/events/pipeline/reconciling/sealed-parts.ts';
import type { ApiPorts } from '../ports.ts';

/** `n`: number of the order to go on with. */
interface OrderPlace {
  readonly n: number;
}
export const orderCursors = createListCursor(
  z.strictObject({ n: z.int().nonnegative().max(RECONCILIATION_LIMITS.ordersMax) }),
);

export interface FoundOrders<T> {
  readonly found: readonly T[];
  /** Null where there is none that fits. */
  readonly next: OrderPlace | null;
}

/** `take` is asked for each order: what it makes of it, or undefined where it does not want it. */
export async function walkOrders<T>(
  job: Reconciliation,
  { from, limit }: { readonly from: number; readonly limit: number },
  take: (order: ReconciledOrder) => T | undefined,
  ports: Pick<ApiPorts, 'vault' | 'reconciling'>,
): Promise<FoundOrders<T>> {
  const { partOrders } = RECONCILIATION_LIMITS;
  const found: T[] = [];
  for (let part = Math.floor(from / partOrders); part < job.parts.length; part++) {
    const orders = await readPart(job, part, { vault: ports.vault, store: ports.reconciling.jobs });
    for (const [index, order] of orders.entries()) {
      const number = part * partOrders + index;
      const taken = number < from ? undefined : take(order);
      if (taken === undefined) continue;
      if (found.length === limit) return { found, next: { n: number } };
      found.push(taken);
    }
  }
  return { found, next: null };
}
