// What an order is credited to, by what is known of its person. Pure: the same clicks give the same credit.
import {
  DIRECT,
  firstTouch,
  isWithinWindow,
  lastTouch,
  type OrderCredit,
  type Touch,
} from '../../domain/analytics/attribution.ts';
import type { Credited } from '../../domain/analytics/settled-credit.ts';
import { isAmong, readRecent } from '../../domain/people/recent-clicks.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { StoredPerson } from '../../ports/attribution-store.ts';
import { clickOf, clicksIn, happenedAtMs, recentIn } from './clicks.ts';

type Ordered = Parameters<typeof clickOf>[0];
type Clicked = Pick<StoredPerson, 'touch' | 'recent'>;
type Platforms = readonly Pick<Platform, 'slug' | 'clickIds'>[];

export interface Recredited {
  /** As it counts by now. */
  readonly credited: Credited;
  readonly event: Ordered;
  readonly reports: readonly Ordered[];
}

/** Clicks of an order's person, within the window or not. */
interface Known {
  readonly orderedMs: number;
  readonly firsts: readonly Touch[];
  readonly lasts: readonly Touch[];
}

/**
 * To the first and the last click before the order, within the window. An id that came with the order and was seen before is a click
 * of then: pages send the ids of a visit with each event. `people`: under each identifier of the order.
 */
export const creditBy = (order: Ordered, people: readonly Clicked[], platforms: Platforms): OrderCredit =>
  creditOf(clicksOf(order, [order], people, platforms));

/**
 * The same of what is known now. `reports`: of the order, and what else reports it, whose clicks are its own. Null where a click is not known any
 * more that the order was credited to: it ended, or its person was erased.
 */
export function creditNow(
  { credited, event, reports }: Recredited,
  people: readonly Clicked[],
  platforms: Platforms,
): Credited | null {
  const known = clicksOf(event, reports, people, platforms);
  const { touch, last = touch } = credited;
  const isKnown = (platform: string): boolean =>
    platform === DIRECT ||
    [...known.firsts, ...known.lasts].some(
      (click) => click.platform === platform && isWithinWindow(click, known.orderedMs),
    );
  return isKnown(touch) && isKnown(last) ? creditOf(known) : null;
}

function clicksOf(
  order: Ordered,
  reports: readonly Ordered[],
  people: readonly Clicked[],
  platforms: Platforms,
): Known {
  const orderedMs = happenedAtMs(order);
  const firsts = people.flatMap(({ touch }) => touch ?? []);
  const own = reports.flatMap((report) => clickOf(report, platforms) ?? []);
  const recent = people.flatMap((person) => readRecent(person.recent));
  const came = reports
    .flatMap((report) => recentIn(clicksIn(report), platforms))
    .filter((click) => !isAmong(recent, click));
  return { orderedMs, firsts: [...own, ...firsts], lasts: [...came, ...recent, ...firsts] };
}

function creditOf({ orderedMs, firsts, lasts }: Known): Credited {
  const last = lastTouch(lasts, orderedMs);
  const touch = firstTouch(firsts, orderedMs)?.platform ?? DIRECT;
  return last === null || last.platform === touch ? { touch } : { touch, last: last.platform };
}
