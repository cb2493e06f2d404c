// What was refused on the days of a span, as the overview shows it.
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import { parseRefusal } from '#lib/events/domain/event/refusal.ts';
import type { ApiPorts } from '../ports.ts';
import type { Span } from './span.ts';

/** Days are counted whole: the first one of the span as well. */
export async function refusedIn(
  merchantId: string,
  { fromMs, toMs }: Pick<Span, 'fromMs' | 'toMs'>,
  { refusals }: Pick<ApiPorts, 'refusals'>,
) {
  const counts = await refusals.sum(merchantId, floorTo(fromMs, DAY_MS), toMs);
  const found = [...counts].flatMap(([name, count]) => {
    const refusal = parseRefusal(name);
    return refusal === null ? [] : [{ name, refusal, count }];
  });
  // Equal ones in one order always.
  found.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return {
    total: found.reduce((sum, { count }) => sum + count, 0),
    by_reason: found.map(({ refusal, count }) => ({ ...refusal, count })),
  };
}
