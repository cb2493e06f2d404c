// What the sweeper needs from the outside.
import type { Clock } from '../../lib/ports/clock.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { DirtySlots } from '../aggregate/message.ts';
import type { NormalizedMessage } from '../fan-out/message.ts';

export interface SweepPorts {
  readonly events: Pick<EventStore, 'due' | 'readMany' | 'reschedule'>;
  readonly counters: Pick<CounterStore, 'due'>;
  readonly normalized: Outbox<NormalizedMessage>;
  readonly outcomes: Outbox<DirtySlots>;
  readonly clock: Clock;
}
