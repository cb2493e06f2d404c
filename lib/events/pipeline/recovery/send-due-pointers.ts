// Sends pointers for what is due, and then moves the due time, so that a backlog does not multiply.
// Guarantees: pointers first, then the new due time, so a crash in between causes an extra pointer, never a missing
// one; an entry that cannot be read, sent or moved does not delay the others; it is tried again at growing intervals.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { POINTERS_MAX } from '../../domain/pointer.ts';
import type { DueLook, DueSource, Pointer } from './due-source.ts';
import { sendApart } from './send-apart.ts';

const WRITES_AT_ONCE = 16;

export interface SendDuePorts {
  readonly normalized: MessageSender<Pointer>;
  readonly clock: Clock;
  /** Reports pointers that the queue refused, and due times that could not be moved. */
  readonly report: (problem: string, error: unknown) => void;
}

/** `keys`: entries of the due index at `nowMs`. Returns how many of them no worker takes. */
export async function sendDuePointers<Key>(
  source: DueSource<Key>,
  keys: readonly Key[],
  nowMs: number,
  ports: SendDuePorts,
): Promise<number> {
  let waiting = 0;
  for (let at = 0; at < keys.length; at += POINTERS_MAX) {
    const looks = await source.look(keys.slice(at, at + POINTERS_MAX), nowMs);
    const late = looks.filter(({ isLate }) => isLate).map(({ key }) => key);
    await sendApart(ports.normalized, source.pointers(late), ports.report);
    await putOffEach(source, looks, ports);
    waiting += looks.filter(({ isWaiting }) => isWaiting).length;
  }
  return waiting;
}

async function putOffEach<Key>(
  { table }: DueSource<Key>,
  looks: readonly DueLook<Key>[],
  { report }: Pick<SendDuePorts, 'report'>,
): Promise<void> {
  for (let at = 0; at < looks.length; at += WRITES_AT_ONCE)
    await Promise.all(
      looks
        .slice(at, at + WRITES_AT_ONCE)
        .map(({ putOff }) =>
          putOff().catch((error: unknown) => report(`what is due of ${table} could not be put off`, error)),
        ),
    );
}
