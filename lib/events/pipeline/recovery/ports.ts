// What recovery needs from the outside.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { BatchPointer, Pointers } from '../../domain/pointer.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import type { ConnectionStore } from '../../ports/connection-store.ts';
import type { EventStore } from '../../ports/event-store.ts';

export interface RecoveryPorts {
  readonly events: Pick<EventStore, 'readMany' | 'putDelivery'>;
  readonly batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>;
  readonly config: Pick<ConnectionStore, 'connection'>;
  /** The heads of normalize and fan-out, for rows whose message was lost. */
  readonly accepted: MessageSender<Pointers>;
  readonly normalized: MessageSender<Pointers | BatchPointer>;
  readonly clock: Clock;
  /** Reports what stood in the way of one row; the others of its slot were seen to. */
  readonly report: (problem: string, error: unknown) => void;
}
