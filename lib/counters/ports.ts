// What folding a slot needs from the outside.
import type { Platform } from '../platforms/platform.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { EventStore } from '../ports/event-store.ts';

export interface AggregatePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'write'>;
  readonly config: Pick<ConfigStore, 'routing'>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
}
