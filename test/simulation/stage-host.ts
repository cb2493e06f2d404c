// Runs the functions: one container per invocation at a time, reused while it lives, as Lambda does; or all in one
// process, as the embedded host does. Feeds them from the queues and the schedules.

import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import type { DeliveryMessage } from '../../services/events/deliver/message.ts';
import type { acceptEvent } from '../../services/events/ingestion/accept.ts';
import type { Weather } from './faults.ts';
import { createMessageQueue, type SimulatedQueue } from './message-queue.ts';
import type { Calls, Process } from './process.ts';
import { type Container, note, type Queues, type StageName, type WorkOptions, workOf } from './stage-work.ts';
import type { Timeline } from './timeline.ts';

export interface StageHostOptions extends WorkOptions {
  readonly timeline: Timeline;
  readonly weather: () => Weather;
  /** Everything in one process, as the embedded host has it. */
  readonly oneProcess: boolean;
  /** How often accepted events are handed out; see `Weather`. */
  readonly windowMs: number;
  readonly calls: Calls;
  /** By name of the queue; see `QueueOptions`. */
  readonly strays?: ((queue: string) => readonly unknown[]) | undefined;
}

/** As deployed; see cdk/stacks/events.ts. */
const TIMEOUT_MS: Readonly<Record<StageName, number>> = {
  accept: 15_000,
  normalize: 30_000,
  'fan-out': 30_000,
  deliver: 120_000,
  aggregate: 120_000,
  sweep: 55_000,
  drain: 60_000,
  reconcile: 120_000,
};
const VISIBILITY_FACTOR = 6;
const RECEIVES_MAX = 5;

export function createStageHost(options: StageHostOptions) {
  const { timeline, random, weather, ledger } = options;
  const pools = new Map<StageName, Container[]>();
  const running = new Map<number, Container>();
  const processes = new Set<Process>();
  let invocations = 0;
  let single: Process | null = null;

  const start = (name: string): Process => {
    let offsetMs = drawOffset();
    const process: Process = { name, alive: true, clockOffsetMs: () => offsetMs };
    jumpers.set(process, () => {
      offsetMs = drawOffset();
    });
    processes.add(process);
    return process;
  };
  const jumpers = new Map<Process, () => void>();
  const drawOffset = () => random.below(2 * weather().clockOffsetMaxMs + 1) - weather().clockOffsetMaxMs;
  const processFor = (stage: StageName): Process => {
    if (!options.oneProcess) return start(stage);
    if (!single?.alive) single = start('host');
    return single;
  };
  const crash = (process: Process) => {
    process.alive = false;
    processes.delete(process);
    jumpers.delete(process);
    for (const [id, container] of running) if (container.process === process) running.delete(id);
    for (const [stage, pool] of pools)
      pools.set(
        stage,
        pool.filter((c) => c.process !== process),
      );
  };
  const container = (stage: StageName): Container => {
    const pool = pools.get(stage) ?? [];
    const warm = random.chance(0.8) ? pool.pop() : undefined;
    pools.set(stage, pool);
    if (warm) return warm;
    const process = processFor(stage);
    const made: Container = { process, work: async () => undefined, invocation: 0 };
    return Object.assign(made, { work: workOf(stage, made, options, queues) });
  };
  const invoke = (
    stage: StageName,
    input: unknown,
    done: (result: unknown, failed: boolean) => void,
  ): Container => {
    const where = container(stage);
    invocations += 1;
    const id = invocations;
    where.invocation = id;
    running.set(id, where);
    const finish = (result: unknown, failed: boolean) => {
      if (!running.delete(id)) return;
      pools.get(stage)?.push(where);
      if (!failed && !(result as BatchResult | undefined)?.failedIndexes?.length) ledger.endedWell.add(id);
      if (stage === 'fan-out') ledger.sentAtOnce.add(id);
      done(result, failed);
    };
    where.work(input as never).then(
      (result) => finish(result, false),
      (error: unknown) => {
        note(ledger, `${stage} threw: ${String(error)}`);
        finish(undefined, true);
      },
    );
    if (where.process !== single) {
      timeline.after(TIMEOUT_MS[stage], () => {
        if (running.has(id)) crash(where.process);
      });
    }
    return where;
  };
  const queues = createQueues(options, (stage, messages, done) =>
    invoke(stage, messages, (result, failed) => done(failed ? null : (result as BatchResult))),
  );
  const everyQueue = () => [
    queues.accepted,
    queues.normalized,
    queues.counterRefresh,
    queues.drain,
    queues.recounts,
    ...queues.deliveries.values(),
  ];
  return {
    /** Takes one event in; `answered` is not called when the host dies first. Returns the host's clock. */
    accept: (
      input: Parameters<typeof acceptEvent>[0],
      answered: (result: Awaited<ReturnType<typeof acceptEvent>>) => void,
    ) => {
      const where = invoke('accept', input, (result, failed) => {
        if (!failed) answered(result as Awaited<ReturnType<typeof acceptEvent>>);
      });
      return timeline.now() + where.process.clockOffsetMs();
    },
    sweep: () => void invoke('sweep', null, () => undefined),
    reconcile: () => void invoke('reconcile', null, () => undefined),
    crash,
    purge: () => {
      for (const queue of everyQueue()) queue.purge();
    },
    /** Moves some host's clock. */
    jumpClocks: () => {
      for (const jump of jumpers.values()) if (random.chance(0.3)) jump();
    },
    /** No call runs and no queue holds a message. */
    idle: () => running.size === 0 && everyQueue().every((queue) => queue.size() === 0),
    duplicates: () => everyQueue().reduce((sum, queue) => sum + queue.duplicates(), 0),
    deadLetters: () => everyQueue().reduce((sum, queue) => sum + queue.deadLetters(), 0),
  };
}

function createQueues(
  { timeline, random, weather, platforms, windowMs, strays }: StageHostOptions,
  invoke: (
    stage: StageName,
    messages: readonly Received<unknown>[],
    done: (result: BatchResult | null) => void,
  ) => void,
): Queues {
  const queue = <Message>(name: string, stage: StageName, batchMax: number): SimulatedQueue<Message> =>
    createMessageQueue<Message>({
      name,
      timeline,
      random: random.fork(name),
      weather,
      batchMax,
      visibilityMs: TIMEOUT_MS[stage] * VISIBILITY_FACTOR,
      receiveCountMax: RECEIVES_MAX,
      windowMs: name === 'accepted' ? windowMs : 0,
      strays: () => strays?.(name) ?? [],
      consume: (messages, done) => invoke(stage, messages, done),
    });
  return {
    accepted: queue('accepted', 'normalize', 100),
    normalized: queue('normalized', 'fan-out', 10),
    counterRefresh: queue('counter-refresh', 'aggregate', 100),
    drain: queue('drain', 'drain', 1),
    recounts: queue('recounts', 'reconcile', 1),
    deliveries: new Map(
      platforms.map(({ slug }) => [slug, queue<DeliveryMessage>(`deliveries-${slug}`, 'deliver', 10)]),
    ),
  };
}
