// Who brought each order of a range, asked once more of the clicks that are known of its person, and compared with what was stored
// with the order. Guarantees: an order whose person cannot be known any more, or whose click may have ended since, is said to be
// unknown and changes no figure.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Success } from '#lib/core/http/handler.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { DIRECT } from '#lib/events/domain/analytics/attribution.ts';
import { movedCredit } from '#lib/events/domain/analytics/credit-models.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { RECENT_MAX, readRecent } from '#lib/events/domain/people/recent-clicks.ts';
import { happenedAtMs, isDenied, orderKeys } from '#lib/events/pipeline/attribution/clicks.ts';
import { creditBy } from '#lib/events/pipeline/attribution/credit.ts';
import { countEvents } from '#lib/events/pipeline/counting/count-events.ts';
import { openedOr } from '#lib/events/pipeline/people/sealed-person.ts';
import { openEvent } from '#lib/events/pipeline/sealed-event.ts';
import { CREDIT_EXAMPLES_MAX, type verifyAnalytics } from '#lib/events/routes/analytics/insights.ts';
import type { ApiPorts } from '../ports.ts';

/** Orders looked up at once: up to four reads each. */
const ORDERS_AT_ONCE = 8;
/** After it, a click that an older order was credited to may have ended. */
const CLICKS_STAND_MS = 7 * DAY_MS;

export interface CreditRecount {
  /** What it adds to the count of the rows. */
  readonly change: BucketCounters;
  readonly view: Success<typeof verifyAnalytics>['body']['credit'];
}

type Ports = Pick<ApiPorts, 'people' | 'eventVault' | 'platforms' | 'clock' | 'report'>;
type Credit = NonNullable<NormalizedRow['event']['credit']>;
type Known = Pick<Credit, 'touch' | 'last'>;

export async function recountCredit(orders: readonly NormalizedRow[], ports: Ports): Promise<CreditRecount> {
  const found = await inParallel(orders, ORDERS_AT_ONCE, async (row) => ({
    row,
    credit: await knownCredit(row, ports),
  }));
  const differing = found.flatMap(({ row, credit }) => {
    const { credit: before } = row.event;
    return credit === null || before === undefined || isSame(before, credit)
      ? []
      : [{ row, before, after: credit }];
  });
  return {
    change: sumCounters(differing.flatMap(({ row, before, after }) => changeOf(row, before, after))),
    view: {
      orders: orders.length,
      differing: differing.length,
      unknown: found.filter(({ credit }) => credit === null).length,
      examples: differing.slice(0, CREDIT_EXAMPLES_MAX).map(({ row, before, after }) => ({
        event_id: row.key.eventId,
        ...{ credited_to: before.touch, last_click: lastOf(before) },
        recounted: { credited_to: after.touch, last_click: lastOf(after) },
      })),
    },
  };
}

/** What an order counts for, taken from where it was credited to and added where it is now. */
function changeOf(row: NormalizedRow, before: Credit, after: Known): readonly BucketCounters[] {
  const own = countEvents([row]).credits?.[before.touch];
  if (own === undefined) return [];
  const credits = movedCredit(before.touch, after.touch, own);
  const moves = [
    movedCredit(lastOf(before), before.touch, own),
    movedCredit(after.touch, lastOf(after), own),
  ];
  return [{ ...EMPTY_COUNTERS, credits }, ...moves.map((each) => ({ ...EMPTY_COUNTERS, moves: each }))];
}

const lastOf = ({ touch, last = touch }: Known): string => last;

const isSame = (one: Known, other: Known): boolean =>
  one.touch === other.touch && lastOf(one) === lastOf(other);

/** Null once its personal data is erased, or where it cannot be read. */
const opened = (row: NormalizedRow, { eventVault, report }: Ports) =>
  openedOr(openEvent(row, eventVault), null, (error) => report('an order could not be opened', error));

/** Null where it cannot be known. */
async function knownCredit(row: NormalizedRow, ports: Ports): Promise<Known | null> {
  const { credit } = row.event;
  const event = await opened(row, ports);
  if (event === null || credit === undefined || credit.unlinked === true) return null;
  const { looked } = isDenied(event) ? { looked: [] } : orderKeys(event);
  const people = [...(await ports.people.people(row.key.merchantId, looked, 'eventual')).values()];
  const found = creditBy(event, people, ports.platforms);
  const hasForgotten =
    ports.clock.now() - happenedAtMs(event) > CLICKS_STAND_MS ||
    people.some(({ recent }) => readRecent(recent).length >= RECENT_MAX);
  return hasForgotten && credit.touch !== DIRECT && !isSame(credit, found) ? null : found;
}
