// Pointers sent so that one the queue will not have keeps no other from its way: the message it is in is taken apart.
import { type MessageSender, SendFailure } from '../../../core/ports/queue.ts';
import { grouped, type Pointers } from '../../domain/pointer.ts';

/** Throws where the queue is away. A row whose pointer is refused even alone is reported; its due time stands. */
export async function sendApart<Body extends Pointers>(
  sender: MessageSender<Body>,
  messages: readonly Body[],
  report: (problem: string, error: unknown) => void,
): Promise<void> {
  if (messages.length === 0) return;
  try {
    await sender.send(grouped(messages));
  } catch (error) {
    if (!(error instanceof SendFailure && error.refused)) throw error;
    const refused = error.failedIndexes.flatMap((index) => messages[index] ?? []);
    const crowded = refused.filter(({ rows }) => rows.length > 1);
    if (refused.length > crowded.length) report('a pointer was refused by its queue', error);
    const single = crowded.flatMap((body) => body.rows.map((row): Body => ({ ...body, rows: [row] })));
    await sendApart(sender, single, report);
  }
}
