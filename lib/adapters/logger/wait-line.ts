// A line about messages that waited for their stage for too long, whichever way they came: the alarm counts it. At most one a
// minute and process.
import type { Logger } from './logger.ts';

const EVERY_MS = 60_000;

export interface WaitLineOptions {
  readonly stage: string;
  /** Younger messages are in time. */
  readonly maxMs: number;
  readonly now: () => number;
}

/** To be called with the time at which the oldest message of a batch was sent. */
export function createWaitLine(
  logger: Logger,
  { stage, maxMs, now }: WaitLineOptions,
): (sentAtMs: number) => void {
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  return (sentAtMs) => {
    const nowMs = now();
    if (nowMs - sentAtMs <= maxMs || nowMs - writtenAtMs < EVERY_MS) return;
    writtenAtMs = nowMs;
    const waitedSec = Math.round((nowMs - sentAtMs) / 1_000);
    logger.error({ metric: 'waiting', value: 1, stage, waitedSec }, 'a message waited for too long');
  };
}
