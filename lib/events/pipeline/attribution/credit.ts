// What an order is credited to, by what is known of its person. Pure: the same clicks give the same credit.
import { DIRECT, firstTouch, lastTouch, type OrderCredit } from '../../domain/analytics/attribution.ts';
import { isAmong, readRecent } from '../../domain/people/recent-clicks.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { StoredPerson } from '../../ports/attribution-store.ts';
import { clickOf, clicksIn, happenedAtMs, recentIn } from './clicks.ts';

type Ordered = Parameters<typeof clickOf>[0];
type Clicked = Pick<StoredPerson, 'touch' | 'recent'>;

/**
 * To the first and the last click before the order, within the window. An id that came with the order and was seen before is a click
 * of then: pages send the ids of a visit with each event. `people`: under each identifier of the order.
 */
export function creditBy(
  order: Ordered,
  people: readonly Clicked[],
  platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[],
): OrderCredit {
  const orderedMs = happenedAtMs(order);
  const own = clickOf(order, platforms);
  const firsts = people.flatMap(({ touch }) => touch ?? []);
  const first = firstTouch([...(own === null ? [] : [own]), ...firsts], orderedMs);
  const recent = people.flatMap((person) => readRecent(person.recent));
  const came = recentIn(clicksIn(order), platforms).filter((click) => !isAmong(recent, click));
  const last = lastTouch([...came, ...recent, ...firsts], orderedMs);
  const touch = first?.platform ?? DIRECT;
  return last === null || last.platform === touch ? { touch } : { touch, last: last.platform };
}
