// What counting a slot needs from the outside.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { OrderStore } from '../../ports/order-store.ts';

export interface CountPorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly batches: Pick<BatchStore, 'ofMinute' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'write' | 'markDue'>;
  readonly orders: Pick<OrderStore, 'read'>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** Reports what stood in the way of one row; the others of its slot were counted. */
  readonly report: (problem: string, error: unknown) => void;
}
