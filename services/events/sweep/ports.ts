// What the sweeper needs from the outside.
import type { Clock } from '../../../lib/core/ports/clock.ts';
import type { MessageSender } from '../../../lib/core/ports/queue.ts';
import type { BatchStore } from '../../../lib/events/ports/batch-store.ts';
import type { CounterStore } from '../../../lib/events/ports/counter-store.ts';
import type { EventStore } from '../../../lib/events/ports/event-store.ts';
import type { CounterRefreshMessage } from '../aggregate/message.ts';
import type { NormalizedMessage } from '../fan-out/message.ts';

export interface SweepPorts {
  readonly events: Pick<EventStore, 'due' | 'readMany' | 'reschedule' | 'deferUnreadable'>;
  readonly batches: Pick<BatchStore, 'due' | 'readMany' | 'writeOutcomes' | 'deferUnreadable'>;
  readonly counters: Pick<CounterStore, 'due'>;
  readonly normalized: MessageSender<NormalizedMessage>;
  readonly counterRefresh: MessageSender<CounterRefreshMessage>;
  readonly clock: Clock;
  /** Reports what the queue will not have, and what could not be put off. */
  readonly report: (problem: string, error: unknown) => void;
}
