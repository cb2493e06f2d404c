// Replays on a pipeline in memory: the API's own handlers and the stage of plans, on the pipeline's stores and queues.
import type { Caller } from '../../lib/core/tenancy/caller.ts';
import type { ReplayWork } from '../../lib/events/domain/replays/work.ts';
import { resumePlans } from '../../lib/events/pipeline/recovery/resume-plans.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import type { ApiPorts } from '../../services/events/api/ports.ts';
import { replayHandlers } from '../../services/events/api/routes/replays.ts';
import { createDailyLimit } from '../../services/events/replay/daily-limit.ts';
import { createReplayStage } from '../../services/events/replay/stage.ts';
import { createMemoryLeaseStore } from './memory/lease-store.ts';
import { createMemoryQueue } from './memory/queue.ts';
import { createMemoryReplayStore } from './memory/replay-store.ts';
import { type createMemoryPipeline, PIPELINE_MERCHANT } from './memory-pipeline.ts';

export const ADMIN: Caller = {
  kind: 'session',
  sub: 'a',
  merchantId: PIPELINE_MERCHANT,
  role: 'admin',
  grant: { opens: [] },
};

/** What a handler gets beside what the route names. */
export const CALL = {
  caller: ADMIN,
  requestId: 'r',
  query: undefined,
  headers: undefined,
  bytes: undefined,
  signal: new AbortController().signal,
} as const;
/** With headers that may name a key, and do not. */
export const KEYLESS = { ...CALL, headers: {} } as const;

export function withReplays(
  pipeline: ReturnType<typeof createMemoryPipeline>,
  platforms: readonly Platform[],
  dailyMax = 1_000_000_000,
) {
  const { clock, random, counters, slots, eventVault, queues, storedRows, config } = pipeline;
  const plans = createMemoryReplayStore();
  const work = createMemoryQueue<ReplayWork>({ clock });
  const audits: string[] = [];
  const report = (_problem: string, error: unknown): void => void pipeline.problems.push(error);
  const head = { events: storedRows, slots, accepted: queues.accepted };
  const api = replayHandlers({
    events: pipeline.events,
    counters,
    eventVault,
    platforms,
    clock,
    random,
    report,
    replaying: { ...head, plans, work },
    config: {
      ...config,
      everyConnection: async () => ({ connections: [...pipeline.connections.values()], removed: [] }),
      appendAudit: async ({ action, subject }: { action: string; subject: string }) =>
        void audits.push(`${action} ${subject}`),
    },
  } as unknown as ApiPorts);
  const stage = createReplayStage({
    ...head,
    replays: plans,
    events: pipeline.events,
    counters,
    config,
    eventVault,
    work,
    daily: createDailyLimit(createMemoryLeaseStore(), dailyMax),
    platforms,
    clock,
    random,
    report,
  });
  return {
    api,
    plans,
    work,
    audits,
    stage,
    /** Works what is to be had of the queue now. */
    drainPlans: async (): Promise<number> => {
      let handled = 0;
      for (;;) {
        const [message] = work.receive(1);
        if (message === undefined) return handled;
        const { failedIndexes } = await stage([message]);
        if (failedIndexes.length === 0) work.remove(message.receipt);
        handled += 1;
      }
    },
    sweepPlans: () => resumePlans({ replays: plans, replayWork: work, report }),
  };
}
