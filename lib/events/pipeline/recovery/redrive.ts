// Sends the pointers of rows that no due time covers once more. This is what makes queues expendable: a lost, purged or
// dead-lettered message costs its event a sweep or two.
import { ACCEPTED_POINTERS_MAX, packPointers } from '../../domain/pointer.ts';
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
    late.filter((row) => row.state === state).map((row) => row.key);
  const accepted = packPointers(keysIn('accepted'), undefined, ACCEPTED_POINTERS_MAX);
  const normalized = packPointers(keysIn('normalized'), 'unattempted');
  await sendApart(ports.accepted, accepted, ports.report);
  await sendApart(ports.normalized, normalized, ports.report);
}
