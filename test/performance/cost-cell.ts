// What events cost at one rate to one number of platforms: a run of the metered pipeline, and what its counts come to.
import type { Template } from '../../cdk/synthesize.ts';
import { type Line, modelOf, totalDollars } from './cost-model.ts';
import { runMinute } from './cost-run.ts';
import { MEASURED_PLATFORMS } from './measured-platforms.ts';
import { openMeteredPipeline } from './metered-pipeline.ts';
import {
  type Cost,
  counterWriteUnits,
  eventWriteUnits,
  readUnits,
  STAGES,
  type Stage,
  sqsRequests,
} from './metered-usage.ts';

export interface CellKey {
  /** Events a second. */
  readonly perSec: number;
  readonly platforms: number;
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

/** Counts a minute of events, or `eventsMax` of them where that is less. */
export async function measureCell({ perSec, platforms }: CellKey, eventsMax: number): Promise<Cell> {
  const connected = MEASURED_PLATFORMS.slice(0, platforms);
  const events = Math.min(eventsMax, Math.max(1, Math.floor(perSec * 60)));
  const startedMs = performance.now();
  const pipeline = await openMeteredPipeline({
    connected,
    inTurn: true,
  });
  try {
    const { events: cost, idleSweep } = await runMinute(pipeline, { events, perSec });
    const lines = modelOf(cost, events, perSec, memoryOf(pipeline.template));
    return {
      perSec,
      platforms,
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

function unitsOf(cost: Cost, events: number): Units {
  const invocations = STAGES.reduce((sum, stage) => sum + cost.stages[stage].invocations, 0);
  return {
    writeUnits: (eventWriteUnits(cost) + counterWriteUnits(cost)) / events,
    readUnits: readUnits(cost) / events,
    sqsRequests: sqsRequests(cost) / events,
    invocations: invocations / events,
    platformWaits: cost.platforms.rounds / events,
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
