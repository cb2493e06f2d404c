// A bucket of ten minutes that is not over is looked at by every sweep, for rows whose messages were lost: what it counts is not
// stored (count-minute.ts). So only rows whose turn it is are read, neither the bucket nor its manifests. Guarantees: a row that
// is stranded is found as often as if all were read.
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { bucketEndOf, isOpenSparse, shardOf } from '../../domain/shard.ts';
import type { BucketKey } from '../../ports/counter-store.ts';
import type { FoldResult } from './count-rows.ts';
import { type RecountPorts, recount, TooManyRows } from './recount.ts';

/** Younger rows are on their way: their messages, or a first request under way, need no help. */
export const ON_THEIR_WAY_MS = 50_000;

/** Once in each doubling of its age, by sweeps that are a minute apart. */
export function isItsTurn(ageMs: number): boolean {
  for (let fromMs = ON_THEIR_WAY_MS; fromMs <= ageMs; fromMs *= 2)
    if (ageMs < fromMs + MINUTE_MS) return true;
  return false;
}

/** The fold of those rows; null where the bucket has to be counted: it is over, or has more than `rowsMax` rows. */
export async function lookAtOpen(
  key: BucketKey,
  nowMs: number,
  ports: RecountPorts,
  rowsMax: number,
): Promise<FoldResult | null> {
  if (!isOpenSparse(key, nowMs)) return null;
  let entries = 0;
  const isWanted = ({ receivedAtMs }: { readonly receivedAtMs: number }): boolean => {
    entries += 1;
    if (entries > rowsMax) throw new TooManyRows();
    return isItsTurn(nowMs - receivedAtMs);
  };
  const rows = { shard: shardOf(key), everyRow: true, isWanted };
  try {
    return await recount(key.merchantId, key.startMs, bucketEndOf(key), ports, rows);
  } catch (error) {
    if (error instanceof TooManyRows) return null;
    throw error;
  }
}
