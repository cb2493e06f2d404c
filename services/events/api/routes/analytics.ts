// Key figures, their series, and what went where: sums over counters, which are a fold of event rows. Nothing is counted here.

import type { Handlers, Success } from '#lib/core/http/handler.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { deliveryTotals, dueTotals } from '#lib/events/domain/analytics/delivery-totals.ts';
import { matchQuality } from '#lib/events/domain/analytics/match-quality.ts';
import type { EveryConnection } from '#lib/events/domain/connections/connection.ts';
import { EVENT_NAMES, type EventName } from '#lib/events/domain/event/names.ts';
import { BROWSER_EVENTS_PER_MINUTE, browserEventsPerMinuteOf } from '#lib/events/domain/merchant.ts';
import { endOf, readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ANALYTICS_ROUTES, getOverview } from '#lib/events/routes/analytics/analytics.ts';
import { createCountsByConnection, holdersIn } from '../analytics/by-connection.ts';
import {
  barsOf,
  deliveryRate,
  freshness,
  healthScore,
  latencyMs,
  mainCurrency,
  moneyByCurrency,
  platformBars,
} from '../analytics/overview-figures.ts';
import { refusedIn } from '../analytics/refused-figures.ts';
import { type ReportedMoney, reportingOf } from '../analytics/reported.ts';
import { type Span, slotSums, spanFor, spanOf, spanView } from '../analytics/span.ts';
import { incidentSteps, nextSteps } from '../connections/next-steps.ts';
import { holderView } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';
import { insightHandlers } from './analytics-insights.ts';

type Overview = Success<typeof getOverview>['body'];

export function analyticsHandlers(ports: ApiPorts): Handlers<(typeof ANALYTICS_ROUTES)[number]> {
  return {
    ...insightHandlers(ports),

    async getOverview({ caller, query }) {
      const span = await spanFor(caller.merchantId, query, ports);
      if ('failure' in span) return span;
      return { status: 200, body: await overview(caller.merchantId, span, ports) };
    },

    async getVolume({ caller, query }) {
      const nowMs = ports.clock.now();
      const span = await spanFor(caller.merchantId, query, ports);
      if ('failure' in span) return span;
      const sums = await slotSums(caller.merchantId, span, ports);
      const points = span.starts.map((startMs, i) => {
        const { events, bots, ...counters } = sums[i] ?? EMPTY_COUNTERS;
        return { start: iso(startMs), events, bots, ...deliveryTotals(counters) };
      });
      const events = points.reduce((sum, point) => sum + point.events, 0);
      return {
        status: 200,
        body: { ...spanView(span, nowMs), interval: span.interval, total: events, points },
      };
    },

    async getCoverage({ caller, query }) {
      const nowMs = ports.clock.now();
      const span = await spanFor(caller.merchantId, query, ports);
      if ('failure' in span) return span;
      const rows = await readCounters(caller.merchantId, span, ports);
      const { deliveries } = total(rows);
      const platforms = ports.platforms.map(({ slug }) => slug);
      const matrix = EVENT_NAMES.map((name) =>
        platforms.map((slug) => deliveries[slug]?.[name]?.DELIVERED ?? 0),
      );
      const cells = EVENT_NAMES.flatMap((name) =>
        platforms.flatMap((platform) => cellsOf(deliveries[platform], [name], { platform })),
      );
      const every = await ports.config.everyConnection(caller.merchantId);
      const counts = createCountsByConnection(every)(rows);
      const connections = holdersIn(span, every, counts).map((holder) => ({
        ...{ platform: holder.platform, ...holderView({ holder }) },
        cells: cellsOf(counts[holder.id]?.deliveries, EVENT_NAMES, {}),
      }));
      const shown = { event_names: [...EVENT_NAMES], platforms, matrix, cells, connections };
      const body = { ...spanView(span, nowMs), ...shown };
      return { status: 200, body };
    },
  };
}

/** Of those names that came. */
const cellsOf = <Named extends object>(
  names: BucketCounters['deliveries'][string] = {},
  wanted: readonly EventName[],
  named: Named,
) =>
  wanted.flatMap((event_name) => {
    const counts = names[event_name];
    if (counts === undefined) return [];
    return [{ event_name, ...named, delivered: counts.DELIVERED ?? 0, counts: { ...counts } }];
  });

