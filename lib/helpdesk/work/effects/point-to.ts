// A pointer to a row that is due. One that the queue does not take costs a minute: the row is swept.
import type { MessageSender } from '#lib/core/ports/queue.ts';

export async function pointTo<Body>(
  queue: MessageSender<Body>,
  body: Body,
  groupId: string,
  report: (problem: string, error: unknown) => void,
  delaySec = 0,
): Promise<void> {
  try {
    await queue.send([{ body, groupId }], delaySec === 0 ? {} : { delaySec });
  } catch (error) {
    report('a pointer was not taken by its queue, and is sent again when its row is due', error);
  }
}
