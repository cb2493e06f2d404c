// Analytics: sums over counters, which are a fold of event rows. Nothing is counted here.

import type { Handlers, Success } from '../../../../lib/core/http/handler.ts';
import { BROWSER_EVENTS_PER_MINUTE } from '../../../../lib/core/tenancy/merchant.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../../../lib/core/work/time-slot.ts';
import type { SlotCounters } from '../../../../lib/events/domain/analytics.ts';
import { sumCounters } from '../../../../lib/events/domain/analytics-sum.ts';
import { EVENT_NAMES } from '../../../../lib/events/domain/event-names.ts';
import type { SlotRow } from '../../../../lib/events/ports/counter-store.ts';
import type { ANALYTICS_ROUTES, getOverview, Range } from '../../../../lib/events/routes/analytics.ts';
import { readCounters } from '../counter-range.ts';
import {
  deliveryRate,
  deliveryTotals,
  freshness,
  healthScore,
  latencyMs,
  mainCurrency,
  matchQuality,
  revenueByCurrency,
} from '../overview-figures.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type Overview = Success<typeof getOverview>['body'];

/** Slots of a range; the last one is running. */
const SLOTS: Readonly<Record<Range, { readonly lengthMs: number; readonly count: number }>> = {
  '24h': { lengthMs: HOUR_MS, count: 24 },
  '7d': { lengthMs: DAY_MS, count: 7 },
  '30d': { lengthMs: DAY_MS, count: 30 },
  '90d': { lengthMs: DAY_MS, count: 90 },
};

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export function analyticsHandlers(ports: ApiPorts): Handlers<(typeof ANALYTICS_ROUTES)[number]> {
  return {
    async getOverview({ caller, query }) {
      return { status: 200, body: await overview(caller.merchantId, query.range, ports) };
    },

    async getVolume({ caller, query: { range } }) {
      const { lengthMs, count } = SLOTS[range];
      const span = spanOf(range, ports.clock.now());
      const rows = await rowsOf(caller.merchantId, span, ports);
      const bySlot = Map.groupBy(rows, ({ key }) => floorTo(key.startMs, lengthMs));
      const points = Array.from({ length: count }, (_, i) => {
        const startMs = span.fromMs + i * lengthMs;
        const { events, bots, ...counters } = total(bySlot.get(startMs) ?? []);
        return { start: iso(startMs), events, bots, ...deliveryTotals({ events, bots, ...counters }) };
      });
      const interval = lengthMs === HOUR_MS ? ('hour' as const) : ('day' as const);
      const events = points.reduce((sum, point) => sum + point.events, 0);
      return { status: 200, body: { range, interval, total: events, points } };
    },

    async getCoverage({ caller, query: { range } }) {
      const span = spanOf(range, ports.clock.now());
      const { deliveries } = total(await rowsOf(caller.merchantId, span, ports));
      const platforms = ports.platforms.map(({ slug }) => slug);
      const delivered = (name: string, slug: string) => deliveries[slug]?.[name]?.DELIVERED ?? 0;
      const matrix = EVENT_NAMES.map((name) => platforms.map((slug) => delivered(name, slug)));
      const cells = EVENT_NAMES.flatMap((event_name) =>
        platforms.flatMap((platform) => {
          const counts = deliveries[platform]?.[event_name];
          if (counts === undefined) return [];
          return [
            { event_name, platform, delivered: delivered(event_name, platform), counts: { ...counts } },
          ];
        }),
      );
      return { status: 200, body: { range, event_names: [...EVENT_NAMES], platforms, matrix, cells } };
    },
  };
}

