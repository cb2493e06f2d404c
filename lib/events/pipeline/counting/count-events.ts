// What rows count for, but for their deliveries. Pure: many rows count for the sum of what each of them counts for. They are
// added up as they are read, since every batch that is normalized waits for it.
import {
  type BucketCounters,
  type CreditedOrders,
  EXAMPLE_ID_MAX_CHARS,
  type Example,
  MISSING,
  type ServerOrders,
} from '../../domain/analytics/analytics.ts';
import type { OrderCredit } from '../../domain/analytics/attribution.ts';
import { movedCredit } from '../../domain/analytics/credit-models.ts';
import { HINTED_FIELDS } from '../../domain/analytics/match-quality.ts';
import {
  addCredits,
  addExample,
  addMoney,
  addPageWait,
  addServerOrders,
  emptySum,
  increase,
  type Sum,
  summed,
} from '../../domain/analytics/sum.ts';
import { toMinorUnits } from '../../domain/event/decimal.ts';
import { UNNAMED } from '../../domain/event/input.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import { isClickId } from '../../domain/identity/click-ids.ts';
import { isSendersName } from '../../domain/identity/identity.ts';
import { SAME_ORDER } from '../orders/order-reports.ts';

export function countEvents(rows: readonly NormalizedRow[]): BucketCounters {
  const sum = emptySum();
  for (const row of rows) {
    if (row.event.test === true) sum.tests += 1;
    else if (isReplay(row)) sum.replays += 1;
    else if (row.event.bot === true) sum.bots += 1;
    else addEvent(sum, row);
  }
  return summed(sum);
}

/** It was counted when it came first, or is a test: neither it nor its deliveries are counted. */
export const isReplay = ({ event }: Pick<NormalizedRow, 'event'>): boolean => event.replay === true;

function addEvent(sum: Sum, row: NormalizedRow): void {
  const { key, receivedAtMs, event } = row;
  const { known, credit } = event;
  const issues = issuesOf(event);
  const isRepeated = isRepeatedOrder(row);
  const revenue = isRepeated ? {} : revenueOf(event.name, event.value, event.currency);
  sum.events += 1;
  increase(sum.bySource, event.source);
  increase(sum.byName, event.name);
  for (const field of known) increase(sum.completeness, field);
  for (const issue of issues) increase(sum.issues, issue);
  addMoney(sum.revenue, revenue);
  if (key.channel === 'server' && event.name === 'Purchase')
    addServerOrders(sum.serverOrders, clicksOf(event));
  if (event.pageWait !== undefined) addPageWait(sum.pageWaits, event.pageWait);
  if (isRepeated || credit?.repeat === true) sum.repeatedOrders += 1;
  else if (credit !== undefined) {
    const { unlinked, early: refunds } = credit;
    if (refunds !== undefined) addMoney(sum.refunds, refunds);
    addCredit(sum, credit, {
      ...{ orders: 1, unlinked: unlinked === true ? 1 : 0, revenue },
      ...(refunds === undefined ? {} : { refunds }),
    });
  }
  if (event.refund !== undefined) addRefund(sum, event.refund);
  if (key.eventId.length > EXAMPLE_ID_MAX_CHARS) return;
  const example: Example = [receivedAtMs, key.eventId];
  // Of what is wrong with it, and of what would make it match better.
  for (const issue of issues) addExample(sum.examples, issue, example);
  for (const field of HINTED_FIELDS)
    if (!known.includes(field)) addExample(sum.examples, MISSING + field, example);
}

function addCredit(
  sum: Sum,
  { touch, last = touch }: Pick<OrderCredit, 'touch' | 'last'>,
  credited: CreditedOrders,
): void {
  addCredits(sum.credits, { [touch]: credited });
  addCredits(sum.moves, movedCredit(touch, last, credited));
}

/** On the day on which it came: a day that is over changes no more. */
function addRefund(
  sum: Sum,
  { currency, minor, ...credit }: NonNullable<NormalizedRow['event']['refund']>,
): void {
  const refunds = { [currency]: { orders: 1, minor } };
  addMoney(sum.refunds, refunds);
  addCredit(sum, credit, { orders: 0, unlinked: 0, revenue: {}, refunds });
}

/** Another event is counted as its order. Of a browser's event that has waited for a server's, its verdicts say so. */
export const isRepeatedOrder = ({ key, event: { credit }, verdicts }: NormalizedRow): boolean =>
  credit?.again === true || (key.channel === 'browser' && Object.values(verdicts).includes(SAME_ORDER));

function clicksOf({ known, fromPage = [], fromEarlier = [] }: NormalizedRow['event']): ServerOrders {
  const gained = fromPage.some(isClickId) ? 1 : 0;
  if (known.includes('click_id')) return { orders: 1, clicked: 1, gained };
  return fromEarlier.length === 0
    ? { orders: 1, clicked: 0, gained }
    : { orders: 1, clicked: 1, gained, joined: 1 };
}

const NO_ISSUES: readonly string[] = [];

/**
 * Each once. Senders choose the names of unknown properties and categories: counted under their own names they would grow a slot without
 * bound.
 */
function issuesOf({ issues }: NormalizedRow['event']): Iterable<string> {
  if (issues.length === 0) return NO_ISSUES;
  return new Set(issues.map(({ field, code }) => `${isSendersName(code) ? UNNAMED : field}:${code}`));
}

function revenueOf(
  name: string,
  value: string | undefined,
  currency: string | undefined,
): BucketCounters['revenue'] {
  if (name !== 'Purchase' || value === undefined || currency === undefined) return {};
  return { [currency]: { orders: 1, minor: String(toMinorUnits(value, currency)) } };
}
