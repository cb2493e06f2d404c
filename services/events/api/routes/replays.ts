// Replay, forward, retry, and plans for many events. Guarantees: only what is connected can be named; ids of another
// merchant are answered byte for byte like ones that never were; every one of them is in the audit trail.

import { audit } from '#lib/core/audit-log/audit.ts';
import type { Failure, Handlers } from '#lib/core/http/handler.ts';
import type { REPLAY_ROUTES } from '#lib/events/routes/replays.ts';
import { unknownNames } from '../connections/named.ts';
import type { ApiPorts } from '../ports.ts';
import { findOriginal, requestSeed, sendAgain } from '../replays/event.ts';
import { changePlan, createPlan, planView } from '../replays/plans.ts';
import { retry } from '../replays/retry.ts';

export function replayHandlers(ports: ApiPorts): Handlers<(typeof REPLAY_ROUTES)[number]> {
  return {
    async replayEvent({ caller, params, body, headers }) {
      const original = await findOriginal(caller.merchantId, params.id, ports);
      if ('failure' in original) return original;
      const wish = { dedupe: body?.dedupe ?? 'original' };
      const seed = requestSeed(headers['idempotency-key'], { caller, wish }, ports);
      const replayed = await sendAgain(original, wish, seed, ports);
      await audit(caller, 'event.replay', replayed.event_id, ports);
      return { status: 202, body: replayed };
    },

    async forwardEvent({ caller, params, body, headers }) {
      const original = await findOriginal(caller.merchantId, params.id, ports);
      if ('failure' in original) return original;
      const stranger = await unconnected(caller.merchantId, body.platforms, ports);
      if (stranger !== null) return stranger;
      const platforms = [...new Set(body.platforms)];
      const wish = { dedupe: body.dedupe, onlyPlatforms: platforms };
      const seed = requestSeed(headers['idempotency-key'], { caller, wish }, ports);
      const replayed = await sendAgain(original, wish, seed, ports);
      await audit(caller, 'event.forward', replayed.event_id, ports);
      return { status: 202, body: { ...replayed, platforms } };
    },

    async retryFailed({ caller, params }) {
      const original = await findOriginal(caller.merchantId, params.id, ports);
      if ('failure' in original) return original;
      const retried = await retry(original, ports);
      if ('failure' in retried) return retried;
      await audit(caller, 'event.retry', retried.event_id, ports);
      return { status: 202, body: retried };
    },

    async createReplay({ caller, body, headers }) {
      const stranger = await unconnected(caller.merchantId, body.platforms ?? [], ports);
      if (stranger !== null) return stranger;
      const plan = await createPlan(caller, body, headers['idempotency-key'], ports);
      if ('failure' in plan) return plan;
      await audit(caller, 'replay.create', plan.id, ports);
      return { status: 202, body: { success: true, replay: planView(plan) } };
    },

    async listReplays({ caller, query }) {
      const { limit, cursor } = query;
      const plans = await ports.replaying.plans.listPlans(caller.merchantId, limit + 1, cursor);
      const page = plans.slice(0, limit);
      const next = plans.length > limit ? (page.at(-1)?.id ?? null) : null;
      return { status: 200, body: { success: true, replays: page.map(planView), next_cursor: next } };
    },

    async readReplay({ caller, params }) {
      const plan = await ports.replaying.plans.plan(caller.merchantId, params.id);
      if (plan === null) return { failure: 'not_found' };
      return { status: 200, body: { success: true, replay: planView(plan) } };
    },

    async changeReplay({ caller, params, body }) {
      const plan = await changePlan(caller.merchantId, params.id, body, ports);
      if ('failure' in plan) return plan;
      await audit(caller, 'replay.update', plan.id, ports);
      return { status: 200, body: { success: true, replay: planView(plan) } };
    },

    async cancelReplay({ caller, params }) {
      const plan = await changePlan(caller.merchantId, params.id, { state: 'cancelled' }, ports);
      if ('failure' in plan) return plan;
      await audit(caller, 'replay.cancel', plan.id, ports);
      return { status: 200, body: { success: true, replay: planView(plan) } };
    },
  };
}

async function unconnected(
  merchantId: string,
  platforms: readonly string[],
  ports: ApiPorts,
): Promise<Failure<'invalid_request'> | null> {
  if (platforms.length === 0) return null;
  return unknownNames(platforms, await ports.config.currentRouting(merchantId), ports.platforms);
}
