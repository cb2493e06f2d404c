// A replay plan whose steps die, hear no answer, are told twice or not at all, while it is paused, resumed and given other
// rates by hand: each event of its range is replayed once, none that came later is, and its counts say what is stored. A run is
// one plan.
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { AcceptedRow } from '#lib/events/domain/event/row.ts';
import type { Pointers } from '#lib/events/domain/pointer.ts';
import { isOver, type ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import { isReplayId, rootOf } from '#lib/events/domain/replays/replay-id.ts';
import type { ReplayWork } from '#lib/events/domain/replays/work.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { resumePlans } from '#lib/events/pipeline/recovery/resume-plans.ts';
import type { ApiPorts } from '#services/events/api/ports.ts';
import { changePlan, createPlan } from '#services/events/api/replays/plans.ts';
import { createDailyLimit } from '#services/events/replay/daily-limit.ts';
import type { ReplayPorts } from '#services/events/replay/ports.ts';
import { createReplayStage } from '#services/events/replay/stage.ts';
import { createMemoryAttributionStore } from '../../support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { createMemoryCounterStore } from '../../support/memory/counter-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createMemoryLeaseStore } from '../../support/memory/lease-store.ts';
import { createMemoryOrderStore } from '../../support/memory/order-store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/memory/random.ts';
import { createMemoryReplayStore, type MemoryReplayStore } from '../../support/memory/replay-store.ts';
import { CALM, type CallKind, type Weather } from '../faults.ts';
import { createSimulatedConfig, MERCHANTS } from '../merchants.ts';
import { createMessageQueue } from '../message-queue.ts';
import { type PortOptions, portsFor } from '../ports.ts';
import { type CrashPlan, createCalls, type Process } from '../process.ts';
import { SYNTHETIC_PLATFORMS } from '../synthetic-platforms.ts';
import { createTimeline, type Timeline } from '../timeline.ts';
import { EPOCH_MS, indexLag, type Mutation } from '../world.ts';
import { normalizedRow } from './normalized-row.ts';
import { newProcess, ownPorts } from './one-part.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const [MERCHANT] = MERCHANTS;
const CALLER = {
  kind: 'session',
  sub: 'a',
  merchantId: MERCHANT,
  role: 'admin',
  grant: { opens: [] },
} as const;
const STORM_MS = 20 * MINUTE_MS;
const END_MS = 3 * 60 * MINUTE_MS;
const STEPS_MAX = 100_000;
/** Less than a plan waits for the index. */
const INDEX_LAG_MAX_MS = 10_000;
const VISIBILITY_MS = 360_000;
const TIMEOUT_MS = 60_000;

export const replays: Proof = {
  name: 'replays',
  properties: ['G25'],
  run: async (options) => {
    const { mutation, crashPlan } = options;
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { wrong, ...figures } = await oneLife(createSeededRandom(`replays/${seed}`), mutation, crashPlan);
      return { violations: violationsOf('G25', wrong), figures };
    });
    const sentence = `${figure(options.runs)} plans, ${figure(sum.events)} events, ${figure(sum.steps)} steps, ${figure(sum.crashes)} crashes: ${findings.length} lost, doubled, late or miscounted`;
    return { findings, figures: { G25: sentence } };
  },
};

