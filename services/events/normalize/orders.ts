// What its order makes of a purchase or a refund, before it is stored.
import { DIRECT, type OrderCredit } from '#lib/events/domain/analytics/attribution.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';
import type { OrderDecision } from '#lib/events/domain/orders/order.ts';
import { countedAt } from '#lib/events/pipeline/counting/due-buckets.ts';
import {
  type OrderReports,
  type RefundDecision,
  withoutKept,
} from '#lib/events/pipeline/orders/order-reports.ts';
import type { CopyDecision } from '#lib/events/pipeline/server-copies.ts';

import { requestCounterRefresh } from '../aggregate/message.ts';
import type { NormalizePorts } from './ports.ts';

type Row = Parameters<OrderReports['report']>[0];

/** `credit`: of a purchase. A browser's event that waits for its server copy is reported when the time is over: releaseHeld. */
export async function decideBesideOrder(
  row: Row,
  beside: CopyDecision,
  credit: OrderCredit | undefined,
  orders: OrderReports,
  ports: Pick<NormalizePorts, 'slots' | 'counterRefresh' | 'clock' | 'report'>,
): Promise<CopyDecision> {
  const { event, verdicts, heldUntilMs } = beside;
  if (credit === undefined) return refunded(beside, await orders.refund(row, event));
  const decision =
    heldUntilMs === undefined ? await orders.report(row, event, verdicts, credit.touch) : undefined;
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
      credit: decision.isRepeated ? { ...credit, again: true } : credit,
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

const REFUND_ISSUES = {
  applied: undefined,
  reduced: { field: 'value', code: 'refund_reduced' },
  repeated: { field: 'event_id', code: 'refund_repeated' },
  refused: { field: 'currency', code: 'refund_refused' },
} as const satisfies Record<RefundDecision['state'], IdentityIssue | undefined>;

function refunded(beside: CopyDecision, decision: RefundDecision | undefined): CopyDecision {
  if (decision === undefined) return beside;
  const { currency, minor, touch = DIRECT, isKnown, state } = decision;
  const issue = isKnown || state !== 'applied' ? REFUND_ISSUES[state] : ORDER_UNKNOWN;
  const issues = withIssues(beside.event, issue === undefined ? [] : [issue]);
  const refund = currency === undefined || minor === '0' ? {} : { refund: { touch, currency, minor } };
  return { ...beside, event: { ...beside.event, issues, ...refund } };
}

const ORDER_UNKNOWN: IdentityIssue = { field: 'order_id', code: 'order_unknown' };

const withIssues = ({ issues }: NormalizedEvent, more: readonly IdentityIssue[]): readonly IdentityIssue[] =>
  more.length === 0 ? issues : [...issues, ...more];
