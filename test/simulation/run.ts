// One simulated life of an installation, from the first event to rest, and what it proves or refutes.

import { pauseProbeMs } from '../../lib/events/domain/connections/connection.ts';
import type { BatchOutcomes } from '../../lib/events/domain/deliveries/batch.ts';
import { parkedIn } from '../../lib/events/domain/deliveries/batch-outcomes.ts';
import { createSeededRandom, type SeededRandom } from '../support/memory/random.ts';
import { checkAll, type Violation } from './checks.ts';
import { drawWeather, type Weather } from './faults.ts';
import { MERCHANTS } from './merchants.ts';
import type { CrashPlan } from './process.ts';
import { SYNTHETIC } from './synthetic-platforms.ts';
import { startTraffic, type TrafficPlan } from './traffic.ts';
import { type Spell, TROUBLES } from './vendor.ts';
import { createWorld, EPOCH_MS, type LimitedVendor, type Mutation, type World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Two audits see the first hour after it is sealed. */
const AUDITED_MS = 4 * HOUR_MS;
const LIFETIME_MS = 12 * 86_400_000;
const STEPS_MAX = 400_000;

export interface RunOptions {
  readonly seed: number;
  readonly weather?: Partial<Weather>;
  readonly traffic?: Partial<TrafficPlan>;
  readonly crashPlan?: CrashPlan | undefined;
  readonly mutation?: Mutation | undefined;
  /** Platform trouble; the default is drawn from the seed. */
  readonly spells?: (slug: string) => readonly Spell[];
  /** No purges, no clock jumps, nobody changes a connection. */
  readonly undisturbed?: boolean;
  /** Messages in the queues that no code of ours sent, by name of the queue. */
  readonly strays?: (queue: string) => readonly unknown[];
  readonly limited?: LimitedVendor;
  /** Plans more on the run's timeline, before anything happens. */
  readonly prepare?: (world: World) => void;
}

export type RunResult = Awaited<ReturnType<typeof runSeed>>;

export type Figures = ReturnType<typeof figuresOf>;

export async function runSeed(options: RunOptions) {
  const world = await createWorldOf(options);
  const { timeline, random } = world;
  const plan = random.fork('plan');
  const traffic = startTraffic(world, {
    events: 10,
    durationMs: plan.pick([5_000, 60_000, 180_000]),
    repeatRate: 0.4,
    lostAnswerRate: plan.pick([0, 0.05, 0.3]),
    nextDayRate: plan.pick([0, 0, 0.3]),
    poisonRate: 0.1,
    agedRate: 0.1,
    freshOnly: false,
    attackRate: 0,
    ...options.traffic,
  });
  schedule(world, traffic.over);
  if (options.undisturbed !== true) disturb(world);
  options.prepare?.(world);
  const violations: Violation[] = [];
  const ended = () => traffic.over() && timeline.now() > EPOCH_MS + AUDITED_MS && world.atRest();
  try {
    await timeline.run(ended, STEPS_MAX);
    if (!ended()) violations.push({ property: 'G1', what: 'the run never came to rest' });
  } catch (error) {
    violations.push({ property: 'G1', what: String(error) });
  }
  violations.push(...checkAll(world, traffic.bodies()));
  return {
    seed: options.seed,
    violations,
    figures: figuresOf(world),
    crashPoints: world.calls.passed(),
    world,
  };
}

async function createWorldOf(options: RunOptions): Promise<World> {
  const { seed, crashPlan, mutation, strays, limited } = options;
  const random = createSeededRandom(`weather/${seed}`);
  const weather = { ...drawWeather(random), ...options.weather };
  return await createWorld({
    seed,
    weather,
    spells: options.spells ?? ((slug) => drawSpells(random.fork(slug), weather)),
    crashPlan,
    mutation,
    strays,
    limited,
  });
}

/** Platform troubles of a run; they come and go with its storms. */
function drawSpells(random: SeededRandom, { stormMs, stormsAtMs }: Weather): readonly Spell[] {
  const spells: Spell[] = [];
  for (const start of stormsAtMs) {
    const endMs = EPOCH_MS + start + stormMs;
    for (let at = EPOCH_MS + start; at < endMs; ) {
      const toMs = Math.min(at + 5_000 + random.below(stormMs / 2), endMs);
      const troubles = TROUBLES.filter(() => random.chance(0.4));
      const rate = troubles.length === 0 ? 0 : random.pick([0, 0.3, 0.8, 1]);
      spells.push({ fromMs: at, toMs, rate, troubles, retryAfterSec: random.pick([1, 30, 600]) });
      at = toMs;
    }
  }
  return spells;
}

/** The sweeper every minute, reconcile every hour, now and then twice or not at all. */
function schedule(world: World, trafficOver: () => boolean): void {
  const { timeline, host, stores } = world;
  const random = world.random.fork('schedule');
  const times = () => (world.stormy() && random.chance(0.1) ? random.pick([0, 2]) : 1);
  const anythingDue = () => {
    const soonMs = timeline.now() + 10_000;
    const isDue = (row: { readonly dueAtMs?: number | undefined }) =>
      row.dueAtMs !== undefined && row.dueAtMs <= soonMs;
    const rows = world.bareRows();
    const outcomes = stores.batches.outcomes();
    return (
      // A row of a batch is due with its batch.
      rows.some((row) => row.state === 'normalized' && row.place === undefined && isDue(row)) ||
      outcomes.some(isDue) ||
      stores.counters.rows().some(isDue) ||
      parkedPlaces(rows, outcomes).some((place) => mayBeReleased(place, world))
    );
  };
  const every = (periodMs: number, work: () => void) => {
    const tick = () => {
      work();
      if (timeline.now() < EPOCH_MS + LIFETIME_MS) timeline.after(periodMs, tick);
    };
    timeline.after(random.below(MINUTE_MS), tick);
  };
  every(MINUTE_MS, () => {
    // A sweep that would find nothing is not worth its steps.
    if (anythingDue()) for (let i = times(); i > 0; i--) host.sweep();
  });
  every(HOUR_MS, () => {
    if (!(trafficOver() && world.atRest()) || timeline.now() < EPOCH_MS + AUDITED_MS)
      for (let i = times(); i > 0; i--) host.reconcile();
  });
}

/** Where rows or batches are parked: the platforms of a row with a plus between. */
function parkedPlaces(events: ReturnType<World['bareRows']>, outcomes: readonly BatchOutcomes[]) {
  const rows = events.flatMap((row) =>
    row.state === 'normalized' && row.parkedFor !== undefined
      ? [{ ...row.key, parkedFor: row.parkedFor }]
      : [],
  );
  const batches = outcomes.map((item) => ({
    merchantId: item.batch.merchantId,
    parkedFor: parkedIn(item),
  }));
  return [...rows, ...batches];
}

/** Parked for a connection that works again, or that is to be probed. */
function mayBeReleased(
  { merchantId, parkedFor }: ReturnType<typeof parkedPlaces>[number],
  { config, timeline }: World,
): boolean {
  return (parkedFor?.split('+') ?? []).some((platform) => {
    const connection = config.stored(merchantId, platform);
    const soonMs = timeline.now() + 10_000;
    if (connection?.status === 'paused')
      return (pauseProbeMs(connection) ?? Number.POSITIVE_INFINITY) <= soonMs;
    return (connection?.circuit?.nextProbeAtMs ?? 0) <= soonMs;
  });
}

/** Purges, clock jumps, and merchants who change their connections. */
function disturb(world: World): void {
  const { timeline, config, host, weather } = world;
  const random = world.random.fork('disturbances');
  const within = () => EPOCH_MS + random.below(Math.max(weather.stormMs, 1));
  for (let i = 0; i < weather.purges; i++) timeline.at(within(), host.purge);
  for (let i = 0; i < 4; i++) timeline.at(within(), host.jumpClocks);
  if (random.chance(0.2))
    timeline.at(within(), () => config.remove(random.pick(MERCHANTS), random.pick(SYNTHETIC).slug));
  const reshard = () => {
    config.reshard(random.pick(MERCHANTS), 1 + random.below(weather.shardsMax));
    if (world.stormy()) timeline.after(random.below(MINUTE_MS), reshard);
  };
  if (weather.shardsMax > 1) reshard();
  const resume = () => {
    for (const { merchantId, platform } of config.paused()) config.resume(merchantId, platform);
    if (timeline.now() < EPOCH_MS + LIFETIME_MS) timeline.after(20 * MINUTE_MS, resume);
  };
  timeline.after(random.below(20 * MINUTE_MS), resume);
}

function figuresOf(world: World) {
  const { ledger, calls, host, vendors, stores, timeline } = world;
  const count = (kind: string) => ledger.answers.filter((answer) => answer.kind === kind).length;
  const deliveries = stores.events
    .rows()
    .flatMap((row) => (row.state === 'normalized' ? Object.values(row.deliveries) : []));
  const copies = [...vendors.values()].flatMap((vendor) => [...vendor.copies().values()]);
  return {
    accepted: count('accepted'),
    refused: count('duplicate'),
    lostAnswers: count('none'),
    deliveries: deliveries.length,
    copies: copies.reduce((sum, { length }) => sum + length - 1, 0),
    unknowns: deliveries.reduce((sum, { unknowns }) => sum + unknowns, 0),
    duplicates: host.duplicates(),
    transitions: ledger.transitions,
    crashes: calls.crashes().length,
    faults: calls.faults(),
    auditDrift: ledger.auditDrift,
    steps: timeline.steps(),
  };
}
