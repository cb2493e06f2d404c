// Match quality, funnel and credit for orders, from summed counters. Pure; zero-filled, whatever was counted.
import {
  type BucketCounters,
  type CreditedOrders,
  type Example,
  MISSING,
  type PageWaits,
  type ServerOrders,
} from '#lib/events/domain/analytics/analytics.ts';
import { DIRECT } from '#lib/events/domain/analytics/attribution.ts';
import { FUNNEL } from '#lib/events/domain/analytics/funnel.ts';
import { gainOf, HINTED_FIELDS, matchQuality, shareOf } from '#lib/events/domain/analytics/match-quality.ts';
import { addMoney, emptySum } from '#lib/events/domain/analytics/sum.ts';
import { KNOWN_FIELDS } from '#lib/events/domain/event/known-fields.ts';
import { fieldFix, issueFix } from '../connections/quality-fixes.ts';
import { moneyByCurrency } from './overview-figures.ts';

const ISSUES_MAX = 10;

export function score(counters: BucketCounters): number {
  return tenths(100 * (matchQuality(counters) ?? 0));
}

export function completeness(counters: BucketCounters) {
  return KNOWN_FIELDS.map((field) => ({
    field,
    events: counters.completeness[field] ?? 0,
    share: rounded(shareOf(field, counters)),
  }));
}

/** Of purchases that came from servers. */
export function clickIds({ serverOrders = NO_CLICKS }: BucketCounters) {
  const { orders, clicked, gained, joined = 0 } = serverOrders;
  const share = orders === 0 ? 0 : rounded(clicked / orders);
  const gains = { gained_from_page: gained, gained_from_earlier: joined };
  return { server_orders: orders, with_click_id: clicked, ...gains, share };
}

const NO_CLICKS: ServerOrders = { orders: 0, clicked: 0, gained: 0 };

/** Of orders that waited for it. */
export function pageWait({ pageWaits = NO_WAITS }: BucketCounters) {
  const { orders, sumMs, completed } = pageWaits;
  // Keys that are whole numbers come in their order.
  const bySec = Object.entries(completed);
  const all = bySec.reduce((sum, [, number]) => sum + number, 0);
  const within = (part: number): number | null => {
    let seen = 0;
    for (const [sec, number] of bySec) {
      seen += number;
      if (seen >= part * all) return Number(sec);
    }
    return null;
  };
  return {
    orders,
    completed: all,
    in_vain: orders - all,
    mean_sec: orders === 0 ? null : tenths(sumMs / orders / 1_000),
    page_after_p50_sec: within(0.5),
    page_after_p90_sec: within(0.9),
  };
}

const NO_WAITS: PageWaits = { orders: 0, sumMs: 0, completed: {} };

/** Those most events have first; of two with as many, by name. */
export function topIssues({ issues, events, examples = {} }: BucketCounters) {
  return Object.entries(issues)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, ISSUES_MAX)
    .map(([issue, number]) => {
      const at = issue.lastIndexOf(':');
      const [field, code] = [issue.slice(0, at), issue.slice(at + 1)];
      return {
        field,
        code,
        events: number,
        share: events === 0 ? 0 : rounded(Math.min(1, number / events)),
        example_event_ids: idsOf(examples[issue]),
        fix: issueFix(field, code),
      };
    });
}

export function hints(counters: BucketCounters) {
  return HINTED_FIELDS.map((field) => ({
    field,
    affected: Math.max(0, counters.events - (counters.completeness[field] ?? 0)),
    expected_gain: tenths(100 * gainOf(field, counters)),
    example_event_ids: idsOf(counters.examples?.[MISSING + field]),
    fix: fieldFix(field),
  }))
    .filter(({ affected }) => affected > 0)
    .sort((a, b) => b.expected_gain - a.expected_gain);
}

const idsOf = (examples: readonly Example[] = []): string[] => [...new Set(examples.map(([, id]) => id))];

export function funnelCounts({ byName }: BucketCounters): readonly number[] {
  return FUNNEL.map((name) => byName[name] ?? 0);
}

export function funnelStages(counts: readonly number[]) {
  return FUNNEL.map((name, i) => {
    const count = counts[i] ?? 0;
    const before = i === 0 ? count : (counts[i - 1] ?? 0);
    const left = Math.max(0, before - count);
    const first = counts[0] ?? 0;
    return {
      name,
      count,
      drop_off: left,
      drop_off_rate: before === 0 ? 0 : rounded(left / before),
      share_of_first: first === 0 ? 0 : rounded(count / first),
    };
  });
}

export const creditView = ({ orders, unlinked, ...money }: CreditedOrders) => ({
  orders,
  unlinked_orders: unlinked,
  revenue: moneyByCurrency(money),
});

/** Each platform there is, any other that was credited, and `direct` last. */
export function creditedPlatforms(credits: Credits, slugs: readonly string[]) {
  const others = Object.keys(credits).filter((slug) => slug !== DIRECT && !slugs.includes(slug));
  return [...slugs, ...others.sort(), DIRECT].map((platform) => ({
    platform,
    credit: creditOf(credits, platform),
  }));
}

export const creditOf = (credits: Credits, platform: string): CreditedOrders =>
  Object.hasOwn(credits, platform) ? (credits[platform] ?? NO_ORDERS) : NO_ORDERS;

type Credits = NonNullable<BucketCounters['credits']>;

const NO_ORDERS: CreditedOrders = { orders: 0, unlinked: 0, revenue: {} };

export function allCredits({ credits = {}, refunds }: BucketCounters): CreditedOrders {
  const { revenue } = emptySum();
  let [orders, unlinked] = [0, 0];
  for (const credit of Object.values(credits)) {
    orders += credit.orders;
    unlinked += credit.unlinked;
    addMoney(revenue, credit.revenue);
  }
  return { orders, unlinked, revenue, ...(refunds === undefined ? {} : { refunds }) };
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
const rounded = (value: number): number => Number(value.toFixed(6));
