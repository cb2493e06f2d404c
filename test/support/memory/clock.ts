// A clock that moves only when told to.
import { setImmediate as turn } from 'node:timers/promises';
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

/** Waits by moving the clock: of several that wait for one moment, the first moves it. */
export const waitBy =
  (clock: ManualClock) =>
  async (ms: number): Promise<void> => {
    const untilMs = clock.now() + ms;
    await turn();
    clock.advance(Math.max(0, untilMs - clock.now()));
  };