async function oneLife(random: SeededRandom, mutation?: Mutation, crashPlan?: CrashPlan) {
  const timeline = createTimeline(EPOCH_MS, random.fork('order'));
  const stormy = () => timeline.now() < EPOCH_MS + STORM_MS;
  const weather: Weather = {
    ...CALM,
    faultRate: random.pick([0, 0.02, 0.1]),
    crashRate: random.pick([0.002, 0.01, 0.03]),
    slowRate: random.pick([0, 0.02]),
    slowMaxMs: 50_000,
    duplicateRate: random.pick([0, 0.2, 0.5]),
    messageDelayMaxMs: random.pick([20, 5_000]),
  };
  const lag = indexLag(timeline, random.fork('index'), () => INDEX_LAG_MAX_MS);
  const stores = {
    events: createMemoryEventStore({ publishIndex: lag.publish }),
    batches: createMemoryBatchStore(),
    counters: createMemoryCounterStore(),
    attribution: createMemoryAttributionStore(),
    orders: createMemoryOrderStore(),
  };
  const plans = createMemoryReplayStore();
  const calls = createCalls({
    timeline,
    random: random.fork('calls'),
    weather,
    stormy,
    crashPlan,
    onCrash: (process) => {
      process.alive = false;
    },
  });
  const shared: Omit<PortOptions, 'stores'> = {
    calls,
    timeline,
    random: random.fork('ports'),
    config: await createSimulatedConfig(EPOCH_MS),
    ...ownPorts(),
  };
  const hand = { pausedByHand: false, wrong: [] as string[], steps: 0 };
  let invocations = 0;
  const consume = (messages: readonly unknown[], done: (result: never) => void): void => {
    const name = `replay-${++invocations}`;
    const process = newProcess(name);
    const begunPaused = hand.pausedByHand;
    hand.steps += 1;
    const made = replayPorts(process, { ...shared, stores }, plans, queues, timeline);
    const watched: ReplayPorts = {
      ...made,
      events: {
        ...made.events,
        claim: (row) => {
          if (begunPaused && hand.pausedByHand) hand.wrong.push('a paused plan went on');
          return made.events.claim(row);
        },
      },
    };
    const stage = createReplayStage(mutation?.replay?.(watched) ?? watched);
    timeline.after(TIMEOUT_MS, () => {
      process.alive = false;
    });
    stage(messages as never).then(
      (result) => process.alive && done(result as never),
      () => process.alive && done(null as never),
    );
  };
  const queue = <M>(name: string, take: typeof consume) =>
    createMessageQueue<M>({
      name,
      timeline,
      random: random.fork(name),
      weather: () => (stormy() ? weather : CALM),
      batchMax: 1,
      visibilityMs: VISIBILITY_MS,
      receiveCountMax: 5,
      windowMs: 0,
      consume: take as never,
    });
  const queues: Queues = {
    work: queue<ReplayWork>('replays', consume),
    accepted: queue<Pointers>('accepted', (_messages, done) => done({ failedIndexes: [] } as never)),
  };
  const api = apiPorts(plans, queues, timeline, random.fork('api'));

  const ids = Array.from({ length: 5 + random.below(60) }, (_, i) => `e${i}`);
  for (const id of ids) await seedRow(stores, id, EPOCH_MS - random.below(5_000) - 1, random);
  const wish = { filter: {}, only: 'all', dedupe: 'original', dry_run: false } as const;
  const made = await createPlan(CALLER, { ...wish, rate: 1 + random.below(3) }, undefined, api);
  if ('failure' in made) throw new Error(made.failure);
  const plan = (): ReplayPlan => plans.plans()[0] as ReplayPlan;
  for (let i = 0; i < 5; i++)
    timeline.at(EPOCH_MS + 1 + random.below(STORM_MS), () => {
      void seedRow(stores, `later${i}`, timeline.now(), random);
    });
  byHand(made.id, api, timeline, random.fork('hand'), hand);
  everyMinute(timeline, () => {
    const { work } = api.replaying;
    void resumePlans({ replays: plans, replayWork: work, report: () => undefined });
  });
  for (let i = random.below(3); i > 0; i--)
    timeline.at(EPOCH_MS + random.below(STORM_MS), () => queues.work.purge());
  await timeline.run(() => !stormy() && isOver(plan()) && calls.inFlight() === 0, STEPS_MAX);
  const wrong = [
    ...new Set(hand.wrong),
    ...misdeeds(
      plan(),
      ids,
      stores.events.rows().map(({ key }) => key.eventId),
    ),
  ];
  return { wrong, events: ids.length, crashes: calls.crashes().length, steps: hand.steps };
}

interface Queues {
  readonly work: ReturnType<typeof createMessageQueue<ReplayWork>>;
  readonly accepted: ReturnType<typeof createMessageQueue<Pointers>>;
}

