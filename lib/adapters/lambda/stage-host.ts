// What every stage function does around its stage: decode, run, log one wide line, answer with what failed.
import type { ZodType } from 'zod';
import type { BatchResult, Received } from '../../core/ports/queue.ts';
import { handleSqsBatch, isolating, type SqsBatchResponse, type SqsEvent } from './sqs-batch.ts';

export interface BatchRecorder {
  record(line: { size: number; failed: number; durationMs: number }): void;
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
    });
    return answer;
  };
}
