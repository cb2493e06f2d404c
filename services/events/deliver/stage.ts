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
import { rowId } from '#lib/events/pipeline/read-rows.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { PointedBatch } from './batch-candidates.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { JOBS_AT_ONCE } from './in-flight.ts';
import { runJob } from './job.ts';
import type { DeliveryMessage } from './message.ts';
import type { DeliverPorts } from './ports.ts';

export type DeliverStage = (messages: readonly Received<DeliveryMessage>[]) => Promise<BatchResult>;

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
  return async (messages) => {
    const jobs = toJobs(messages, ports.platforms);
    const failed = new Set<number>();
    await inParallel(jobs, JOBS_AT_ONCE, async ({ job, indexes }) => {
      try {
        const ids = await runJob(job, { ports, breaker, connections, tokens });
        if (ids.size === 0) return;
        for (const index of indexes) if (idsIn(messages[index]).some((id) => ids.has(id))) failed.add(index);
      } catch (error) {
        for (const index of indexes) failed.add(index);
        ports.report(`deliveries to ${job.platform.slug} failed`, error);
      }
    });
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
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