function replayPorts(
  process: Process,
  options: PortOptions,
  plans: MemoryReplayStore,
  queues: Queues,
  timeline: Timeline,
): ReplayPorts {
  const ports = portsFor(process, 'replay', options);
  const on = <T>(label: string, kind: CallKind, perform: () => Promise<T>) =>
    options.calls.call(process, `replay.${label}`, kind, perform);
  const { events, counters, config, eventVault, clock } = ports;
  return {
    replays: {
      plan: (...args) => on('plans.plan', 'read', () => plans.plan(...args)),
      writePlan: (...args) => on('plans.writePlan', 'conditional', () => plans.writePlan(...args)),
      leavePlace: (...args) => on('plans.leavePlace', 'write', () => plans.leavePlace(...args)),
    },
    events,
    counters,
    config,
    eventVault,
    slots: createBucketMarker(counters, clock),
    accepted: ports.sender(queues.accepted),
    work: ports.sender(queues.work),
    // Weather of its own: what is leased is no part of what may be lost.
    daily: createDailyLimit(createMemoryLeaseStore(), 1_000_000_000),
    platforms: SYNTHETIC_PLATFORMS,
    clock: { now: () => timeline.now() },
    random: options.random,
    report: () => undefined,
  };
}

function apiPorts(
  plans: MemoryReplayStore,
  queues: Queues,
  timeline: Timeline,
  random: SeededRandom,
): ApiPorts {
  const work = {
    send: async (messages: readonly { readonly body: ReplayWork }[]) =>
      queues.work.enqueue(
        messages.map(({ body }) => body),
        0,
      ),
  };
  const clock = { now: () => timeline.now() };
  return { replaying: { plans, work }, clock, random, report: () => undefined } as unknown as ApiPorts;
}

/** Pauses, resumes and other rates while the storm lasts; after it the plan is let go. */
function byHand(
  id: string,
  api: ApiPorts,
  timeline: Timeline,
  random: SeededRandom,
  hand: { pausedByHand: boolean },
): void {
  const change = async (wanted: { state?: 'running' | 'paused'; rate?: number }): Promise<void> => {
    if (wanted.state === 'running') hand.pausedByHand = false;
    const changed = await changePlan(MERCHANT, id, wanted, api);
    if (wanted.state === 'paused' && !('failure' in changed)) hand.pausedByHand = true;
  };
  for (let i = random.below(8); i > 0; i--)
    timeline.at(EPOCH_MS + random.below(STORM_MS), () => {
      void change(random.pick([{ state: 'paused' }, { state: 'running' }, { rate: 1 + random.below(4) }]));
    });
  timeline.at(EPOCH_MS + STORM_MS + 1, () => void change({ state: 'running' }));
}

function everyMinute(timeline: Timeline, work: () => void): void {
  const tick = (): void => {
    work();
    if (timeline.now() < EPOCH_MS + END_MS) timeline.after(MINUTE_MS, tick);
  };
  timeline.after(MINUTE_MS, tick);
}

async function seedRow(
  { events }: { readonly events: ReturnType<typeof createMemoryEventStore> },
  eventId: string,
  atMs: number,
  random: SeededRandom,
): Promise<void> {
  const key = { merchantId: MERCHANT, channel: 'server', eventId } as const;
  const row = normalizedRow(key, eventId, random.uuidv7(atMs), atMs);
  const { key: _, ...rest } = row;
  await events.claim({ ...rest, key, state: 'accepted', body: {} } as unknown as AcceptedRow);
  await events.normalize(row);
}

function misdeeds(plan: ReplayPlan, ids: readonly string[], stored: readonly string[]): string[] {
  const wrong: string[] = [];
  const times = new Map<string, number>();
  for (const id of stored.filter(isReplayId)) times.set(rootOf(id), (times.get(rootOf(id)) ?? 0) + 1);
  for (const id of ids) if (times.get(id) !== 1) wrong.push(`${id} was replayed ${times.get(id) ?? 0} times`);
  for (const id of times.keys()) if (!ids.includes(id)) wrong.push(`${id} came later and was replayed`);
  if (plan.state !== 'done') wrong.push(`the plan is ${plan.state} for ever`);
  const { seen, matched, sent, counts } = plan.progress;
  const figures = [
    seen,
    matched,
    sent,
    ...['alpha', 'bravo', 'carol'].map((slug) => counts[slug]?.will_send ?? 0),
  ];
  if (figures.some((n) => n !== ids.length)) wrong.push(`counted ${figures.join(', ')} of ${ids.length}`);
  return wrong;
}
