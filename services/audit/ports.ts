// What the hourly audit needs from the outside.
import type { Platform } from '../../lib/platforms/platform.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { DirtySlots } from '../aggregate/message.ts';

export interface AuditPorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'touch'>;
  readonly outcomes: Outbox<DirtySlots>;
  /** Ids of all merchants, in pages of any size. */
  readonly merchants: () => AsyncIterable<string>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
}
