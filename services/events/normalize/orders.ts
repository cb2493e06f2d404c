// What the other reports of its order make of a purchase, before it is stored.
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';
import type { OrderDecision } from '#lib/events/domain/orders/order.ts';
import { type OrderReports, withoutKept } from '#lib/events/pipeline/orders/order-reports.ts';
import type { CopyDecision } from '#lib/events/pipeline/server-copies.ts';

type Row = Parameters<OrderReports['report']>[0];

/** A browser's event that waits for its server copy is reported when the time is over: releaseHeld. */
export async function decideBesideOrder(
  row: Row,
  beside: CopyDecision,
  orders: OrderReports,
): Promise<CopyDecision & { readonly isRepeated: boolean }> {
  const { event, verdicts, heldUntilMs } = beside;
  const decision = heldUntilMs === undefined ? await orders.report(row, event, verdicts) : undefined;
  if (decision === undefined) return { ...beside, isRepeated: false };
  const { noOrderDedup: _, ...known } = event;
  return {
    event: {
      ...known,
      dedupId: decision.conversionId,
      ...(decision.byEventId ? { noOrderDedup: true } : {}),
      issues: [...event.issues, ...issuesOf(decision)],
    },
    verdicts: withoutKept(verdicts, decision.kept),
    isRepeated: decision.isRepeated,
  };
}

function issuesOf({ isRepeated, differs }: OrderDecision): readonly IdentityIssue[] {
  const repeated: readonly IdentityIssue[] = isRepeated
    ? [{ field: 'order_id', code: 'repeated_order' }]
    : [];
  return differs ? [...repeated, { field: 'event_id', code: 'browser_copy_differs' }] : repeated;
}
