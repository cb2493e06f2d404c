// What Lambda does between a queue and a function (https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html).
// Guarantees: a message is deleted only after the function took it; at most `concurrencyMax` invocations at a time; a batch is
// handed over when it is full or its window, counted from its first message, is over. A message that failed is left alone:
// it becomes visible again after the queue's own visibility timeout, and moves to the dead-letter queue after the template's count.
import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { REGION } from '../stack/references.ts';
import type { EventSourceSpec } from '../stack/topology.ts';

export interface EventSourceParts {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly queueArn: string;
  /** The function; a rejection fails the whole batch. */
  readonly invoke: (event: unknown) => Promise<unknown>;
  readonly onError: (problem: string, error: unknown) => void;
}

export interface EventSource {
  /** Receives no more; resolves when the invocations that run have ended. */
  stop(): Promise<void>;
}

/** The most SQS gives, and deletes, in one request. */
const MESSAGES_PER_REQUEST = 10;
const LONG_POLL_SEC = 20;
/** Between looks at the queue while a batch gathers and less than a second of its window is left. */
const GATHER_PAUSE_MS = 200;
const ERROR_PAUSE_MS = 1_000;

export function startEventSource(spec: EventSourceSpec, parts: EventSourceParts): EventSource {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const work = async (batch: readonly Message[]): Promise<void> => {
    const done = await finished(spec, parts, batch);
    await remove(parts, done);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      while (running.size >= spec.concurrencyMax) await Promise.race(running);
      try {
        const batch = await gather(spec, parts, stopping.signal);
        if (batch.length === 0) continue;
        const invocation: Promise<void> = work(batch)
          .catch((error: unknown) => parts.onError(`messages of ${spec.queue} could not be deleted`, error))
          .finally(() => running.delete(invocation));
        running.add(invocation);
      } catch (error) {
        if (stopping.signal.aborted) return;
        parts.onError(`${spec.queue} cannot be read`, error);
        await pause(ERROR_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
      await Promise.all(running);
    },
  };
}

/** One batch; empty when the long poll ended without a message. */
async function gather(
  spec: EventSourceSpec,
  parts: EventSourceParts,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const batch = await receive(parts, Math.min(spec.batchSize, MESSAGES_PER_REQUEST), LONG_POLL_SEC, signal);
  if (batch.length === 0 || spec.windowMs === 0) return batch;
  const deadlineMs = performance.now() + spec.windowMs;
  while (batch.length < spec.batchSize && !signal.aborted) {
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) break;
    const want = Math.min(spec.batchSize - batch.length, MESSAGES_PER_REQUEST);
    // A long poll answers with the first message, at the latest after whole seconds.
    const more = await receive(parts, want, Math.min(Math.floor(leftMs / 1_000), LONG_POLL_SEC), signal);
    batch.push(...more);
    if (more.length === 0 && leftMs < 1_000) await pause(Math.min(GATHER_PAUSE_MS, leftMs));
  }
  return batch;
}

async function receive(
  { sqs, queueUrl }: EventSourceParts,
  count: number,
  waitSec: number,
  signal: AbortSignal,
): Promise<Message[]> {
  const answer = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: count,
      WaitTimeSeconds: waitSec,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
    { abortSignal: signal },
  );
  return answer.Messages ?? [];
}

/** The messages the function took. */
async function finished(
  spec: EventSourceSpec,
  parts: EventSourceParts,
  batch: readonly Message[],
): Promise<readonly Message[]> {
  let answer: unknown;
  try {
    answer = await parts.invoke({ Records: batch.map((message) => recordOf(message, parts.queueArn)) });
  } catch (error) {
    parts.onError(`a batch of ${spec.queue} failed`, error);
    return [];
  }
  if (!spec.reportsFailures) return batch;
  const failed = failedIds(answer);
  if (failed === null || [...failed].some((id) => !batch.some(({ MessageId }) => MessageId === id))) {
    parts.onError(`the answer to a batch of ${spec.queue} is no partial batch response`, answer);
    return [];
  }
  return batch.filter(({ MessageId }) => MessageId === undefined || !failed.has(MessageId));
}

/** Null for an answer Lambda would take as a failure of the whole batch. */
function failedIds(answer: unknown): ReadonlySet<string> | null {
  if (answer === undefined || answer === null) return new Set();
  const { batchItemFailures = [] } = answer as { batchItemFailures?: unknown };
  if (batchItemFailures === null) return new Set();
  if (!Array.isArray(batchItemFailures)) return null;
  const ids = batchItemFailures.map(
    (failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier,
  );
  return ids.every((id): id is string => typeof id === 'string' && id !== '') ? new Set(ids) : null;
}

async function remove({ sqs, queueUrl }: EventSourceParts, done: readonly Message[]): Promise<void> {
  for (let start = 0; start < done.length; start += MESSAGES_PER_REQUEST) {
    const entries = done
      .slice(start, start + MESSAGES_PER_REQUEST)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
  }
}

/** As Lambda words it: https://docs.aws.amazon.com/lambda/latest/dg/example_serverless_SQS_Lambda_section.html */
function recordOf(message: Message, queueArn: string): Record<string, unknown> {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body ?? '',
    attributes: message.Attributes ?? {},
    messageAttributes: message.MessageAttributes ?? {},
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}
