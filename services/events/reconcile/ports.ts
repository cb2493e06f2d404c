// What the hourly recount needs from the outside.

import type { Clock } from '../../../lib/core/ports/clock.ts';
import type { MessageSender } from '../../../lib/core/ports/queue.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { BatchStore } from '../../../lib/events/ports/batch-store.ts';
import type { CounterStore } from '../../../lib/events/ports/counter-store.ts';
import type { EventStore } from '../../../lib/events/ports/event-store.ts';
import type { CounterRefresh } from '../aggregate/message.ts';

export interface ReconcilePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'markDue' | 'openedShards'>;
  readonly batches: Pick<BatchStore, 'ofMinute' | 'readMany'>;
  readonly counterRefresh: MessageSender<CounterRefresh>;
  /** Ids of all merchants, in pages of any size. */
  readonly merchants: () => AsyncIterable<string>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** Reports a merchant whose hour could not be recounted. */
  readonly report: (problem: string, error: unknown) => void;
}
