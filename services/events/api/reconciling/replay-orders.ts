// A replay plan of the orders that a platform misses. Guarantees: one event for each order, so that no place of the platform
// gets two of one; nothing that a platform has is sent to it again.
import type { z } from 'zod';
import { type Failure, refuse, type Success } from '#lib/core/http/handler.ts';
import type { Caller } from '#lib/core/tenancy/caller.ts';
import { eventToSend } from '#lib/events/domain/analytics/order-standing.ts';
import {
  comparedPlatforms,
  RECONCILIATION_LIMITS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { replayReconciliation } from '#lib/events/routes/orders/reconciliations.ts';
import type { ApiPorts } from '../ports.ts';
import { createPlan, planView } from '../replays/plans.ts';
import { standingsOf } from './reconciliation-view.ts';
import { type FoundOrders, orderCursors, walkOrders } from './walk-orders.ts';

type ReplayWish = z.output<(typeof replayReconciliation)['body']> & { readonly key: string | undefined };
type MadeReplay = Omit<Success<typeof replayReconciliation>['body'], 'success'>;

export async function replayOrders(
  caller: Caller,
  job: Reconciliation,
  { platform, rate, dry_run, cursor, key }: ReplayWish,
  ports: ApiPorts,
): Promise<MadeReplay | Failure<'invalid_request' | 'nothing_to_replay' | 'too_many_replays'>> {
  const asked = { cursor, platform, id: job.id };
  const place = orderCursors.read(asked);
  if (place === null) return refuse('cursor', 'must come from the replay before, of this platform');
  if (!comparedPlatforms(job).includes(platform)) return refuse('platform', 'was not compared');
  const { connections } = await ports.config.currentRouting(job.merchantId);
  if (!connections.some((connection) => connection.platform === platform))
    return refuse('platform', 'is not connected any more');
  const { found, next } = await missingEvents(job, platform, place?.n ?? 0, ports);
  if (found.length === 0) return { failure: 'nothing_to_replay' };
  const filter = { event_ids: [...found] };
  const wish = { filter, only: 'undelivered', dedupe: 'original', rate, dry_run } as const;
  // Of this request alone: the same key may have made a replay elsewhere.
  const own = key === undefined ? undefined : `reconciliation/${job.id}/${key}`;
  const plan = await createPlan(caller, { ...wish, platforms: [platform] }, own, ports);
  if ('failure' in plan) return plan;
  const next_cursor = orderCursors.write(asked, next);
  return { replay: planView(plan), orders: found.length, next_cursor };
}

/** Ids of one event for each order that the platform misses, each id once. */
function missingEvents(
  job: Reconciliation,
  platform: string,
  from: number,
  ports: ApiPorts,
): Promise<FoundOrders<string>> {
  const places = job.places.filter((place) => place.platform === platform);
  const named = new Set<string>();
  const limit = RECONCILIATION_LIMITS.replayOrdersMax;
  return walkOrders(
    job,
    { from, limit },
    (order) => {
      if (order.seen === undefined) return undefined;
      if (standingsOf(order, job).get(platform)?.standing !== 'missing') return undefined;
      const eventId = eventToSend(order.seen, places);
      if (eventId === undefined || named.has(eventId)) return undefined;
      named.add(eventId);
      return eventId;
    },
    ports,
  );
}
