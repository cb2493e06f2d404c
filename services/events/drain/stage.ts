// What a sweep handed over: the rest of a shard, a merchant with more due than a page, deliveries of a connection that works
// again. Guarantees: a step ends in a third of its function's time and goes on with another message; merchants go on side
// by side; a step that fails keeps no other from its way.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { STEP } from '#lib/core/work/long-task.ts';
import { type DrainPorts, drainGroup } from '#lib/events/pipeline/recovery/drain-group.ts';
import { type DueBatches, dueBatches } from '#lib/events/pipeline/recovery/due-batches.ts';
import { type DueEvents, dueEvents } from '#lib/events/pipeline/recovery/due-events.ts';
import type { DueSource } from '#lib/events/pipeline/recovery/due-source.ts';
import { enqueueRest, rememberConnections, scanShard } from '#lib/events/pipeline/recovery/scan-shard.ts';
import type { DueWork } from './message.ts';

const AT_ONCE = 4;

export interface DrainStagePorts extends DrainPorts {
  readonly events: DueEvents;
  readonly batches: DueBatches;
}

export function createDrainStage(ports: DrainStagePorts): Stage<DueWork> {
  const sources = { events: dueEvents(ports.events), batches: dueBatches(ports.batches) };
  return async (messages) => {
    const untilMs = ports.clock.now() + STEP.workMs;
    const stage = messageStage<DueWork>(
      AT_ONCE,
      (body) => doWork(sources[body.table], body, ports, untilMs),
      'due rows were not told',
      ports,
    );
    return await stage(messages);
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
  if (past !== undefined) await enqueueRest(source, shard, past, ports);
}
