// One platform's queue: reads the rows, sends them in as few requests as the platform allows, records every outcome.
// Guarantees: nothing is sent twice without the possibility being recorded; a redelivered or re-driven pointer takes a
// lease first; a paused or broken connection costs its events no attempt.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '#lib/core/ports/queue.ts';
import { platformOf, type Target, targetOf } from '#lib/events/domain/connections/target.ts';
import { batchId } from '#lib/events/domain/deliveries/batch.ts';
import type { EventKey } from '#lib/events/domain/event/row.ts';
import { batchesOf, keysOf } from '#lib/events/domain/pointer.ts';
import { createTokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import { createConnections } from '#lib/events/pipeline/connections/open-connection.ts';
import { createPace } from '#lib/events/pipeline/connections/pace.ts';
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { PointedBatch } from './batch-candidates.ts';
import { type Breaker, createBreaker } from './circuit/breaker.ts';
import { createUntakenWatch } from './circuit/untaken.ts';
import { type Express, expressTime, shareReads } from './express.ts';
import { JOBS_AT_ONCE } from './in-flight.ts';
import { type JobEnd, runJob } from './job.ts';
import type { DeliveryMessage } from './message.ts';
import type { DeliverPorts } from './ports.ts';
import { createRowOutcomes } from './row-outcomes.ts';
import type { JobContext } from './sending.ts';

/** What express leaves to the queue of a platform, by `rowId` or `batchId`. */
export interface Left {
  /** Nothing was sent or written: the queue gets it as the first. */
  readonly unsent: ReadonlySet<string>;
  readonly again: ReadonlySet<string>;
}

export interface Deliveries extends BatchResult {
  /** By place (target.ts); empty but in express. */
  readonly left: ReadonlyMap<string, Left>;
}

/** With `express` the messages come from no queue: what is left of them is answered, and nothing waits for long. */
export type DeliverStage = (
  messages: readonly Received<DeliveryMessage>[],
  express?: Express,
) => Promise<Deliveries>;

/** The rows of one merchant for one platform, alone or in batches, out of one or more messages. */
export interface Job {
  readonly merchantId: string;
  readonly platform: Platform;
  /** Its place among the merchant's connections to the platform. */
  readonly target: Target;
  readonly rows: readonly { readonly key: EventKey; readonly first: boolean }[];
  readonly batches: readonly PointedBatch[];
}

export function createDeliverStage(ports: DeliverPorts, breaker: Breaker = createBreaker()): DeliverStage {
  const connections = createConnections(ports);
  const tokens = createTokens(ports);
  const pace = createPace(ports);
  const untaken = createUntakenWatch(ports);
  const slowUntilMs = new Map<string, number>();
  return async (messages, express) => {
    const jobs = toJobs(messages, ports.platforms);
    const byPlatform = [...Map.groupBy(jobs, ({ job }) => job.platform).values()];
    const context: JobContext = {
      ...{ breaker, untaken, connections, tokens, pace, platformsAtOnce: byPlatform.length },
      ...(express === undefined
        ? { ports }
        : {
            ports: shareReads(ports, express),
            time: expressTime(ports, jobs.length, slowUntilMs),
            outcomes: createRowOutcomes(ports),
          }),
    };
    const ended: { readonly job: Job; readonly end: JobEnd }[] = [];
    const failed = new Set<number>();
    const run = async ({ job, indexes }: (typeof jobs)[number]): Promise<void> => {
      try {
        const end = await runJob(job, context);
        ended.push({ job, end });
        if (end.failed.size === 0) return;
        for (const index of indexes)
          if (idsIn(messages[index]).some((id) => end.failed.has(id))) failed.add(index);
      } catch (error) {
        const failedIds = new Set(indexes.flatMap((index) => idsIn(messages[index])));
        ended.push({ job, end: { failed: failedIds, unsent: new Set() } });
        for (const index of indexes) failed.add(index);
        ports.report(`deliveries to ${job.platform.slug} failed`, error);
      }
    };
    // A queue's messages are for one platform.
    await Promise.all(byPlatform.map((some) => inParallel(some, JOBS_AT_ONCE, run)));
    const failedIndexes = [...failed].sort((a, b) => a - b);
    if (express === undefined) return { failedIndexes, left: new Map() };
    // Jobs end before the rows are written that stand alone: what fails then is in their sets.
    await context.outcomes?.finish();
    return { failedIndexes, left: leftOf(ended) };
  };
}

function leftOf(ended: readonly { readonly job: Job; readonly end: JobEnd }[]): ReadonlyMap<string, Left> {
  const left = new Map<string, { readonly unsent: Set<string>; readonly again: Set<string> }>();
  for (const { job, end } of ended) {
    const known = left.get(job.target) ?? { unsent: new Set(), again: new Set() };
    left.set(job.target, known);
    for (const id of end.unsent) known.unsent.add(id);
    for (const id of end.failed) known.again.add(id);
  }
  return left;
}

/** What the message names, as a job calls what failed. */
function idsIn(message: Received<DeliveryMessage> | undefined): readonly string[] {
  if (message === undefined) return [];
  const { body } = message;
  return 'batches' in body ? batchesOf(body).map(batchId) : keysOf(body).map(rowId);
}

interface JobParts {
  readonly merchantId: string;
  readonly platform: Platform;
  readonly target: Target;
  readonly rows: Map<string, { key: EventKey; first: boolean }>;
  readonly batches: Map<string, PointedBatch>;
  readonly indexes: number[];
}

function toJobs(
  messages: readonly Received<DeliveryMessage>[],
  platforms: readonly Platform[],
): { job: Job; indexes: number[] }[] {
  const jobs = new Map<string, JobParts>();
  messages.forEach(({ body, receiveCount }, index) => {
    const platform = platforms.find((p) => p.slug === platformOf(body.platform));
    // A platform that was removed from the code: its rows end as not connected once their routing is read again.
    if (platform === undefined) return;
    const jobId = `${body.platform}/${body.merchant}`;
    const parts: JobParts = jobs.get(jobId) ?? {
      merchantId: body.merchant,
      platform,
      target: targetOf(body.platform),
      rows: new Map(),
      batches: new Map(),
      indexes: [],
    };
    jobs.set(jobId, parts);
    parts.indexes.push(index);
    const first = body.first === true && receiveCount === 1;
    // What another message names as well is first in neither.
    const add = <K>(known: Map<string, { key: K; first: boolean }>, id: string, key: K): void =>
      void known.set(id, { key, first: first && (known.get(id)?.first ?? true) });
    if ('batches' in body) for (const key of batchesOf(body)) add(parts.batches, batchId(key), key);
    else for (const key of keysOf(body)) add(parts.rows, rowId(key), key);
  });
  return [...jobs.values()].map(({ rows, batches, indexes, ...job }) => ({
    job: { ...job, rows: [...rows.values()], batches: [...batches.values()] },
    indexes,
  }));
}
