// Pointers sent so that one the queue will not have keeps no other from its way: the message it is in is taken apart.
import { type MessageSender, SendFailure } from '#lib/core/ports/queue.ts';
import { type BatchPointer, byTenant, type Pointers } from '../../domain/pointer.ts';

/** Throws where the queue is away. A row whose pointer is refused even alone is reported; its due time stands. */
export async function sendApart<Body extends Pointers | BatchPointer>(
  sender: MessageSender<Body>,
  messages: readonly Body[],
  report: (problem: string, error: unknown) => void,
): Promise<void> {
  if (messages.length === 0) return;
  try {
    await sender.send(byTenant(messages));
  } catch (error) {
    if (!(error instanceof SendFailure && error.refused)) throw error;
    const refused = error.failedIndexes.flatMap((index) => messages[index] ?? []);
    const parts = refused.map((body) => apart(body));
    if (parts.some((part) => part.length === 0)) report('a pointer was refused by its queue', error);
    await sendApart(sender, parts.flat(), report);
  }
}

/** The same pointers, one in a message; none of one that cannot be taken apart. */
function apart<Body extends Pointers | BatchPointer>(body: Body): readonly Body[] {
  if ('rows' in body)
    return body.rows.length === 1 ? [] : body.rows.map((row): Body => ({ ...body, rows: [row] }));
  return body.batches.length === 1 ? [] : body.batches.map((batch): Body => ({ ...body, batches: [batch] }));
}
