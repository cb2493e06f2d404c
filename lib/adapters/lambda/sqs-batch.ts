// An SQS event source batch for a stage: decoded messages in, partial batch response out.
// Guarantees: a message that makes the stage throw fails alone, or with few others; without failures this costs
// nothing.
import type { ZodType } from 'zod';
import type { BatchResult, Received } from '../../core/ports/queue.ts';

export interface SqsRecord {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string; readonly SentTimestamp: string };
}
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}
export interface SqsBatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/** Runs of a stage in one invocation: enough to find one bad message among a hundred. */
const RUNS_MAX = 16;

type Stage<Message> = (messages: readonly Received<Message>[]) => Promise<BatchResult>;

/**
 * A stage should report failures per message. If it throws anyway, it runs again on halves, and on halves of those that
 * throw, until one message is left or the runs are used up. Messages of a run that threw may have been processed: none
 * counts as a first receive any more. Throws if it could do nothing.
 */
export function isolating<Message>(
  stage: Stage<Message>,
  report: (problem: string, error: unknown) => void,
): Stage<Message> {
  return async (messages) => {
    const failed: number[] = [];
    let runs = 0;
    let thrown: unknown;
    const run = async (indexes: readonly number[]): Promise<void> => {
      if (runs === RUNS_MAX) {
        failed.push(...indexes);
        return;
      }
      const again = runs > 0 ? 1 : 0;
      const part = indexes.flatMap((index) => {
        const message = messages[index];
        return message === undefined ? [] : [{ ...message, receiveCount: message.receiveCount + again }];
      });
      try {
        runs += 1;
        const { failedIndexes } = await stage(part);
        failed.push(...failedIndexes.flatMap((i) => indexes[i] ?? []));
      } catch (error) {
        thrown ??= error;
        if (indexes.length === 1) {
          failed.push(...indexes);
          return;
        }
        const middle = Math.ceil(indexes.length / 2);
        await run(indexes.slice(0, middle));
        await run(indexes.slice(middle));
      }
    };
    await run(messages.map((_, index) => index));
    if (thrown !== undefined && failed.length === messages.length) throw thrown;
    if (thrown !== undefined) report('a message made its stage throw', thrown);
    return { failedIndexes: failed.sort((a, b) => a - b) };
  };
}

/** A message of another shape fails alone at every receive, until it is in the dead-letter queue for an operator. */
export async function handleSqsBatch<Message>(
  event: SqsEvent,
  schema: ZodType<Message>,
  stage: Stage<Message>,
): Promise<SqsBatchResponse> {
  const failed = new Set<string>();
  const received: Received<Message>[] = [];
  const ids: string[] = [];
  for (const record of event.Records) {
    const body = decode(record.body, schema);
    if (body === null) {
      failed.add(record.messageId);
      continue;
    }
    ids.push(record.messageId);
    received.push({
      body: body.value,
      receiveCount: Number(record.attributes.ApproximateReceiveCount),
      sentAtMs: Number(record.attributes.SentTimestamp),
    });
  }
  if (received.length > 0) {
    const { failedIndexes } = await stage(received);
    for (const index of failedIndexes) {
      const id = ids[index];
      if (id !== undefined) failed.add(id);
    }
  }
  return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
}

function decode<Message>(text: string, schema: ZodType<Message>): { value: Message } | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? { value: parsed.data } : null;
  } catch {
    return null;
  }
}
