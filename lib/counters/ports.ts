// What folding a slot needs from the outside.
import type { Pointers } from '../domain/pointer.ts';
import type { Platform } from '../platforms/platform.ts';
import type { Clock } from '../ports/clock.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Outbox } from '../ports/queue.ts';

export interface AggregatePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany' | 'forget'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'write'>;
  /** The heads of normalize and fan-out, for rows that were forgotten. */
  readonly accepted: Outbox<Pointers>;
  readonly normalized: Outbox<Pointers>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
}
