// One platform's queue: reads the rows, sends them in as few requests as the platform allows, records every outcome.
// Guarantees: nothing is sent twice without the possibility being recorded; a redelivered or re-driven pointer takes a
// lease first; a paused or broken connection costs its events no attempt.
import { inParallel } from '../../../lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import type { EventKey } from '../../../lib/events/domain/event-row.ts';
import { keysOf } from '../../../lib/events/domain/pointer.ts';
import { createTokens } from '../../../lib/events/pipeline/connections/access-tokens.ts';
import { createConnections } from '../../../lib/events/pipeline/connections/open-connection.ts';
import { rowId } from '../../../lib/events/pipeline/read-rows.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { runJob } from './job.ts';
import type { DeliveryMessage } from './message.ts';
import type { DeliverPorts } from './ports.ts';

export type DeliverStage = (messages: readonly Received<DeliveryMessage>[]) => Promise<BatchResult>;

/** Connections served side by side within one batch of messages. */
const JOBS_AT_ONCE = 4;

/** The rows of one merchant for one platform, out of one or more messages. */
export interface Job {
  readonly merchantId: string;
  readonly platform: Platform;
  readonly rows: readonly { readonly key: EventKey; readonly first: boolean }[];
}

export function createDeliverStage(ports: DeliverPorts, breaker: Breaker = createBreaker()): DeliverStage {
  const connections = createConnections(ports);
  const tokens = createTokens(ports);
  return async (messages) => {
    const jobs = toJobs(messages, ports.platforms);
    const failed = new Set<number>();
    await inParallel(jobs, JOBS_AT_ONCE, async ({ job, indexes }) => {
      try {
        const rows = await runJob(job, { ports, breaker, connections, tokens });
        if (rows.length === 0) return;
        const ids = new Set(rows.map(rowId));
        for (const index of indexes)
          if (keysIn(messages[index]).some((key) => ids.has(rowId(key)))) failed.add(index);
      } catch (error) {
        for (const index of indexes) failed.add(index);
        ports.report(`deliveries to ${job.platform.slug} failed`, error);
      }
    });
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
}

const keysIn = (message: Received<DeliveryMessage> | undefined): readonly EventKey[] =>
  message === undefined ? [] : keysOf(message.body);

function toJobs(
  messages: readonly Received<DeliveryMessage>[],
  platforms: readonly Platform[],
): { job: Job; indexes: number[] }[] {
  const jobs = new Map<
    string,
    { job: Job; rows: Map<string, { key: EventKey; first: boolean }>; indexes: number[] }
  >();
  messages.forEach((message, index) => {
    const { body } = message;
    const platform = platforms.find((p) => p.slug === body.platform);
    // A platform that was removed from the code: its rows end as not connected once their routing is read again.
    if (platform === undefined) return;
    const jobId = `${body.platform}/${body.merchant}`;
    const entry = jobs.get(jobId) ?? {
      job: { merchantId: body.merchant, platform, rows: [] },
      rows: new Map<string, { key: EventKey; first: boolean }>(),
      indexes: [],
    };
    const first = body.first === true && message.receiveCount === 1;
    for (const key of keysOf(body)) {
      const id = rowId(key);
      entry.rows.set(id, { key, first: first && (entry.rows.get(id)?.first ?? true) });
    }
    entry.indexes.push(index);
    jobs.set(jobId, entry);
  });
  return [...jobs.values()].map(({ job, rows, indexes }) => ({
    job: { ...job, rows: [...rows.values()] },
    indexes,
  }));
}
