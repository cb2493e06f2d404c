// What every stage function does around its stage: decode, run, log one wide line, answer with what failed.
import type { ZodType } from 'zod';
import type { BatchResult, Received } from '../../core/ports/queue.ts';
import { handleSqsBatch, isolating, type SqsBatchResponse, type SqsEvent } from './sqs-batch.ts';

export interface BatchRecorder {
  record(line: {
    readonly size: number;
    readonly failed: number;
    readonly durationMs: number;
    readonly bytes: number;
    readonly merchants: Readonly<Record<string, number>>;
  }): void;
}

/** `waited` gets the time at which the oldest message of a batch was sent. */
export function stageHandler<Message>(
  schema: ZodType<Message>,
  stage: (messages: readonly Received<Message>[]) => Promise<BatchResult>,
  log: BatchRecorder,
  now: () => number,
  report: (problem: string, error: unknown) => void,
  waited: (sentAtMs: number) => void = () => undefined,
): (event: unknown) => Promise<SqsBatchResponse> {
  const isolated = isolating(stage, report);
  return async (event) => {
    const startedMs = now();
    const batch = event as SqsEvent;
    waited(Math.min(...batch.Records.map(({ attributes }) => Number(attributes.SentTimestamp))));
    const answer = await handleSqsBatch(batch, schema, isolated);
    log.record({
      size: batch.Records.length,
      failed: answer.batchItemFailures.length,
      durationMs: now() - startedMs,
      bytes: batch.Records.reduce((sum, { body }) => sum + body.length, 0),
      merchants: merchantsOf(batch),
    });
    return answer;
  };
}

/** Every message begins with whose it is; one of several merchants' work names none. */
const MERCHANT = /"(?:merchant|workspaceId)":"([\w.:-]{1,64})"/;

function merchantsOf({ Records }: SqsEvent): Readonly<Record<string, number>> {
  const messages: Record<string, number> = {};
  for (const { body } of Records) {
    const merchant = MERCHANT.exec(body.slice(0, 200))?.[1];
    if (merchant !== undefined) messages[merchant] = (messages[merchant] ?? 0) + 1;
  }
  return messages;
}
