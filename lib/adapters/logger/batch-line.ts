// One wide line per batch of a stage, folded: at 1 KB a batch, logs were half the bill of the functions that write
// them. Guarantees: a batch with a failure is written at once; quiet ones are summed and written at most once an
// interval, so that adding the lines up gives every batch and message seen, save what a host still held when it
// died. Counters for the truth are rows, not logs.
import { type Counts, createCounts, createDurations, type Durations } from './figures.ts';
import type { Logger } from './logger.ts';

export interface BatchLine {
  /** Messages in the batch. */
  readonly size: number;
  /** Messages given back to the queue. */
  readonly failed: number;
  readonly durationMs: number;
  /** Of the messages. */
  readonly bytes?: number;
  /** Merchants → messages of theirs. */
  readonly merchants?: Readonly<Record<string, number>>;
}

export interface BatchLogOptions {
  readonly stage: string;
  /** Quiet batches are written at most this often. 0 = each one. */
  readonly intervalMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface BatchLog {
  /** Takes one batch; may write a line. */
  record(line: BatchLine): void;
  /** Writes what is held, if anything is. */
  flush(): void;
}

interface Totals {
  batches: number;
  size: number;
  failed: number;
  durationMs: number;
  durationMaxMs: number;
  bytes: number;
  readonly durations: Durations;
  readonly merchants: Counts;
}

const nothing = (): Totals => ({
  batches: 0,
  size: 0,
  failed: 0,
  durationMs: 0,
  durationMaxMs: 0,
  bytes: 0,
  durations: createDurations(),
  merchants: createCounts(),
});

/** Of a line. */
const MERCHANTS_SHOWN = 5;

export function createBatchLog(logger: Logger, options: BatchLogOptions): BatchLog {
  let held = nothing();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    if (held.batches === 0) return;
    const level = held.failed > 0 ? 'warn' : 'info';
    const { durations, merchants, ...counted } = held;
    const line = {
      ...{ kind: 'batch', stage: options.stage, ...counted },
      ...{ p50: durations.at(0.5), p99: durations.at(0.99), merchants: merchants.top(MERCHANTS_SHOWN) },
    };
    logger[level](line, 'batch');
    held = nothing();
    writtenAtMs = options.now();
  };
  return {
    record(line) {
      held.batches += 1;
      held.size += line.size;
      held.failed += line.failed;
      held.durationMs += line.durationMs;
      held.bytes += line.bytes ?? 0;
      held.durations.add(line.durationMs);
      for (const [merchant, messages] of Object.entries(line.merchants ?? {}))
        held.merchants.add(merchant, messages);
      held.durationMaxMs = Math.max(held.durationMaxMs, line.durationMs);
      if (line.failed > 0 || options.now() - writtenAtMs >= options.intervalMs) flush();
    },
    flush,
  };
}
