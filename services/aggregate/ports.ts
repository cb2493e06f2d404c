// What folding a slot needs from the outside.
import type { Platform } from '../../lib/platforms/platform.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { ConfigStore } from '../../lib/ports/config-store.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';

export interface AggregatePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'write'>;
  readonly config: Pick<ConfigStore, 'routing'>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
}
