// Match quality, funnel, credit for orders, and the recount of all of it. Sums over counters; only the recount reads events.

import { type Failure, type Handlers, refuse, type Success } from '#lib/core/http/handler.ts';
import { type CreditModel, creditsBy } from '#lib/events/domain/analytics/credit-models.ts';
import { FUNNEL } from '#lib/events/domain/analytics/funnel.ts';
import { rowsKeptMs } from '#lib/events/domain/event/row-expiry.ts';
import type { getRevenueAttribution, INSIGHT_ROUTES } from '#lib/events/routes/analytics/insights.ts';
import {
  allCredits,
  clickIds,
  completeness,
  creditedPlatforms,
  creditOf,
  creditView,
  funnelCounts,
  funnelStages,
  hints,
  pageWait,
  score,
  topIssues,
} from '../analytics/insight-figures.ts';
import { reportingOf } from '../analytics/reported.ts';
import { compared, type Span, spanFor, spanView } from '../analytics/span.ts';
import { nextSteps } from '../connections/next-steps.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

export function insightHandlers(ports: ApiPorts): Handlers<(typeof INSIGHT_ROUTES)[number]> {
  return {
    async getQuality({ caller: { merchantId }, query }) {
      const nowMs = ports.clock.now();
      const span = await spanFor(merchantId, query, ports);
      if ('failure' in span) return span;
      const [now, before] = await compared(merchantId, span, ports);
      const change = Number((score(now) - score(before)).toFixed(1));
      return {
        status: 200,
        body: {
          ...spanView(span, nowMs),
          events: now.events,
          score: score(now),
          deltas: before.events === 0 ? {} : { score: change },
          completeness: completeness(now),
          click_ids: clickIds(now),
          page_wait: pageWait(now),
          issues: topIssues(now),
          hints: hints(now),
          next_steps: await nextSteps(merchantId, now.events > 0, ports),
        },
      };
    },

    async getFunnel({ caller: { merchantId }, query }) {
      const nowMs = ports.clock.now();
      const span = await spanFor(merchantId, query, ports);
      if ('failure' in span) return span;
      const [now, before] = await compared(merchantId, span, ports);
      const [counts, earlier] = [funnelCounts(now), funnelCounts(before)];
      const changes = FUNNEL.map((name, i) => [name, (counts[i] ?? 0) - (earlier[i] ?? 0)] as const);
      const deltas = earlier.some((count) => count > 0) ? Object.fromEntries(changes) : {};
      const steps = await nextSteps(merchantId, now.events > 0, ports);
      const body = { ...spanView(span, nowMs), stages: funnelStages(counts), deltas, next_steps: steps };
      return { status: 200, body };
    },

    async getRevenueAttribution({ caller: { merchantId }, query }) {
      const span = await spanFor(merchantId, query, ports);
      return 'failure' in span ? span : await attribution(merchantId, span, query.model, ports);
    },

    async verifyAnalytics({ caller: { merchantId }, body }) {
      const nowMs = ports.clock.now();
      const span = await spanFor(merchantId, body, ports);
      if ('failure' in span) return span;
      // Few ask for it, and it brings what credits orders.
      const { verify } = await import('../analytics/verify-analytics.ts');
      const found = noLongerKept(span, nowMs, ports) ?? (await verify(merchantId, span, body.settle, ports));
      if (found === null) return { failure: 'too_much_to_verify' };
      if ('failure' in found) return found;
      const { fromMs, untilMs, ...figures } = found;
      const verified = { start: iso(fromMs), end: iso(untilMs) };
      const nextStart = untilMs < span.toMs ? iso(untilMs) : null;
      return { status: 200, body: { ...spanView(span, nowMs), verified, next_start: nextStart, ...figures } };
    },
  };
}

async function attribution(
  merchantId: string,
  span: Span,
  model: CreditModel,
  ports: ApiPorts,
): Promise<Success<typeof getRevenueAttribution>> {
  const nowMs = ports.clock.now();
  const [now, before, rows] = await compared(merchantId, span, ports);
  const hasPast = allCredits(before).orders > 0;
  const reporting = await reportingOf(merchantId, span, rows, ports);
  const past = creditsBy(model, before);
  const platforms = creditedPlatforms(
    creditsBy(model, now),
    ports.platforms.map(({ slug }) => slug),
  ).map(({ platform, credit }) => {
    const earlier = creditOf(past, platform).orders;
    return {
      platform,
      ...creditView(credit),
      reported: reporting?.((counters) => creditOf(creditsBy(model, counters), platform)) ?? null,
      deltas: hasPast ? { orders: credit.orders - earlier } : ({} as Record<string, number>),
    };
  });
  return {
    status: 200,
    body: {
      ...spanView(span, nowMs),
      model,
      platforms,
      total: { ...creditView(allCredits(now)), reported: reporting?.(allCredits) ?? null },
      repeated_orders: now.repeatedOrders ?? 0,
      next_steps: await nextSteps(merchantId, now.events > 0, ports),
    },
  };
}

/** Of a range that begins before what rows there are: to recount it would show what expired as drift. */
function noLongerKept(
  { fromMs }: Pick<Span, 'fromMs'>,
  nowMs: number,
  { ceilings }: Pick<ApiPorts, 'ceilings'>,
): Failure<'invalid_request'> | null {
  const keptFromMs = nowMs - rowsKeptMs(ceilings.retentionDays);
  if (fromMs >= keptFromMs) return null;
  const since = iso(keptFromMs);
  return refuse('start', `must be after ${since}: events from before are no longer kept, their counts are`);
}
