// Rows that no due time covers are told again, and rows that are over lose what they no longer need. This is what makes
// queues expendable: a lost, purged or dead-lettered message costs its event a sweep or two.
import { grouped, packPointers } from '../domain/pointer.ts';
import type { AdriftRow, FoldResult } from './count-rows.ts';
import type { AggregatePorts } from './ports.ts';

/** Younger rows are on their way: their messages, or a first request under way, need no help. */
const ON_THEIR_WAY_MS = 50_000;

export async function drive(
  fold: Pick<FoldResult, 'adrift' | 'unforgotten'>,
  nowMs: number,
  ports: Pick<AggregatePorts, 'accepted' | 'normalized'> & {
    readonly events: Pick<AggregatePorts['events'], 'forget'>;
  },
): Promise<void> {
  const late = fold.adrift.filter((row) => nowMs - row.receivedAtMs >= ON_THEIR_WAY_MS);
  const keysIn = (state: AdriftRow['state']) =>
    late.filter((row) => row.state === state).map((row) => row.key);
  const accepted = packPointers(keysIn('accepted'));
  const normalized = packPointers(keysIn('normalized'), 'untouched');
  if (accepted.length > 0) await ports.accepted.send(grouped(accepted));
  if (normalized.length > 0) await ports.normalized.send(grouped(normalized));
  for (const row of fold.unforgotten) await ports.events.forget(row);
}
