// Puts replays at the head of the pipe, as ingestion puts events there. Guarantees: every minute and shard is announced before
// a row is written to it; a row that is there already is the one that an earlier try stored, and is left as it is.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { dueShard } from '#lib/core/work/due-shard.ts';
import { minuteOf } from '#lib/core/work/time-slot.ts';
import type { AcceptedRow, EventKey } from '../../domain/event/row.ts';
import { ACCEPTED_POINTERS_MAX, type Pointers, packPointers } from '../../domain/pointer.ts';
import { inShard } from '../../domain/shard.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { type BucketMarker, countedAt } from '../counting/due-buckets.ts';

export interface ClaimReplayPorts {
  readonly events: Pick<EventStore, 'claim'>;
  readonly slots: BucketMarker;
  readonly accepted: MessageSender<Pointers>;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

/** `shards`: as many as the merchant's profile says. Rows of one event and seed are always tried in the same one. */
export async function claimReplay(
  row: AcceptedRow,
  shards: number,
  ports: Pick<ClaimReplayPorts, 'events' | 'slots' | 'clock'>,
): Promise<'claimed' | 'exists'> {
  const placed = inShard(row, dueShard(row.key.eventId, Math.max(shards, 1)));
  await ports.slots.markDue([countedAt(placed)]);
  const answer = await ports.events.claim(placed);
  if (minuteOf(ports.clock.now()) !== minuteOf(row.receivedAtMs))
    await ports.slots.markDueAgain(countedAt(placed));
  return answer;
}

/**
 * In a group of their own beside their merchant's, so that its new events need not wait for them. A failure is reported and
 * no more: the rows' slots are due.
 */
export async function tellReplays(keys: readonly EventKey[], ports: ClaimReplayPorts): Promise<void> {
  const bodies = packPointers(keys, undefined, ACCEPTED_POINTERS_MAX);
  if (bodies.length === 0) return;
  const messages = bodies.map((body) => ({ body, groupId: `${body.merchant}.replays` }));
  await ports.accepted.send(messages).catch((error: unknown) => {
    ports.report('pointers to replays were not sent', error);
  });
}
