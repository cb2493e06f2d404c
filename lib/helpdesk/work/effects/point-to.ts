// A pointer to a row that is due. One that the queue does not take costs a minute: the row is swept.
import type { MessageSender } from '../../../core/ports/queue.ts';

export async function pointTo<Body>(
  queue: MessageSender<Body>,
  body: Body,
  groupId: string,
  report: (problem: string, error: unknown) => void,
): Promise<void> {
  try {
    await queue.send([{ body, groupId }]);
  } catch (error) {
    report('a pointer was not taken by its queue, and is sent again when its row is due', error);
  }
}
