// What a sweep handed over: the rest of a shard, a merchant with more due than a page, deliveries of a connection that works
// again. Guarantees: a step ends in a third of its function's time and goes on with another message; merchants go on side
// by side; a step that fails keeps no other from its way.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { type DrainPorts, drainGroup } from '../../../lib/events/pipeline/recovery/drain-group.ts';
import { type DueBatches, dueBatches } from '../../../lib/events/pipeline/recovery/due-batches.ts';
import { type DueEvents, dueEvents } from '../../../lib/events/pipeline/recovery/due-events.ts';
import type { DueSource } from '../../../lib/events/pipeline/recovery/due-source.ts';
import {
  handOverRest,
  rememberConnections,
  scanShard,
} from '../../../lib/events/pipeline/recovery/scan-shard.ts';
import type { DueWork } from './message.ts';

/** A third of its timeout. */
const BUDGET_MS = 20_000;
const AT_ONCE = 4;

export interface DrainStagePorts extends DrainPorts {
  readonly events: DueEvents;
  readonly batches: DueBatches;
}

export type DrainStage = (messages: readonly Received<DueWork>[]) => Promise<BatchResult>;

export function createDrainStage(ports: DrainStagePorts): DrainStage {
  const sources = { events: dueEvents(ports.events), batches: dueBatches(ports.batches) };
  return async (messages) => {
    const untilMs = ports.clock.now() + BUDGET_MS;
    const failedIndexes: number[] = [];
    await inParallel(messages, AT_ONCE, async ({ body }, index) => {
      try {
        await doWork(sources[body.table], body, ports, untilMs);
      } catch (error) {
        failedIndexes.push(index);
        ports.report('due rows were not told', error);
      }
    });
    return { failedIndexes: failedIndexes.sort((a, b) => a - b) };
  };
}

async function doWork(source: DueSource, work: DueWork, ports: DrainPorts, untilMs: number): Promise<void> {
  if (work.task !== 'scan') {
    await drainGroup(source, work, ports, untilMs);
    return;
  }
  const { merchant, parkedFor, shard } = work;
  const from = { merchantId: merchant, parkedFor };
  const known = rememberConnections(ports.config);
  const { past } = await scanShard(source, shard, from, ports, known, untilMs);
  if (past !== undefined) await handOverRest(source, shard, past, ports);
}
