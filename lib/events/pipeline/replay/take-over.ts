// A manual retry takes over deliveries of its original that failed or wait: they end there, so that no automatic retry
// sends what the new event sends. The process that normalizes the new event does this before it commits that event.
// Guarantees: of several retries that want a delivery one gets it, and gets it again after a crash; a delivery that
// succeeded, or is in progress, stays with the original; no delivery ends before its successor is stored.

import type { Clock } from '#lib/core/ports/clock.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { RoutedConnection } from '../../domain/connections/connection.ts';
import { connectionTarget, targetNamed } from '../../domain/connections/target.ts';
import type { Delivery, DeliveryState } from '../../domain/deliveries/delivery.ts';
import { nextDueMs, targetsOf } from '../../domain/deliveries/progress.ts';
import { endWithout } from '../../domain/deliveries/transition.ts';
import type { AcceptedRow, EventRow, NormalizedRow, ReplayOrigin } from '../../domain/event/row.ts';
import { endingOf } from '../../domain/replays/replay-id.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { type BucketMarker, countedAt } from '../counting/due-buckets.ts';
import { joinedRow, putJoined } from '../outcomes-of-batches.ts';

/** The states that a manual retry takes over. */
const TAKEN: ReadonlySet<DeliveryState> = new Set(['FAILED', 'ERROR', 'RETRY']);

export interface TakeOverPorts {
  readonly events: Pick<EventStore, 'read' | 'putDelivery' | 'hold'>;
  readonly batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>;
  readonly slots: Pick<BucketMarker, 'markDueAgain'>;
  readonly clock: Clock;
}

/** Places at platforms where the delivery failed, or waits for its next attempt. */
export function retriable(row: NormalizedRow): readonly string[] {
  return targetsOf(row).filter((slug) => isTaken(row.deliveries[slug]));
}

const isTaken = (delivery: Delivery | undefined): boolean =>
  delivery !== undefined && TAKEN.has(delivery.state);

/**
 * Of the wanted places, those whose deliveries the new event now has. `connections`: that are to have it now. One that was
 * connected after the original has none of its deliveries.
 */
export async function takeOver(
  row: AcceptedRow & { readonly replayOf: ReplayOrigin },
  connections: readonly RoutedConnection[],
  ports: TakeOverPorts,
): Promise<readonly string[]> {
  const wanted = row.body.internal?.only_platforms ?? [];
  const reason = retriedAs(row.key.eventId);
  let original = await readOriginal(row, ports);
  if (original?.state !== 'normalized') return [];
  // Its minute may have been sealed: it must be counted again.
  await ports.slots.markDueAgain(countedAt(original));
  const platforms: string[] = [];
  for (const exact of wanted) {
    const platform = targetNamed(exact);
    const holder = connections.find((one) => connectionTarget(one) === platform);
    if ((holder?.sinceVersion ?? 0) > original.routingVersion) continue;
    const isMine = await retryConflicts({ what: 'a delivery' }, async () => {
      if (original?.state !== 'normalized') return false;
      const before = original.deliveries[platform];
      if (before?.reason === reason) return true;
      if (!isTaken(before)) return false;
      const delivery = endWithout(before, 'SKIPPED', reason, ports.clock.now());
      const after = { ...original, deliveries: { ...original.deliveries, [platform]: delivery } };
      const patch = { platform, delivery, dueAtMs: nextDueMs(after) };
      const written = await putJoined(original, patch, ports);
      original = written ?? (await readOriginal(row, ports));
      return written === null ? CONFLICT : true;
    });
    if (isMine) platforms.push(exact);
  }
  return platforms;
}

/** Why the original's delivery ended; names the event that continues it. */
export const retriedAs = (eventId: string): string => `retried:${endingOf(eventId) ?? eventId}`;

/** Live, or archived since because its id was taken again. */
async function readOriginal(
  { key, replayOf }: AcceptedRow & { readonly replayOf: ReplayOrigin },
  { events, batches }: TakeOverPorts,
): Promise<EventRow | null> {
  const live = { ...key, eventId: replayOf.eventId };
  for (const wanted of [live, { ...live, archivedAs: replayOf.ingestId }]) {
    const row = await events.read(wanted);
    if (row?.ingestId === replayOf.ingestId) return await joinedRow(row, batches);
  }
  return null;
}
