// Runs the functions: one container per invocation at a time, reused while it lives, as Lambda does; or all in one
// process, as the embedded host does. Feeds them from the queues and the schedules.

import { rememberConfig } from '../../lib/adapters/memory/config-cache.ts';
import type { SeededRandom } from '../../lib/adapters/memory/random.ts';
import type { IdentityLookups } from '../../lib/domain/identity-lookups.ts';
import type { HttpResult, Platform } from '../../lib/platforms/platform.ts';
import type { BatchResult, Received } from '../../lib/ports/queue.ts';
import type { DirtySlots } from '../../services/aggregate/message.ts';
import { createAggregateStage } from '../../services/aggregate/stage.ts';
import { runAudit } from '../../services/audit/stage.ts';
import { type Breaker, createBreaker } from '../../services/deliver/breaker.ts';
import type { DeliveryMessage } from '../../services/deliver/message.ts';
import { createDeliverStage } from '../../services/deliver/stage.ts';
import type { NormalizedMessage } from '../../services/fan-out/message.ts';
import { createFanOutStage } from '../../services/fan-out/stage.ts';
import { acceptEvent } from '../../services/ingestion/accept.ts';
import type { AcceptedMessage } from '../../services/normalize/message.ts';
import { createSlotTouch } from '../../services/normalize/slot-touch.ts';
import { createNormalizeStage } from '../../services/normalize/stage.ts';
import { runSweep } from '../../services/sweep/stage.ts';
import type { Weather } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { createMessageQueue, type SimulatedQueue } from './message-queue.ts';
import { type PortMaker, type PortOptions, portsFor } from './ports.ts';
import type { Calls, Process } from './process.ts';
import type { WireEvent } from './synthetic-platforms.ts';
import type { Timeline } from './timeline.ts';
import type { Vendor } from './vendor.ts';

/** Stand-ins for parts of the code, for mutants. */
export interface StageVariants {
  readonly accept?: typeof acceptEvent;
  readonly createDeliver?: typeof createDeliverStage;
  readonly createAggregate?: typeof createAggregateStage;
  readonly createNormalize?: typeof createNormalizeStage;
  readonly createFanOut?: typeof createFanOutStage;
  readonly sweep?: typeof runSweep;
}

export interface StageHostOptions {
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly weather: () => Weather;
  /** Everything in one process, as the embedded host has it. */
  readonly oneProcess: boolean;
  readonly calls: Calls;
  readonly ledger: Ledger;
  readonly platforms: readonly Platform[];
  readonly variants: StageVariants;
  readonly merchants: readonly string[];
  readonly ports: Omit<PortOptions, 'onAnswer'>;
}

export interface StageHost {
  /** Takes one event in; `answered` is not called when the host dies first. Returns the host's clock. */
  accept(
    input: Parameters<typeof acceptEvent>[0],
    answered: (result: Awaited<ReturnType<typeof acceptEvent>>) => void,
  ): number;
  sweep(): void;
  audit(): void;
  crash(process: Process): void;
  purge(): void;
  /** Moves some host's clock. */
  jumpClocks(): void;
  /** No call runs and no queue holds a message. */
  idle(): boolean;
  duplicates(): number;
  deadLetters(): number;
}

type Work = (input: never) => Promise<unknown>;
interface Container {
  readonly process: Process;
  readonly work: Work;
  invocation: number;
}

type StageName = 'accept' | 'normalize' | 'fan-out' | 'deliver' | 'aggregate' | 'sweep' | 'audit';

/** As deployed; see cdk/stacks/events.ts. */
const TIMEOUT_MS: Readonly<Record<StageName, number>> = {
  accept: 15_000,
  normalize: 30_000,
  'fan-out': 30_000,
  deliver: 120_000,
  aggregate: 120_000,
  sweep: 55_000,
  audit: 900_000,
};
const VISIBILITY_FACTOR = 6;
const RECEIVES_MAX = 5;

const LOOKUPS: IdentityLookups = {
  nationalPhone: (phone) => (phone.startsWith('+') ? phone : null),
  countryCode: (name) => (name.length === 2 ? name.toUpperCase() : null),
  regionCode: (name) => name.toUpperCase().slice(0, 3),
};

export function createStageHost(options: StageHostOptions): StageHost {
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
    queues.outcomes,
    ...queues.deliveries.values(),
  ];
  return {
    accept: (input, answered) => {
      const where = invoke('accept', input, (result, failed) => {
        if (!failed) answered(result as Awaited<ReturnType<typeof acceptEvent>>);
      });
      return timeline.now() + where.process.clockOffsetMs();
    },
    sweep: () => void invoke('sweep', null, () => undefined),
    audit: () => void invoke('audit', null, () => undefined),
    crash,
    purge: () => {
      for (const queue of everyQueue()) queue.purge();
    },
    jumpClocks: () => {
      for (const jump of jumpers.values()) if (random.chance(0.3)) jump();
    },
    idle: () => running.size === 0 && everyQueue().every((queue) => queue.size() === 0),
    duplicates: () => everyQueue().reduce((sum, queue) => sum + queue.duplicates(), 0),
    deadLetters: () => everyQueue().reduce((sum, queue) => sum + queue.deadLetters(), 0),
  };
}

