// Replay plans, step by step: a step looks at pages of events, stores their replays, and notes after each page how far it is.
// Guarantees: a step that dies is taken up behind its last noted page, and what it stored behind that is found under the same
// ids, so that each event is replayed once; of several steps of one plan one goes on; a plan that is paused or over stops
// within a page, and costs one read for each message that asks.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { CONFLICT, retryConflicts } from '../../../lib/core/work/retry-conflicts.ts';
import { ingestTimeMs } from '../../../lib/events/domain/ingest-id.ts';
import { grouped } from '../../../lib/events/domain/pointer.ts';
import {
  isOver,
  isSamePlace,
  type PlanProgress,
  type ReplayPlan,
  withPage,
} from '../../../lib/events/domain/replay-plan.ts';
import type { ReplayWork } from './message.ts';
import { doPage } from './page.ts';
import type { ReplayPorts } from './ports.ts';
import { readPage } from './read-page.ts';

/** A third of its function's time. */
const BUDGET_MS = 20_000;
/** What a plan may send in this time goes out together; then it rests until the time is over. */
const STEP_SEC = 10;
const PAGE_MAX = 100;
/** By then every row is in the time index. */
const SETTLED_MS = 15_000;
/** Nobody works on a plan that has not moved for so long: longer than a step, its rest and the way of its message. */
const STALLED_MS = 120_000;
const TRIES_MAX = 8;
const AT_ONCE = 4;

export type ReplayStage = (messages: readonly Received<ReplayWork>[]) => Promise<BatchResult>;

export function createReplayStage(ports: ReplayPorts): ReplayStage {
  return async (messages) => {
    const failedIndexes: number[] = [];
    await inParallel(messages, AT_ONCE, async ({ body }, index) => {
      try {
        const plan = await takeStep(body, ports);
        if (plan !== null) await runStep(plan, ports);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('a step of a replay plan failed', error);
      }
    });
    return { failedIndexes: failedIndexes.sort((a, b) => a - b) };
  };
}

/** The plan, when its next step is this message's; of several messages one gets it. */
async function takeStep(
  { merchant, plan: planId, step }: ReplayWork,
  { replays, clock }: ReplayPorts,
): Promise<ReplayPlan | null> {
  return await retryConflicts({ what: 'a replay plan', triesMax: TRIES_MAX }, async () => {
    const nowMs = clock.now();
    const plan = await replays.plan(merchant, planId);
    if (plan === null || isOver(plan)) {
      // A place that was taken for a plan whose maker died before it was stored, or one that its last step did not leave.
      if (plan !== null || nowMs - ingestTimeMs(planId) > STALLED_MS)
        await replays.leavePlace(merchant, planId);
      return null;
    }
    const isNext = step === plan.step;
    const isStalled = step === undefined && nowMs - plan.updatedAtMs >= STALLED_MS;
    if (plan.state !== 'running' || !(isNext || isStalled)) return null;
    const next = { ...plan, step: plan.step + 1, updatedAtMs: nowMs };
    return (await replays.writePlan(next, plan.version)) ? { ...next, version: plan.version + 1 } : CONFLICT;
  });
}

async function runStep(taken: ReplayPlan, ports: ReplayPorts): Promise<void> {
  const { clock, replays } = ports;
  const { merchantId, id, step } = taken;
  const startMs = clock.now();
  const [routing, merchant] = await Promise.all([
    ports.config.currentRouting(merchantId),
    ports.config.merchant(merchantId),
  ]);
  const shards = merchant?.shards ?? 1;
  let plan = taken;
  let left = plan.dryRun ? Number.POSITIVE_INFINITY : plan.rate * STEP_SEC;
  let isReadable = true;
  while (left > 0 && isReadable && clock.now() < startMs + BUDGET_MS) {
    const readableMs = startMs - SETTLED_MS;
    const page = await readPage(plan, readableMs, Math.min(PAGE_MAX, left), ports);
    const done = await doPage(page, { plan, routing, platforms: ports.platforms }, shards, ports);
    const noted = await note(plan, done, page.isLast, ports);
    if (noted === null) return;
    if (isOver(noted)) await replays.leavePlace(merchantId, id);
    if (noted.state !== 'running') return;
    plan = noted;
    left -= done.sent;
    isReadable = page.seen > 0;
  }
  const restMs = Math.max(0, startMs + STEP_SEC * 1_000 - clock.now());
  const work: ReplayWork = { merchant: merchantId, plan: id, step };
  await ports.work.send(grouped([work]), { delaySec: Math.ceil(restMs / 1_000) });
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
  return await retryConflicts({ what: 'progress of a replay plan', triesMax: TRIES_MAX }, async () => {
    const state = isLast && current.state === 'running' ? 'done' : current.state;
    const next: ReplayPlan = { ...current, state, progress, updatedAtMs: clock.now() };
    if (await replays.writePlan(next, current.version)) return { ...next, version: current.version + 1 };
    const stored = await replays.plan(seen.merchantId, seen.id);
    if (stored === null || stored.step !== seen.step) return null;
    // The write whose answer was lost was this one.
    if (page.seen > 0 && isSamePlace(stored.progress, progress)) return stored;
    if (!isSamePlace(stored.progress, seen.progress)) return null;
    current = stored;
    return CONFLICT;
  });
}
