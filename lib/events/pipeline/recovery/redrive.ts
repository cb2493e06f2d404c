// Rows that no due time covers are told again. This is what makes queues expendable: a lost, purged or dead-lettered
// message costs its event a sweep or two.
import { packPointers } from '../../domain/pointer.ts';
import type { FoldResult, StrandedRow } from '../counting/count-rows.ts';
import type { AggregatePorts } from '../counting/ports.ts';
import { sendApart } from './send-apart.ts';

/** Younger rows are on their way: their messages, or a first request under way, need no help. */
const ON_THEIR_WAY_MS = 50_000;

export async function redrive(
  fold: Pick<FoldResult, 'stranded'>,
  nowMs: number,
  ports: Pick<AggregatePorts, 'accepted' | 'normalized' | 'report'>,
): Promise<void> {
  const late = fold.stranded.filter((row) => nowMs - row.receivedAtMs >= ON_THEIR_WAY_MS);
  const keysIn = (state: StrandedRow['state']) =>
    late.filter((row) => row.state === state).map((row) => row.key);
  const accepted = packPointers(keysIn('accepted'));
  const normalized = packPointers(keysIn('normalized'), 'unattempted');
  await sendApart(ports.accepted, accepted, ports.report);
  await sendApart(ports.normalized, normalized, ports.report);
}
