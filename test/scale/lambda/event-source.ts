// A queue that feeds a function, as Lambda's event source mapping does: batches of so many messages, gathered for so long,
// as many at once as the mapping has grown to. Guarantees: a batch is under the payload limit; messages the function names
// as failed, or all where it threw or was throttled, come back when their visibility timeout is over.
// Not modelled: that five pollers share a trickle of messages among them; here one gathers, which makes fuller batches.
import { DURATIONS } from '../aws/durations.ts';
import { LAMBDA, SQS } from '../aws/quotas.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Message, Queue } from '../sqs/queue.ts';
import type { Usage } from '../usage.ts';
import type { LambdaFunction } from './function.ts';

export interface EventSourceOptions {
  readonly queue: Queue;
  readonly fn: LambdaFunction;
  readonly batchSize: number;
  readonly windowMs: number;
  /** Absent or above it: what AWS allows a mapping without a setting. */
  readonly concurrencyMax: number;
  readonly scheduler: Scheduler;
  readonly usage: Usage;
}

export interface EventSourceReport {
  readonly queue: string;
  /** The function it feeds. */
  readonly service: string;
  readonly concurrencyMax: number;
  readonly concurrencyPeak: number;
}

export interface EventSource {
  report(): EventSourceReport;
}

const MINUTE_MS = 60_000;
/** A record's envelope: ids, attributes, ARN. */
const RECORD_BYTES = 700;

export function createEventSource(options: EventSourceOptions): EventSource {
  const { queue, fn, batchSize, windowMs, scheduler, usage } = options;
  const max = Math.min(options.concurrencyMax, LAMBDA.sourceConcurrencyMax);
  let running = 0;
  let concurrencyPeak = 0;
  let busySinceMs: number | null = null;
  let wakeAtMs = Number.POSITIVE_INFINITY;

  /** Grows while messages wait, and begins anew once none do. */
  const allowed = (): number => {
    busySinceMs ??= scheduler.now();
    const minutes = (scheduler.now() - busySinceMs) / MINUTE_MS;
    return Math.min(
      max,
      LAMBDA.sourceConcurrencyStart + Math.floor(minutes * LAMBDA.sourceConcurrencyPerMinute),
    );
  };
  const wakeAt = (atMs: number): void => {
    if (atMs >= wakeAtMs) return;
    wakeAtMs = atMs;
    scheduler.at(atMs, () => {
      if (wakeAtMs <= scheduler.now()) wakeAtMs = Number.POSITIVE_INFINITY;
      pump();
    });
  };
  const pump = (): void => {
    while (queue.waiting() > 0) {
      if (running >= allowed()) {
        // What ends wakes it; so does growth.
        if (running < max) wakeAt(scheduler.now() + 200);
        return;
      }
      const fullAtMs = (queue.oldestWaitingMs() ?? scheduler.now()) + windowMs;
      if (queue.waiting() < batchSize && scheduler.now() < fullAtMs) {
        wakeAt(fullAtMs);
        return;
      }
      const batch = queue.receive(batchSize, LAMBDA.payloadMaxBytes - batchSize * RECORD_BYTES);
      if (batch.length === 0) return;
      start(batch);
    }
  };
  const start = (batch: readonly Message[]): void => {
    running += 1;
    concurrencyPeak = Math.max(concurrencyPeak, running);
    const receives = Math.ceil(batch.length / SQS.entriesMax);
    usage.sqs(receives, queue.isFair());
    scheduler.after(receives * DURATIONS.awsCallMs, () => {
      const taken = fn.invoke({ Records: batch.map(recordOf) }, ({ result, failed }) => {
        const named = (result as { batchItemFailures?: readonly { itemIdentifier: string }[] } | undefined)
          ?.batchItemFailures;
        const failures = new Set((named ?? []).map(({ itemIdentifier }) => itemIdentifier));
        finish(batch, (message) => failed || failures.has(message.id));
      });
      if (!taken) finish(batch, () => true);
    });
  };
  const finish = (batch: readonly Message[], isFailed: (message: Message) => boolean): void => {
    running -= 1;
    const gone = batch.filter((message) => !isFailed(message)).length;
    usage.sqs(Math.ceil(gone / SQS.entriesMax), queue.isFair());
    queue.settle(batch, isFailed);
    if (running === 0 && queue.waiting() === 0) busySinceMs = null;
    pump();
  };
  queue.onMessage(() => wakeAt(scheduler.now()));
  return {
    report: () => ({ queue: queue.spec.name, service: fn.name, concurrencyMax: max, concurrencyPeak }),
  };
}

function recordOf({ id, body, receiveCount, sentAtMs }: Message) {
  return {
    messageId: id,
    body,
    attributes: { ApproximateReceiveCount: String(receiveCount), SentTimestamp: String(sentAtMs) },
  };
}
