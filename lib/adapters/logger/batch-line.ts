// One wide line per batch of a stage, folded: at 1 KB a batch, logs were half the bill of the functions that write
// them. Guarantees: a batch with a failure is written at once; quiet ones are summed and written at most once an
// interval, so that adding the lines up gives every batch and message seen, save what a host still held when it
// died. Counters for the truth are rows, not logs.
import type { Logger } from './logger.ts';

export interface BatchLine {
  /** Messages in the batch. */
  readonly size: number;
  /** Messages given back to the queue. */
  readonly failed: number;
  readonly durationMs: number;
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
}

const nothing = (): Totals => ({
  batches: 0,
  size: 0,
  failed: 0,
  durationMs: 0,
  durationMaxMs: 0,
});

export function createBatchLog(logger: Logger, options: BatchLogOptions): BatchLog {
  let held = nothing();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  const flush = (): void => {
    if (held.batches === 0) return;
    const level = held.failed > 0 ? 'warn' : 'info';
    logger[level]({ stage: options.stage, ...held }, 'batch');
    held = nothing();
    writtenAtMs = options.now();
  };
  return {
    record(line) {
      held.batches += 1;
      held.size += line.size;
      held.failed += line.failed;
      held.durationMs += line.durationMs;
      held.durationMaxMs = Math.max(held.durationMaxMs, line.durationMs);
      if (line.failed > 0 || options.now() - writtenAtMs >= options.intervalMs) flush();
    },
    flush,
  };
}
