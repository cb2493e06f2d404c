// What the hourly audit needs from the outside.

import type { AggregatePorts } from '../../lib/counters/ports.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { DirtySlots } from '../aggregate/message.ts';

export interface AuditPorts extends AggregatePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany' | 'reschedule'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'write'>;
  readonly outcomes: Outbox<DirtySlots>;
  /** Ids of all merchants, in pages of any size. */
  readonly merchants: () => AsyncIterable<string>;
}
