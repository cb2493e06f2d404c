// Virtual time and the order of everything. One seed decides which of several things due at one moment goes first;
// nothing in a simulated run waits for a real clock.
import { createHeap } from '../support/heap.ts';
import type { SeededRandom } from '../support/memory/random.ts';

export type Timeline = ReturnType<typeof createTimeline>;

interface Entry {
  readonly atMs: number;
  readonly tie: number;
  readonly action: () => void;
}

export function createTimeline(startMs: number, random: SeededRandom) {
  const heap = createHeap<Entry>((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie));
  let nowMs = startMs;
  let steps = 0;
  const at = (atMs: number, action: () => void) =>
    heap.push({ atMs: Math.max(Math.ceil(atMs), nowMs), tie: random.next(), action });
  return {
    /** Milliseconds since the epoch. */
    now: () => nowMs,
    /** Runs `action` at `atMs`, rounded up to a millisecond (now at the earliest). Actions of one moment run in an order the seed decides. */
    at,
    after: (delayMs: number, action: () => void) => at(nowMs + delayMs, action),
    /** Actions run so far. */
    steps: () => steps,
    /**
     * Runs actions until there are none or `done` holds. Between two of them every promise that could go on has gone on.
     * Throws when more than `stepsMax` were needed: something goes round in circles.
     */
    run: async (done: () => boolean, stepsMax: number) => {
      const limit = steps + stepsMax;
      while (!done()) {
        const entry = heap.pop();
        if (!entry) return;
        nowMs = entry.atMs;
        steps += 1;
        if (steps > limit) throw new Error(`no rest after ${stepsMax} steps`);
        entry.action();
        await settled(steps);
      }
    },
  };
}

/** The event loop has its turn so often, for the timers and messages of whoever runs this. */
const STEPS_PER_TURN = 1_000;

/** Resolves when every promise that can go on without a new action has done so: a tick of the process comes after them. */
const settled = (steps: number): Promise<void> =>
  new Promise((resolve) => {
    if (steps % STEPS_PER_TURN === 0) setImmediate(resolve);
    else process.nextTick(resolve);
  });
