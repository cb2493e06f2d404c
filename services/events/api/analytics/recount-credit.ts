// Who brought each order of a range, asked once more of the clicks that are known of its person, and compared with what it counts for;
// settled where that is wanted. Guarantees: an order whose person cannot be known any more, or whose click may have ended since, is
// said to be unknown and changes no figure.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Success } from '#lib/core/http/handler.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { movedCredit } from '#lib/events/domain/analytics/credit-models.ts';
import { type Credited, creditOfRow } from '#lib/events/domain/analytics/settled-credit.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { recountedCredits } from '#lib/events/pipeline/attribution/evidence.ts';
import { isDifferent, settleCredit } from '#lib/events/pipeline/attribution/settle-credit.ts';
import { countEvents } from '#lib/events/pipeline/counting/count-events.ts';
import { CREDIT_EXAMPLES_MAX, type verifyAnalytics } from '#lib/events/routes/analytics/insights.ts';
import type { ApiPorts } from '../ports.ts';

/** Reads of so many orders are made together. */
const ORDERS_AT_ONCE = 20;
const READS_AT_ONCE = 8;

export interface CreditRecount {
  /** What it adds to the count of the rows. */
  readonly change: BucketCounters;
  readonly view: Success<typeof verifyAnalytics>['body']['credit'];
}

export type CreditPorts = Pick<
  ApiPorts,
  'people' | 'eventVault' | 'platforms' | 'clock' | 'report' | 'counters' | 'orders' | 'stored'
>;

/** Rows as they count by now: purchases that are counted as orders, and refunds. */
export interface CreditedRows {
  readonly orders: readonly NormalizedRow[];
  readonly refunds: readonly NormalizedRow[];
}

export async function recountCredit(
  { orders, refunds }: CreditedRows,
  isSettling: boolean,
  { stored, ...ports }: CreditPorts,
): Promise<CreditRecount> {
  const own = { ...ports, events: stored.events };
  const rows = orders.map((row) => ({ row, credited: creditOfRow(row) as Credited }));
  const parts = Array.from({ length: Math.ceil(rows.length / ORDERS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ORDERS_AT_ONCE, (at + 1) * ORDERS_AT_ONCE),
  );
  const credits = (
    await inParallel(parts, READS_AT_ONCE, (part) => recountedCredits(part, 'eventual', own))
  ).flat();
  const differing = rows.flatMap(({ row, credited }, at) => {
    const after = credits[at];
    return isDifferent(after, credited) ? [{ row, before: credited, after }] : [];
  });
  const taken = Map.groupBy(refunds, ({ event }) => event.orderId);
  const { moved } = isSettling
    ? await settleCredit(
        differing.map(({ row }) => row),
        own,
      )
    : { moved: 0 };
  return {
    change: sumCounters(
      differing.flatMap(({ row, after }) =>
        [row, ...(taken.get(row.event.orderId) ?? [])].flatMap((each) => changeOf(each, after)),
      ),
    ),
    view: {
      orders: orders.length,
      differing: differing.length,
      settled: moved,
      unknown: credits.filter((credit) => credit === null).length,
      examples: differing.slice(0, CREDIT_EXAMPLES_MAX).map(({ row, before, after }) => ({
        event_id: row.key.eventId,
        ...{ credited_to: before.touch, last_click: lastOf(before) },
        recounted: { credited_to: after.touch, last_click: lastOf(after) },
      })),
    },
  };
}

/** What a purchase or a refund counts for, taken from where it is credited to and added where it belongs now. */
function changeOf(row: NormalizedRow, after: Credited): readonly BucketCounters[] {
  const before = creditOfRow(row);
  const own = before === null ? undefined : countEvents([row]).credits?.[before.touch];
  if (before === null || own === undefined) return [];
  const credits = movedCredit(before.touch, after.touch, own);
  const moves = [
    movedCredit(lastOf(before), before.touch, own),
    movedCredit(after.touch, lastOf(after), own),
  ];
  return [{ ...EMPTY_COUNTERS, credits }, ...moves.map((each) => ({ ...EMPTY_COUNTERS, moves: each }))];
}

const lastOf = ({ touch, last = touch }: Credited): string => last;
