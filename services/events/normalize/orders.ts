// What its order makes of a purchase or a refund, before it is stored.
import type { OrderCredit } from '#lib/events/domain/analytics/attribution.ts';
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';
import type { OrderDecision } from '#lib/events/domain/orders/order.ts';
import { countedAt } from '#lib/events/pipeline/counting/due-buckets.ts';
import {
  type OrderReports,
  withEarlyRefunds,
  withoutKept,
} from '#lib/events/pipeline/orders/order-reports.ts';
import type { CopyDecision } from '#lib/events/pipeline/server-copies.ts';

import { requestCounterRefresh } from '../aggregate/message.ts';
import type { NormalizePorts } from './ports.ts';
import { type RefundPorts, refunded, withIssues } from './refunds.ts';

type Row = Parameters<OrderReports['report']>[0];

/** `credit`: of a purchase. A browser's event that waits for its server copy is reported when the time is over: releaseHeld. */
export async function decideBesideOrder(
  row: Row,
  beside: CopyDecision,
  credit: OrderCredit | undefined,
  orders: OrderReports,
  ports: Pick<NormalizePorts, 'slots' | 'counterRefresh' | 'clock' | 'report'> & RefundPorts,
): Promise<CopyDecision> {
  const { event, verdicts, heldUntilMs } = beside;
  if (event.name === 'Refund') return await refunded(row, beside, await orders.refund(row, event), ports);
  if (credit === undefined) return beside;
  const decision = heldUntilMs === undefined ? await orders.report(row, event, verdicts, credit) : undefined;
  if (decision === undefined) return { ...beside, event: { ...event, credit } };
  // After the order is written: also where this is tried again, because a process died before.
  await countAgain(row, decision, ports);
  const { noOrderDedup: _, ...known } = event;
  return {
    event: {
      ...known,
      dedupId: decision.conversionId,
      ...(decision.byEventId ? { noOrderDedup: true } : {}),
      issues: withIssues(event, issuesOf(decision)),
      credit: { ...withEarlyRefunds(credit, decision), ...(decision.isRepeated ? { again: true } : {}) },
    },
    verdicts: withoutKept(verdicts, decision.kept),
  };
}

/** Pages' events in whose place this one is counted no longer count where they were received. */
async function countAgain(
  { key }: Row,
  { displaced }: OrderDecision,
  ports: Pick<NormalizePorts, 'slots' | 'counterRefresh' | 'clock' | 'report'>,
): Promise<void> {
  if (displaced.length === 0) return;
  const buckets = displaced.map((report) => countedAt({ ...report, key }));
  await ports.slots.markDue(buckets);
  await requestCounterRefresh(buckets, ports);
}

function issuesOf({ isRepeated, differs }: OrderDecision): readonly IdentityIssue[] {
  const repeated: readonly IdentityIssue[] = isRepeated
    ? [{ field: 'order_id', code: 'repeated_order' }]
    : [];
  return differs ? [...repeated, { field: 'event_id', code: 'browser_copy_differs' }] : repeated;
}