interface Queues {
  readonly accepted: SimulatedQueue<AcceptedMessage>;
  readonly normalized: SimulatedQueue<NormalizedMessage>;
  readonly outcomes: SimulatedQueue<DirtySlots>;
  readonly deliveries: ReadonlyMap<string, SimulatedQueue<DeliveryMessage>>;
}

function createQueues(
  { timeline, random, weather, platforms }: StageHostOptions,
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
      consume: (messages, done) => invoke(stage, messages, done),
    });
  return {
    accepted: queue('accepted', 'normalize', 100),
    normalized: queue('normalized', 'fan-out', 10),
    outcomes: queue('outcomes', 'aggregate', 100),
    deliveries: new Map(
      platforms.map(({ slug }) => [slug, queue<DeliveryMessage>(`deliveries-${slug}`, 'deliver', 10)]),
    ),
  };
}

function workOf(stage: StageName, container: Container, options: StageHostOptions, queues: Queues): Work {
  const { ledger, platforms, variants, random } = options;
  const onAnswer = (vendor: Vendor, request: { readonly body: string }, result: HttpResult) => {
    for (const nonce of saidYes(vendor, request, result))
      ledger.successes.push({ platform: vendor.traits.slug, nonce, invocation: container.invocation });
  };
  const ports = portsFor(container.process, stage, { ...options.ports, onAnswer });
  const { events, counters, vault, clock, transport } = ports;
  const config = rememberConfig(ports.config, clock);
  const report = (problem: string) => note(ledger, problem);
  const outcomes = ports.outbox(queues.outcomes);
  const own = random.fork(`${stage}/${container.process.name}/${random.next()}`);
  switch (stage) {
    case 'accept': {
      const accept = variants.accept ?? acceptEvent;
      const { pause } = ports;
      const queue = ports.outbox(queues.accepted);
      const count = (metric: string) => note(ledger, metric);
      return (input: Parameters<typeof acceptEvent>[0]) =>
        accept(input, { events, queue, clock, random: own, count, pause });
    }
    case 'normalize': {
      const normalized = ports.outbox(queues.normalized);
      return (variants.createNormalize ?? createNormalizeStage)(
        { events, config, counters, vault, normalized, outcomes, lookups: LOOKUPS, platforms, clock, report },
        createSlotTouch(counters, clock),
      );
    }
    case 'fan-out':
      return (variants.createFanOut ?? createFanOutStage)({
        events,
        config,
        outcomes,
        platforms,
        clock,
        deliveries: (slug) => deliveryOutbox(ports, queues, slug),
      });
    case 'deliver':
      return (variants.createDeliver ?? createDeliverStage)(
        { events, config, vault, transport, outcomes, platforms, clock, report, random: own },
        breakerOf(container.process),
      );
    case 'aggregate':
      return (variants.createAggregate ?? createAggregateStage)({
        events,
        counters,
        config,
        platforms,
        clock,
        report,
      });
    case 'sweep': {
      const accepted = ports.outbox(queues.accepted);
      const normalized = ports.outbox(queues.normalized);
      return () => (variants.sweep ?? runSweep)({ events, counters, accepted, normalized, outcomes, clock });
    }
    case 'audit':
      return async () => {
        const merchants = async function* () {
          yield* options.merchants;
        };
        const result = await runAudit({ events, counters, config, platforms, clock, outcomes, merchants });
        ledger.auditDrift += result.drift;
      };
  }
}

const breakers = new WeakMap<Process, Breaker>();
/** One per process, whichever container it runs: what one call learned, the next one knows. */
function breakerOf(process: Process): Breaker {
  const breaker = breakers.get(process) ?? createBreaker();
  breakers.set(process, breaker);
  return breaker;
}

function deliveryOutbox(ports: PortMaker, queues: Queues, slug: string) {
  const queue = queues.deliveries.get(slug);
  if (!queue) throw new Error(`no queue for ${slug}`);
  return ports.outbox(queue);
}

/** Nonces a readable answer said yes to. */
function saidYes(vendor: Vendor, request: { readonly body: string }, result: HttpResult): readonly string[] {
  if (result.kind === 'failure') return [];
  const sent = JSON.parse(request.body) as WireEvent[];
  const events = sent.map(({ id, nonce }) => ({ dedupId: id, orderId: nonce }));
  const outcomes = vendor.traits.platform.readResponse(result, events as never);
  return sent.flatMap(({ nonce }, index) => {
    const kind = outcomes[index]?.kind;
    return kind === 'delivered' || kind === 'duplicate' ? [nonce] : [];
  });
}

function note(ledger: Ledger, problem: string): void {
  ledger.problems.set(problem, (ledger.problems.get(problem) ?? 0) + 1);
}
