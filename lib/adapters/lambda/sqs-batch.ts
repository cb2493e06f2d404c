// An SQS event source batch for a stage: decoded messages in, partial batch response out.
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

/** A message of another shape fails alone, run after run, until the dead-letter queue has it for an operator to see. */
export async function handleSqsBatch<Message>(
  event: SqsEvent,
  schema: ZodType<Message>,
  stage: (messages: readonly Received<Message>[]) => Promise<BatchResult>,
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
