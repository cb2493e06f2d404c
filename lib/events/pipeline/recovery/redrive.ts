// Sends the pointers of rows that no due time covers once more, or of their batches. This is what makes queues expendable: a lost, purged or
// dead-lettered message costs its event a sweep or two.
import { batchId } from '../../domain/deliveries/batch.ts';
import { ACCEPTED_POINTERS_MAX, packBatches, packPointers } from '../../domain/pointer.ts';
import type { StrandedRow } from '../counting/count-rows.ts';
import type { RecoveryPorts } from './ports.ts';
import { sendApart } from './send-apart.ts';

/** Younger rows are on their way: their messages, or a first request under way, need no help. */
const ON_THEIR_WAY_MS = 50_000;

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
