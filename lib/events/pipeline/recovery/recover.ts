// How a lost message is found: counting a due slot finds the rows that no due time covers, and what waits at connections
// that may be gone. Here it is decided what becomes of them.

import { batchId } from '../../domain/deliveries/batch.ts';
import { ACCEPTED_POINTERS_MAX, packBatches, packPointers } from '../../domain/pointer.ts';
import { isOpenSparse } from '../../domain/shard.ts';
import type { MinuteCount } from '../counting/count-minute.ts';
import type { StrandedRow } from '../counting/count-rows.ts';
import { isItsTurn, ON_THEIR_WAY_MS } from '../counting/open-look.ts';
import { WAITING_MS } from './due-source.ts';
import type { RecoveryPorts } from './ports.ts';
import { sendApart } from './send-apart.ts';
import { withdrawRemoved } from './withdraw.ts';

/**
 * To be called before the count is stored, which moves the slot's due time: a crash in between sends pointers again, which
 * is harmless. `rowsChanged`: deliveries ended, so the count is out of date.
 */
export async function recover(
  { key, due, countedAtMs, stranded, waiting }: MinuteCount,
  ports: RecoveryPorts,
): Promise<{ readonly rowsChanged: boolean }> {
  if (!due) return { rowsChanged: false };
  // Each sweep looks at such a bucket: every other time, every fourth time and so on is enough for what waits.
  const own = isOpenSparse(key, countedAtMs)
    ? stranded.filter((row) => isItsTurn(countedAtMs - row.receivedAtMs))
    : stranded;
  await redrive(own, countedAtMs, ports);
  return { rowsChanged: (await withdrawRemoved(key.merchantId, waiting, ports)) > 0 };
}

/** Rows of a slot that no message has moved for too long. */
export const waitedIn = ({ due, countedAtMs, stranded }: MinuteCount): number =>
  due ? stranded.filter((row) => countedAtMs - row.receivedAtMs >= WAITING_MS).length : 0;

/** Sends the pointers of rows that no due time covers, or of their batches, once more: a lost message costs a sweep or two. */
export async function redrive(
  stranded: readonly StrandedRow[],
  nowMs: number,
  ports: Pick<RecoveryPorts, 'accepted' | 'normalized' | 'report'>,
): Promise<void> {
  const late = stranded.filter((row) => nowMs - row.receivedAtMs >= ON_THEIR_WAY_MS);
  const keysIn = (state: StrandedRow['state']) =>
    late.filter((row) => row.state === state && row.place === undefined).map((row) => row.key);
  const batches = new Map(late.flatMap(({ place }) => (place ? [[batchId(place.batch), place.batch]] : [])));
  const accepted = packPointers(keysIn('accepted'), undefined, ACCEPTED_POINTERS_MAX);
  const normalized = [
    ...packPointers(keysIn('normalized'), 'unattempted'),
    ...packBatches([...batches.values()], 'unattempted'),
  ];
  await sendApart(ports.accepted, accepted, ports.report);
  await sendApart(ports.normalized, normalized, ports.report);
}
