// What follows the removal of a connection. The removal itself is the one write that counts: from then on nothing is sent
// and every read says so. Here the minutes whose rows still wait for the platform are made due, so that the next sweep has
// their deliveries ended in the rows as well, however far away their retries are. Whatever is missed here ends when its
// minute, or its retry, is due anyway; what is parked is released by the sweeps, however long ago it came.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { DeliveryState } from '#lib/events/domain/deliveries/delivery.ts';
import { TRIED_MAX_SEC } from '#lib/events/domain/deliveries/window.ts';
import { SPARSE_BUCKET_MS } from '#lib/events/domain/shard.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ApiPorts } from '../ports.ts';

const WRITES_AT_ONCE = 16;
/** Minutes one sweep has folded for this: a backlog of a whole week must not keep other merchants' counters waiting. */
export const BUCKETS_PER_SWEEP = 600;
const SWEEP_MS = 60_000;
/** A week of one shard, and as much of it as one request may read of a merchant with many: the newest. */
export const BUCKETS_READ_MAX = 20_000;
const READ_TOGETHER_MS = 6 * HOUR_MS;
const OPEN: readonly DeliveryState[] = ['QUEUED', 'SENDING', 'RETRY'];

/** At most one write per minute and shard of the week in which a delivery may be open. Never throws: failures are reported. */
export async function markWaitingBuckets(
  { merchantId, platform }: Connection,
  { counters, clock, report }: Pick<ApiPorts, 'counters' | 'clock' | 'report'>,
): Promise<void> {
  const nowMs = clock.now();
  try {
    const fromMs = floorTo(nowMs - TRIED_MAX_SEC * 1_000, SPARSE_BUCKET_MS);
    const newestFirst: BucketRow[] = [];
    let read = 0;
    for (let toMs = nowMs; toMs > fromMs && read < BUCKETS_READ_MAX; toMs -= READ_TOGETHER_MS) {
      const slots = await counters.range(
        merchantId,
        'minute',
        Math.max(fromMs, toMs - READ_TOGETHER_MS),
        toMs,
      );
      read += slots.length;
      newestFirst.push(...slots.filter((slot) => waitsFor(slot, platform)).reverse());
    }
    await inParallel(newestFirst, WRITES_AT_ONCE, async ({ key, dueAtMs = nowMs }, index) => {
      const wantedMs = nowMs + Math.floor(index / BUCKETS_PER_SWEEP) * SWEEP_MS;
      // A minute that is due sooner for reasons of its own keeps its time.
      if (wantedMs < dueAtMs) await counters.markDue(key, wantedMs);
    });
  } catch (error) {
    report('minutes that wait for a removed connection were not made due', error);
  }
}

/** Of a minute that was never counted it is not known. */
function waitsFor({ dueAtMs, foldedAtMs, counters }: BucketRow, platform: string): boolean {
  if (dueAtMs === undefined) return false;
  if (foldedAtMs === undefined) return true;
  const byName = Object.values(counters.deliveries[platform] ?? {});
  return byName.some((states) => OPEN.some((state) => (states[state] ?? 0) > 0));
}
