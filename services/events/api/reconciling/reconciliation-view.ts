// A reconciliation and its orders as the API words them.
import type { Success } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { type OrderStanding, STANDINGS, standingAt } from '#lib/events/domain/analytics/order-standing.ts';
import type { Channel } from '#lib/events/domain/event/normalized-event.ts';
import type { ReconciledOrder } from '#lib/events/domain/reconciliation/reconciled-part.ts';
import { comparedPlatforms, type Reconciliation } from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { listReconciledOrders, readReconciliation } from '#lib/events/routes/orders/reconciliations.ts';
import { iso } from '../wire-time.ts';

export type ReconciliationView = Success<typeof readReconciliation>['body']['reconciliation'];
export type OrderView = Success<typeof listReconciledOrders>['body']['orders'][number];

export function viewOf(job: Reconciliation): ReconciliationView {
  const { upload, counts, standings } = job;
  return {
    id: job.id,
    status: job.state === 'done' ? 'done' : 'running',
    created_at: iso(job.createdAtMs),
    updated_at: iso(job.updatedAtMs),
    expires_at: iso(job.expiresAtMs),
    covers: { start: iso(job.fromMs), end: iso(job.toMs) },
    upload: {
      orders: upload.orders,
      repeated: upload.repeated,
      with_value: upload.withValue,
      with_currency: upload.withCurrency,
      with_time: upload.withTime,
    },
    progress: { events: counts.seen, unreadable: counts.unreadable, ...placeOf(job) },
    unlisted: upload.firstMs === undefined ? null : counts.unlisted,
    platforms: Object.fromEntries(
      comparedPlatforms(job).map((platform) => [platform, figuresOf(standings?.[platform])]),
    ),
  };
}

function placeOf({ state, cursor, fromMs, toMs }: Reconciliation): { up_to: string; share: number } {
  if (state === 'done') return { up_to: iso(toMs), share: 1 };
  const atMs = cursor?.receivedAtMs ?? fromMs;
  return { up_to: iso(atMs), share: Math.floor((1_000 * (atMs - fromMs)) / (toMs - fromMs)) / 1_000 };
}

type Figures = ReconciliationView['platforms'][string];

function figuresOf(counts: NonNullable<Reconciliation['standings']>[string] | undefined): Figures {
  if (counts === undefined) return null;
  return Object.fromEntries(STANDINGS.map((standing) => [standing, counts[standing] ?? 0])) as Figures;
}

/** By platform. */
export type Standings = ReadonlyMap<string, OrderStanding>;

export function standingsOf({ order, seen }: ReconciledOrder, job: Reconciliation): Standings {
  return new Map(
    comparedPlatforms(job).map((platform) => {
      const places = job.places.filter((place) => place.platform === platform);
      return [platform, standingAt(order, seen, places, job)];
    }),
  );
}

export function orderView({ order, seen }: ReconciledOrder, standings: Standings): OrderView {
  const { orderId, eventId, value, currency, atMs } = order;
  const events = new Map(
    (seen?.events ?? []).map(([id, trust]): [string, { event_id: string; trust: Channel }] => [
      `${trust}/${id}`,
      { event_id: id, trust },
    ]),
  );
  return {
    ...withoutUndefined({ order_id: orderId, event_id: eventId, value, currency }),
    ...(atMs === undefined ? {} : { time: iso(atMs) }),
    events: [...events.values()],
    platforms: Object.fromEntries(
      [...standings].map(([platform, standing]) => [platform, standingView(standing)]),
    ),
  };
}

function standingView({ standing, times, reason, wrong }: OrderStanding): OrderView['platforms'][string] {
  return {
    status: standing,
    times,
    ...(reason === undefined ? {} : { reason }),
    ...(wrong === undefined ? {} : { sent: { value: wrong[0], currency: wrong[1] } }),
  };
}