async function overview(merchantId: string, span: Span, ports: ApiPorts): Promise<Overview> {
  const nowMs = ports.clock.now();
  const day = spanOf({ range: '24h' }, nowMs) as Span;
  const [rows, before, dayRows, dayBefore, { connections, removed }, limit, refused] = await Promise.all([
    readCounters(merchantId, span, ports),
    readCounters(merchantId, span.before, ports),
    readCounters(merchantId, day, ports),
    readCounters(merchantId, day.before, ports),
    ports.config.everyConnection(merchantId),
    browserLimit(merchantId, ports),
    refusedIn(merchantId, span, ports),
  ]);
  const [current, previous] = [total(rows), total(before)];
  const [events24h, eventsBefore] = [total(dayRows).events, total(dayBefore).events];
  const working = connections.filter(({ status, circuit }) => status === 'active' && circuit === undefined);
  const latest = dayRows.findLast(({ counters }) => counters.events > 0)?.key;
  const steady = {
    freshness: freshness(latest === undefined ? null : endOf(latest), current.events > 0, nowMs),
    connections: connections.length === 0 ? null : working.length / connections.length,
  };
  const revenue = moneyByCurrency(current);
  const [reporting, reportingBefore] = await Promise.all([
    reportingOf(merchantId, span, rows, ports),
    reportingOf(merchantId, { ...span.before, zone: span.zone }, before, ports),
  ]);
  const tracked = trackedMoney(revenue, reporting?.(whole));
  const figures = (counters: BucketCounters, net: number) => ({
    delivery_rate: deliveryRate(counters) ?? 0,
    health_score: knownIn(counters).health_score
      ? healthScore({
          ...steady,
          deliveryRate: deliveryRate(counters),
          matchQuality: matchQuality(counters),
        })
      : 0,
    revenue_tracked: net,
    avg_latency_ms: latencyMs(counters),
  });
  const netBefore = trackedMoney(
    moneyByCurrency(previous),
    reportingBefore?.(whole),
    tracked.revenue_currency,
  ).net;
  const [now, then] = [figures(current, tracked.net), figures(previous, netBefore)];
  const names = Object.keys(now) as (keyof typeof now)[];
  const [known, knownBefore] = [knownIn(current), knownIn(previous)];
  const compared = names.filter((name) => known[name] && knownBefore[name]);
  return {
    ...spanView(span, nowMs),
    events_24h: events24h,
    ...now,
    active_platforms: new Set(
      connections.flatMap(({ status, platform }) => (status === 'active' ? platform : [])),
    ).size,
    deltas: {
      ...(eventsBefore === 0 ? {} : { events_24h: events24h - eventsBefore }),
      ...Object.fromEntries(compared.map((name) => [name, difference(now[name], then[name])])),
    },
    events: current.events,
    bots: current.bots,
    without_data: names.filter((name) => !known[name]),
    ...dueTotals(current),
    platforms: ports.platforms.map(({ slug }) => ({ platform: slug, ...platformBars(slug, current) })),
    connections: barsByConnection(span, { connections, removed }, rows),
    next_steps: [
      ...(await nextSteps(merchantId, current.events > 0, ports, connections)),
      ...(await incidentSteps(merchantId, ports)),
    ],
    revenue_currency: tracked.revenue_currency,
    revenue_not_included: tracked.revenue_not_included,
    revenue_by_currency: Object.fromEntries(
      Object.entries(revenue).map(([name, { minor: _, ...money }]) => [name, money]),
    ),
    browser_limit: limit,
    refused,
  };
}

function barsByConnection(
  span: Span,
  every: EveryConnection,
  rows: readonly BucketRow[],
): Overview['connections'] {
  const counts = createCountsByConnection(every)(rows);
  return holdersIn(span, every, counts).map((holder) => ({
    ...{ platform: holder.platform, ...holderView({ holder }) },
    ...barsOf(counts[holder.id]?.deliveries),
  }));
}

const whole = (counters: BucketCounters) => counters;

/** In the merchant's own currency, else in the one most orders are in, or in the one it is to be compared in. */
function trackedMoney(
  revenue: ReturnType<typeof moneyByCurrency>,
  reported: ReportedMoney | undefined,
  wanted: string | null = mainCurrency(revenue),
): Pick<Overview, 'revenue_currency' | 'revenue_not_included'> & { readonly net: number } {
  if (reported !== undefined) {
    const { currency, net, without_rate } = reported;
    return { revenue_currency: currency, revenue_not_included: without_rate, net };
  }
  const others = Object.keys(revenue).filter((currency) => currency !== wanted);
  const net = wanted === null ? 0 : (revenue[wanted]?.net ?? 0);
  return { revenue_currency: wanted, revenue_not_included: others, net };
}

/** A figure of nothing is no 0, and nothing to compare with. */
function knownIn(counters: BucketCounters): Readonly<Record<Overview['without_data'][number], boolean>> {
  const isDue = deliveryRate(counters) !== null;
  return {
    delivery_rate: isDue,
    // Fresh events and connections that work are no health by themselves.
    health_score: isDue || matchQuality(counters) !== null,
    revenue_tracked: counters.events > 0,
    avg_latency_ms: counters.latency.count > 0,
  };
}

async function browserLimit(merchantId: string, ports: ApiPorts): Promise<Overview['browser_limit']> {
  const [merchant, reachedAtMs] = await Promise.all([
    ports.config.merchant(merchantId),
    ports.browserLimit.reachedAtMs(merchantId),
  ]);
  return {
    events_per_minute:
      merchant === null ? BROWSER_EVENTS_PER_MINUTE : browserEventsPerMinuteOf(merchant, ports.ceilings),
    reached_at: reachedAtMs === null ? null : iso(reachedAtMs),
  };
}

/** Without the noise of binary fractions. */
const difference = (a: number, b: number): number => Number((a - b).toFixed(6));
