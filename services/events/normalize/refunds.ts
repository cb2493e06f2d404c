// What an order makes of its refund, before that is stored: what is taken back, of which purchase, and where nothing is.
import { DIRECT } from '#lib/events/domain/analytics/attribution.ts';
import { platformOf } from '#lib/events/domain/connections/target.ts';
import { PENDING, targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedEvent, RefundedPurchase } from '#lib/events/domain/event/normalized-event.ts';
import type { IdentityIssue } from '#lib/events/domain/identity/identity.ts';
import type { NotTakenBack } from '#lib/events/domain/orders/refund.ts';
import type { OrderReports, RefundDecision } from '#lib/events/pipeline/orders/order-reports.ts';
import {
  type PurchaseAt,
  type PurchasePorts,
  purchaseAt,
  readPurchases,
} from '#lib/events/pipeline/orders/refunded-purchases.ts';
import type { CopyDecision } from '#lib/events/pipeline/server-copies.ts';
import type { NormalizePorts } from './ports.ts';

export type RefundPorts = PurchasePorts & Pick<NormalizePorts, 'platforms'>;

/** `decision`: absent where the event is no server's, or names no order. */
export async function refunded(
  { key }: Parameters<OrderReports['refund']>[0],
  beside: CopyDecision,
  decision: RefundDecision | undefined,
  ports: RefundPorts,
): Promise<CopyDecision> {
  const restating = new Set<string>(
    ports.platforms.flatMap(({ slug, restatesPurchases }) => (restatesPurchases === undefined ? [] : [slug])),
  );
  const isRestating = (target: string): boolean => restating.has(platformOf(target));
  if (decision === undefined) {
    const isPage = key.channel === 'browser';
    const why = (target: string) =>
      isPage ? 'from_page' : isRestating(target) ? 'order_unknown' : undefined;
    return { event: beside.event, verdicts: withheld(beside.verdicts, why) };
  }
  const { order } = decision;
  const takesNothing = decision.state !== 'waiting' && decision.minor === '0';
  const targets = targetsOf(beside);
  const rows =
    order === undefined || takesNothing || targets.length === 0
      ? []
      : await readPurchases(key.merchantId, order, ports);
  const found = new Map<string, PurchaseAt>(
    order === undefined ? [] : targets.map((target) => [target, purchaseAt(target, order, rows)]),
  );
  const why = (target: string): NotTakenBack | undefined =>
    takesNothing ? 'nothing' : withheldBy(found.get(target), isRestating(target));
  const purchase = [...found.values()].find((each) => 'purchase' in each)?.purchase;
  return {
    ...beside,
    event: refundOf(beside, decision, purchase),
    verdicts: withheld(beside.verdicts, why),
  };
}

/** `found`: absent where the order is not known. Who takes a refund by the order's id needs no more than the purchase. */
function withheldBy(found: PurchaseAt | undefined, isRestating: boolean): NotTakenBack | undefined {
  if (found === undefined) return isRestating ? 'order_unknown' : undefined;
  if ('purchase' in found || found.why === 'open') return undefined;
  return isRestating || found.why === 'not_delivered' ? found.why : undefined;
}

function withheld(
  verdicts: CopyDecision['verdicts'],
  why: (target: string) => NotTakenBack | undefined,
): CopyDecision['verdicts'] {
  return Object.fromEntries(
    Object.entries(verdicts).map(([target, word]) => {
      const because = word === PENDING ? why(target) : undefined;
      return [target, because === undefined ? word : `not_taken_back:${because}`];
    }),
  );
}

const ORDER_UNKNOWN: IdentityIssue = { field: 'order_id', code: 'order_unknown' };

const REFUND_ISSUES = {
  waiting: ORDER_UNKNOWN,
  applied: undefined,
  reduced: { field: 'value', code: 'refund_reduced' },
  repeated: { field: 'event_id', code: 'refund_repeated' },
  refused: { field: 'currency', code: 'refund_refused' },
} as const satisfies Record<RefundDecision['state'], IdentityIssue | undefined>;

function refundOf(
  { event }: CopyDecision,
  { currency, minor, order, state }: RefundDecision,
  purchase: RefundedPurchase | undefined,
): CopyDecision['event'] {
  const issue = order === undefined && state === 'applied' ? ORDER_UNKNOWN : REFUND_ISSUES[state];
  const issues = withIssues(event, issue === undefined ? [] : [issue]);
  if (currency === undefined || minor === '0') return { ...event, issues };
  const last = order?.last;
  const credited = { touch: order?.touch ?? DIRECT, ...(last === undefined ? {} : { last }) };
  const refund = { ...credited, currency, minor };
  return { ...event, issues, refund: purchase === undefined ? refund : { ...refund, purchase } };
}

export const withIssues = (
  { issues }: NormalizedEvent,
  more: readonly IdentityIssue[],
): readonly IdentityIssue[] => (more.length === 0 ? issues : [...issues, ...more]);
