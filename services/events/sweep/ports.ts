// What the sweeper needs from the outside.
import type { MessageSender } from '../../../lib/core/ports/queue.ts';
import type { ScanPorts } from '../../../lib/events/pipeline/recovery/scan-shard.ts';
import type { CounterStore } from '../../../lib/events/ports/counter-store.ts';
import type { EventStore } from '../../../lib/events/ports/event-store.ts';
import type { CounterRefresh } from '../aggregate/message.ts';

export interface SweepPorts extends ScanPorts {
  readonly events: ScanPorts['events'] & Pick<EventStore, 'dueShards'>;
  readonly counters: Pick<CounterStore, 'due'>;
  readonly counterRefresh: MessageSender<CounterRefresh>;
}
