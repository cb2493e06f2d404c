// Replay plans, step by step: a step looks at pages of events, stores their replays, and notes after each page how far it is.
// Guarantees: a step that dies is taken up behind its last noted page, and what it stored behind that is found under the same
// ids, so that each event is replayed once; of several steps of one plan one goes on; a plan that is paused or over stops
// within a page, and costs one read for each message that asks; over the day's limit it rests.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { STEP, workOn, written } from '#lib/core/work/long-task.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import {
  isOver,
  isSamePlace,
  type PlanProgress,
  type ReplayPlan,
  withPage,
} from '#lib/events/domain/replays/plan.ts';
import { hasRoom } from './daily-limit.ts';
import type { ReplayWork } from './message.ts';
import { doPage } from './page.ts';
import type { ReplayPorts } from './ports.ts';
import { readPage } from './read-page.ts';

/** What a plan may send in this time goes out together; then it rests until the time is over. */
const STEP_SEC = 10;
const PAGE_MAX = 100;
/** By then every row is in the time index. */
const SETTLED_MS = 15_000;
const AT_ONCE = 4;

export const createReplayStage = (ports: ReplayPorts): Stage<ReplayWork> =>
  messageStage(AT_ONCE, (body) => work(body, ports), 'a step of a replay plan failed', ports);

async function work({ merchant, plan: planId, step }: ReplayWork, ports: ReplayPorts): Promise<void> {
  const { replays, clock } = ports;
  await workOn<ReplayPlan>(
    {
      what: 'a replay plan',
      read: async () => {
        const plan = await replays.plan(merchant, planId);
        if (plan !== null && !isOver(plan)) return plan.state === 'running' ? plan : null;
        // A place that was taken for a plan whose maker died before it was stored, or one that its last step did not leave.
        if (plan !== null || clock.now() - ingestTimeMs(planId) > STEP.leaseMs)
          await replays.leavePlace(merchant, planId);
        return null;
      },
      turn: (plan) => ({
        isNext: step === plan.step,
        leaseUntilMs: plan.updatedAtMs + STEP.leaseMs,
        notBeforeMs: 0,
      }),
      take: (plan, nowMs) => written({ ...plan, step: plan.step + 1, updatedAtMs: nowMs }, replays.writePlan),
      step: (taken, endMs) => runStep(taken, endMs, ports),
      tell: async (plan, begunAtMs) => {
        const restMs = Math.max(0, begunAtMs + STEP_SEC * 1_000 - clock.now());
        const next: ReplayWork = { merchant, plan: planId, step: plan.step };
        await ports.work.send(byTenant([next]), { delaySec: Math.ceil(restMs / 1_000) });
      },
    },
    clock,
  );
}

/** Null where it is over, rests, or is another step's. */
async function runStep(taken: ReplayPlan, endMs: number, ports: ReplayPorts): Promise<ReplayPlan | null> {
  const { clock, replays } = ports;
  const { merchantId, id } = taken;
  const startMs = clock.now();
  const [routing, merchant] = await Promise.all([
    ports.config.currentRouting(merchantId),
    ports.config.merchant(merchantId),
  ]);
  const shards = merchant?.shards ?? 1;
  const perDay = merchant?.limits?.replaysPerDay;
  let plan = taken;
  let left = plan.dryRun ? Number.POSITIVE_INFINITY : plan.rate * STEP_SEC;
  let isReadable = true;
  // One, to ask whether there is any room at all. A plan that rests sends no message: the sweep tells it.
  if (!plan.dryRun && !(await hasRoom(merchantId, 1, ports, perDay))) return null;
  while (left > 0 && isReadable && clock.now() < endMs) {
    const readableMs = startMs - SETTLED_MS;
    const page = await readPage(plan, readableMs, Math.min(PAGE_MAX, left), ports);
    const { added, counted } = await doPage(
      page,
      { plan, routing, platforms: ports.platforms },
      shards,
      ports,
    );
    const noted = await note(plan, added, page.isLast, ports);
    if (noted === null) return null;
    if (isOver(noted)) await replays.leavePlace(merchantId, id);
    if (noted.state !== 'running') return null;
    plan = noted;
    left -= added.sent;
    if (!plan.dryRun && !(await hasRoom(merchantId, counted, ports, perDay))) return null;
    isReadable = page.seen > 0;
  }
  return plan;
}

/**
 * Adds the page to what the plan has done. Where it was changed by hand meanwhile, to the plan as it is now; null where
 * another step has gone on with it.
 */
async function note(
  seen: ReplayPlan,
  page: PlanProgress,
  isLast: boolean,
  { replays, clock }: ReplayPorts,
): Promise<ReplayPlan | null> {
  const progress = withPage(seen.progress, page);
  let current = seen;
  return await retryConflicts({ what: 'progress of a replay plan' }, async () => {
    const state = isLast && current.state === 'running' ? 'done' : current.state;
    const next: ReplayPlan = { ...current, state, progress, updatedAtMs: clock.now() };
    const noted = await written(next, replays.writePlan);
    if (noted !== null) return noted;
    const stored = await replays.plan(seen.merchantId, seen.id);
    if (stored === null || stored.step !== seen.step) return null;
    // The write whose answer was lost was this one.
    if (page.seen > 0 && isSamePlace(stored.progress, progress)) return stored;
    if (!isSamePlace(stored.progress, seen.progress)) return null;
    current = stored;
    return CONFLICT;
  });
}
