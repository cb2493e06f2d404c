// What folding a slot needs from the outside.

import type { Clock } from '../../../core/ports/clock.ts';
import type { MessageSender } from '../../../core/ports/queue.ts';
import type { Pointers } from '../../domain/pointer.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { ConnectionStore } from '../../ports/connection-store.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { EventStore } from '../../ports/event-store.ts';

export interface AggregatePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany' | 'putDelivery'>;
  readonly config: Pick<ConnectionStore, 'connection'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'write' | 'markDue'>;
  /** The heads of normalize and fan-out, for rows that were forgotten. */
  readonly accepted: MessageSender<Pointers>;
  readonly normalized: MessageSender<Pointers>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** Reports what stood in the way of one row; the others of its slot were seen to. */
  readonly report: (problem: string, error: unknown) => void;
}
