// A clock that moves only when told to.
import type { Clock } from '#lib/core/ports/clock.ts';

export interface ManualClock extends Clock {
  /** Moves to `atMs`; refuses to go back. */
  advanceTo(atMs: number): void;
  /** Moves forward by `ms` >= 0. */
  advance(ms: number): void;
}

export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  const advanceTo = (atMs: number) => {
    if (!(atMs >= nowMs)) throw new RangeError(`the clock stands at ${nowMs} and cannot go back to ${atMs}`);
    nowMs = atMs;
  };
  return { now: () => nowMs, advanceTo, advance: (ms) => advanceTo(nowMs + ms) };
}
