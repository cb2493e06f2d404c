// What the sweeper needs from the outside.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { DueBatches } from '#lib/events/pipeline/recovery/due-batches.ts';
import type { DueEvents } from '#lib/events/pipeline/recovery/due-events.ts';
import type { ScanPorts } from '#lib/events/pipeline/recovery/scan-shard.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { CounterRefreshMessage } from '../aggregate/message.ts';
import type { ClosingWindows } from './closing-windows.ts';

export interface SweepPorts extends ScanPorts {
  readonly events: DueEvents;
  readonly batches: DueBatches;
  readonly counters: Pick<CounterStore, 'due'>;
  /** Kept from sweep to sweep. Absent in models of the pipeline. */
  readonly windows?: ClosingWindows;
  /** Called with the start of each minute that is due to be counted. Absent where nothing is measured. */
  readonly unfinished?: (startMs: number) => void;
  readonly counterRefresh: MessageSender<CounterRefreshMessage>;
}