async function overview(merchantId: string, range: Range, ports: ApiPorts): Promise<Overview> {
  const nowMs = ports.clock.now();
  const span = spanOf(range, nowMs);
  const day = spanOf('24h', nowMs);
  const [rows, before, dayRows, dayBefore, connections, limit] = await Promise.all([
    rowsOf(merchantId, span, ports),
    rowsOf(merchantId, preceding(range, span), ports),
    rowsOf(merchantId, day, ports),
    rowsOf(merchantId, preceding('24h', day), ports),
    ports.config.listConnections(merchantId),
    browserLimit(merchantId, ports),
  ]);
  const current = total(rows);
  const previous = total(before);
  const events24h = total(dayRows).events;
  const active = connections.filter(({ status }) => status === 'active').length;
  const latest = dayRows.findLast(({ counters }) => counters.events > 0)?.key;
  const steady = {
    freshness: freshness(latest === undefined ? null : endOf(latest), current.events > 0, nowMs),
    connections: connections.length === 0 ? null : active / connections.length,
  };
  const revenue = revenueByCurrency(current);
  const currency = mainCurrency(revenue);
  const figures = (counters: SlotCounters) => ({
    delivery_rate: deliveryRate(counters) ?? 0,
    health_score: healthScore({
      ...steady,
      deliveryRate: deliveryRate(counters),
      matchQuality: matchQuality(counters),
    }),
    revenue_tracked: currency === null ? 0 : (revenueByCurrency(counters)[currency]?.amount ?? 0),
    avg_latency_ms: latencyMs(counters),
  });
  const [now, then] = [figures(current), figures(previous)];
  // What is left without a past is how things stand now: a score of that is nothing to compare with.
  const hasPast = deliveryRate(previous) !== null || matchQuality(previous) !== null;
  const compared = (Object.keys(now) as (keyof typeof now)[]).filter(
    (name) => name !== 'health_score' || hasPast,
  );
  return {
    range,
    events_24h: events24h,
    ...now,
    active_platforms: new Set(
      connections.flatMap(({ status, platform }) => (status === 'active' ? platform : [])),
    ).size,
    deltas: {
      events_24h: events24h - total(dayBefore).events,
      ...Object.fromEntries(compared.map((name) => [name, difference(now[name], then[name])])),
    },
    events: current.events,
    bots: current.bots,
    ...deliveryTotals(current),
    revenue_currency: currency,
    revenue_by_currency: revenue,
    browser_limit: limit,
  };
}

async function browserLimit(merchantId: string, ports: ApiPorts): Promise<Overview['browser_limit']> {
  const [merchant, reachedAtMs] = await Promise.all([
    ports.config.merchant(merchantId),
    ports.browserLimit.reachedAtMs(merchantId),
  ]);
  return {
    events_per_minute: merchant?.browserIngestion.eventsPerMinuteMax ?? BROWSER_EVENTS_PER_MINUTE,
    reached_at: reachedAtMs === null ? null : iso(reachedAtMs),
  };
}

/** Whole slots, the running one up to now. */
function spanOf(range: Range, nowMs: number): Span {
  const { lengthMs, count } = SLOTS[range];
  return { fromMs: floorTo(nowMs, lengthMs) - (count - 1) * lengthMs, toMs: nowMs + 1 };
}

/** As long as the span, right before its slots: the running slot is compared with as much of the one before. */
function preceding(range: Range, { fromMs, toMs }: Span): Span {
  const { lengthMs, count } = SLOTS[range];
  return { fromMs: fromMs - count * lengthMs, toMs: toMs - count * lengthMs };
}

async function rowsOf(
  merchantId: string,
  { fromMs, toMs }: Span,
  ports: ApiPorts,
): Promise<readonly SlotRow[]> {
  return await readCounters(ports.counters, merchantId, fromMs, toMs);
}

const total = (rows: readonly SlotRow[]): SlotCounters => sumCounters(rows.map(({ counters }) => counters));

function endOf({ grain, startMs }: SlotRow['key']): number {
  return startMs + (grain === 'minute' ? MINUTE_MS : grain === 'hour' ? HOUR_MS : DAY_MS);
}

/** Without the noise of binary fractions. */
const difference = (a: number, b: number): number => Number((a - b).toFixed(6));
