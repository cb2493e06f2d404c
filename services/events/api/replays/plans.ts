// Replay plans as the API makes and changes them. Guarantees: a merchant never has more places than it may; a plan that is
// paused or cancelled stays so whatever its steps write; whatever dies on the way leaves a plan that goes on, or none.
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { IDEMPOTENCY_KEPT_MS } from '#lib/core/http/idempotency.ts';
import { actorOf, type Caller } from '#lib/core/tenancy/caller.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import {
  isOver,
  NO_PROGRESS,
  PLAN_LIMITS,
  PLAN_VERDICTS,
  type PlanFilter,
  type ReplayPlan,
} from '#lib/events/domain/replays/plan.ts';
import type { changeReplay, createReplay, readReplay } from '#lib/events/routes/replays.ts';
import { type AskedRange, momentsIn, readRange } from '../analytics/scan-range.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type Wish = z.output<(typeof createReplay)['body']>;
type Change = z.output<(typeof changeReplay)['body']>;
type PlanView = z.output<(typeof readReplay)['replies'][200]>['replay'];

const TRIES_MAX = 20;
/** Plans among which the one of a repeated request is looked for. */
const LATEST = 50;

export async function createPlan(
  caller: Caller,
  wish: Wish,
  key: string | undefined,
  ports: ApiPorts,
): Promise<ReplayPlan | Failure<'invalid_request' | 'too_many_replays'>> {
  const { merchantId } = caller;
  const nowMs = ports.clock.now();
  const requestKey = key === undefined ? undefined : keyDigest(caller, key);
  const before = requestKey === undefined ? undefined : await madeUnder(requestKey, merchantId, nowMs, ports);
  if (before !== undefined) return before;
  const { start: _, end: __, ...others } = wish.filter;
  const asked = { ...others, ...(await momentsIn(merchantId, wish.filter, ports)) };
  const filter = filterOf(asked, nowMs);
  if ('failure' in filter) return filter;
  const id = ports.random.uuidv7(nowMs);
  if (!(await ports.replaying.plans.takePlace(merchantId, id, PLAN_LIMITS.activeMax)))
    return { failure: 'too_many_replays' };
  const plan: ReplayPlan = {
    merchantId,
    id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    state: 'running',
    version: 1,
    step: 0,
    ...(requestKey === undefined ? {} : { requestKey }),
    filter,
    ...(wish.platforms === undefined ? {} : { platforms: [...new Set(wish.platforms)].sort() }),
    only: wish.only,
    dedupe: wish.dedupe,
    dryRun: wish.dry_run,
    rate: wish.rate,
    progress: NO_PROGRESS,
  };
  await ports.replaying.plans.createPlan(plan);
  await tell(plan, ports);
  return plan;
}

/** Of an Idempotency-Key; of this caller alone. */
export const keyDigest = (caller: Caller, key: string): string =>
  hash('sha256', JSON.stringify([actorOf(caller), key]), 'hex');

/** What a request that died had made already. Younger ones of the merchant's own are few: it has five places. */
async function madeUnder(
  requestKey: string,
  merchantId: string,
  nowMs: number,
  ports: ApiPorts,
): Promise<ReplayPlan | undefined> {
  const latest = await ports.replaying.plans.listPlans(merchantId, LATEST);
  return latest.find(
    (plan) => plan.requestKey === requestKey && nowMs - plan.createdAtMs < IDEMPOTENCY_KEPT_MS,
  );
}

/** The range ends now, so that what comes in while the plan runs is not in it. */
function filterOf(
  { start, end, event_name, source, event_ids }: Omit<Wish['filter'], keyof AskedRange> & AskedRange,
  nowMs: number,
): PlanFilter | Failure<'invalid_request'> {
  const latest = Math.min(end ?? nowMs, nowMs);
  const range = readRange({ start: start ?? earliest(event_ids, latest), end: latest }, nowMs);
  if ('failure' in range)
    return refuse(`filter.${range.details?.[0]?.path}`, range.details?.[0]?.message ?? '');
  return {
    ...range,
    ...withoutUndefined({ eventName: event_name, source }),
    ...(event_ids === undefined ? {} : { eventIds: [...new Set(event_ids)] }),
  };
}

/** Ids are looked up, however old they are. */
const earliest = (ids: readonly string[] | undefined, latestMs: number): number | undefined =>
  ids === undefined ? undefined : latestMs - PLAN_LIMITS.rangeMaxDays * DAY_MS;

export async function changePlan(
  merchantId: string,
  planId: string,
  change: Change | { readonly state: 'cancelled' },
  ports: ApiPorts,
): Promise<ReplayPlan | Failure<'not_found' | 'replay_over'>> {
  const { plans } = ports.replaying;
  const changed = await retryConflicts({ what: 'a replay plan', triesMax: TRIES_MAX }, async () => {
    const plan = await plans.plan(merchantId, planId);
    if (plan === null) return { failure: 'not_found' as const };
    if (isOver(plan)) return { failure: 'replay_over' as const };
    const resumes = plan.state === 'paused' && change.state === 'running';
    const next: ReplayPlan = {
      ...plan,
      ...('rate' in change && change.rate !== undefined ? { rate: change.rate } : {}),
      state: change.state ?? plan.state,
      // A message of the time before the pause is out of date.
      step: resumes ? plan.step + 1 : plan.step,
      updatedAtMs: ports.clock.now(),
    };
    const written = await plans.writePlan(next, plan.version);
    return written ? { plan: { ...next, version: plan.version + 1 }, resumes } : CONFLICT;
  });
  if (changed.plan === undefined) return { failure: changed.failure };
  if (changed.resumes) await tell(changed.plan, ports);
  if (isOver(changed.plan)) await plans.leavePlace(merchantId, planId);
  return changed.plan;
}

/** A lost message costs two sweeps: the plan has a place. */
async function tell({ merchantId, id, step }: ReplayPlan, { replaying, report }: ApiPorts): Promise<void> {
  await replaying.work.send(byTenant([{ merchant: merchantId, plan: id, step }])).catch((error: unknown) => {
    report('a replay plan was not told to go on', error);
  });
}

export function planView(plan: ReplayPlan): PlanView {
  const { filter, progress } = plan;
  const { cursor, counts, ...figures } = progress;
  return {
    id: plan.id,
    state: plan.state,
    dry_run: plan.dryRun,
    created_at: iso(plan.createdAtMs),
    updated_at: iso(plan.updatedAtMs),
    filter: {
      start: iso(filter.fromMs),
      end: iso(filter.toMs),
      ...withoutUndefined({ event_name: filter.eventName, source: filter.source }),
      ...(filter.eventIds === undefined ? {} : { event_ids: [...filter.eventIds] }),
    },
    platforms: plan.platforms === undefined ? null : [...plan.platforms],
    only: plan.only,
    dedupe: plan.dedupe,
    rate: plan.rate,
    progress: { ...figures, ...(cursor === undefined ? {} : { up_to: iso(cursor.receivedAtMs) }) },
    counts: Object.fromEntries(
      Object.entries(counts).map(([slug, words]) => [
        slug,
        Object.fromEntries(
          PLAN_VERDICTS.map((word) => [word, words[word] ?? 0]),
        ) as PlanView['counts'][string],
      ]),
    ),
  };
}
