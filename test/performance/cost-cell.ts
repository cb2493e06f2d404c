// What events cost at one rate to one number of platforms: a run of the metered pipeline, and what its counts come to.
import type { Template } from '../../cdk/synthesize.ts';
import { HOUR_MS } from '../../lib/core/work/time-slot.ts';
import { type Archived, ASSUMED, type Line, modelOf, totalDollars } from './cost-model.ts';
import { type EventAt, runMinute } from './cost-run.ts';
import { MEASURED_PLATFORMS } from './measured-platforms.ts';
import { type MeteredPipeline, openMeteredPipeline } from './metered-pipeline.ts';
import {
  type Cost,
  costOf,
  counterWriteUnits,
  eventWriteUnits,
  rateWriteUnits,
  readUnits,
  STAGES,
  type Stage,
  sqsRequests,
} from './metered-usage.ts';

export interface CellKey {
  /** Events a second. */
  readonly perSec: number;
  readonly platforms: number;
  /** Pollers of each queue: five, as Lambda begins with, or the fewest that could be. */
  readonly gatherers: 1 | 5;
  /** So many such merchants share what goes by time: logs, keys. */
  readonly merchants: number;
  /** Default the merchant's servers. */
  readonly source?: 'browser';
  /** Nothing but orders of new people. Default what a shop sends: 2 % orders, 20 % with a click id. */
  readonly orders?: true;
  /** They send side by side, and share messages and invocations. Default: one of them is counted alone. */
  readonly together?: true;
  /** Of an attacker. Default what a shop sends. */
  readonly eventAt?: EventAt;
}

/** Counted, per event: what an event costs whatever the prices are. */
export interface Units {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly invocations: number;
  /** Answers of platforms that were waited for one after another: what most of the time of functions is. */
  readonly platformWaits: number;
}

export interface Cell extends CellKey {
  readonly connected: readonly string[];
  /** Events that were counted. */
  readonly events: number;
  readonly cost: Cost;
  /** One sweep of tables in which nothing is due. */
  readonly idleSweep: Cost;
  readonly units: Units;
  readonly lines: readonly Line[];
  readonly dollarsPerMillion: number;
  readonly template: Template;
  /** How long the run took. */
  readonly tookSec: number;
}

/** Below one a second: so many, however long they take. */
const EVENTS_MIN = 20;
/** Of merchants that send together a tenth is run, in every tenth span of gathering, with as many events as a span has. */
const SAMPLED = 10;
/** What is counted changes no more with more of them. */
const DELIVERIES_MAX = 6_000;
/** Ten seconds of 33 a second: three times as many come to 2 % less. */
const BROWSER_EVENTS_MAX = 330;

/** Counts a minute of events, or `eventsMax` of them where that is less. */
export async function measureCell(key: CellKey, eventsMax: number): Promise<Cell> {
  const { perSec, gatherers, merchants, source, orders, together, eventAt } = key;
  const sampled = together === true ? merchants / SAMPLED : 1;
  const connected = MEASURED_PLATFORMS.slice(0, key.platforms);
  const countedMax = source === 'browser' ? BROWSER_EVENTS_MAX : DELIVERIES_MAX / key.platforms;
  const steady = Math.min(eventsMax, countedMax);
  const least = together === true ? steady : EVENTS_MIN;
  const events = Math.min(steady, Math.max(least, Math.floor(perSec * 60)));
  const startedMs = performance.now();
  const pipeline = await openMeteredPipeline({
    connected,
    inTurn: true,
    gatherers,
    browsers: source === 'browser',
    merchants: sampled,
  });
  try {
    const { events: cost, idleSweep } = await runMinute(pipeline, {
      events,
      perSec: perSec * sampled,
      sampled: together === true ? SAMPLED : 1,
      orders,
      eventAt,
      ...(source === undefined ? {} : { source }),
    });
    const stored = await pipeline.stored(ASSUMED.keptMonths, ASSUMED.expiryLagDays);
    const archived = await archive(pipeline);
    const lines = modelOf(cost, {
      events,
      seconds: events / perSec / merchants,
      merchants,
      platforms: key.platforms,
      gatherers,
      memoryMb: memoryOf(pipeline.template),
      stored,
      archived,
    });
    return {
      ...key,
      connected,
      events,
      cost,
      idleSweep,
      units: unitsOf(cost, events),
      lines,
      dollarsPerMillion: totalDollars(lines),
      template: pipeline.template,
      tookSec: (performance.now() - startedMs) / 1_000,
    };
  } finally {
    await pipeline.close();
  }
}

/** Moves what was counted into pages, a week later. */
async function archive(pipeline: MeteredPipeline): Promise<Archived> {
  // Platforms that are asked later have answered by then.
  pipeline.clock.advance(HOUR_MS);
  await pipeline.sweep();
  await pipeline.run('fan-out');
  await pipeline.run('deliver');
  let pages: Omit<Archived, 'cost'> | undefined;
  const cost = await costOf(pipeline, async () => {
    pages = await pipeline.archive();
  });
  if (pages === undefined) throw new Error('nothing was archived');
  return { cost, ...pages };
}

function unitsOf(cost: Cost, events: number): Units {
  const invocations = STAGES.reduce((sum, stage) => sum + cost.stages[stage].invocations, 0);
  return {
    writeUnits: (eventWriteUnits(cost) + counterWriteUnits(cost) + rateWriteUnits(cost)) / events,
    readUnits: readUnits(cost) / events,
    sqsRequests: sqsRequests(cost) / events,
    invocations: invocations / events,
    platformWaits: (cost.platforms.rounds['fan-out'] + cost.platforms.rounds.deliver) / events,
  };
}

/** Memory of each function, from the template. */
function memoryOf({ Resources }: Template): Record<Stage, number> {
  const sizes = Object.values(Resources).flatMap(({ Metadata, Properties }) => {
    const entry = String(Metadata?.['millrace:entry'] ?? '');
    const stage = STAGES.find((name) => entry === `services/events/${name}/handler.ts`);
    return stage === undefined ? [] : [[stage, Number(Properties?.MemorySize)] as const];
  });
  return Object.fromEntries(sizes) as Record<Stage, number>;
}
