// Virtual time for a whole region: what happens is put at a millisecond, and everything of one millisecond happens before the
// next. Guarantees: the same actions in the same order, whatever the machine; between two moments every promise that can go
// on has gone on. Refuses: going back, and waiting for anything real (a promise that hangs on I/O is simply not seen).
import { createHeap } from '../support/heap.ts';

export type Scheduler = ReturnType<typeof createScheduler>;

type Action = () => void;

export function createScheduler(startMs: number) {
  const times = createHeap<number>((a, b) => a < b);
  const actions = new Map<number, Action[]>();
  let nowMs = startMs;
  const at = (atMs: number, action: Action): void => {
    const dueMs = Math.max(Math.ceil(atMs), nowMs);
    const known = actions.get(dueMs);
    if (known !== undefined) {
      known.push(action);
      return;
    }
    actions.set(dueMs, [action]);
    times.push(dueMs);
  };
  /** Actions that these actions put at the same moment belong to it. */
  const moment = async (atMs: number): Promise<void> => {
    nowMs = atMs;
    for (;;) {
      const due = actions.get(atMs);
      actions.delete(atMs);
      if (due === undefined) return;
      for (const action of due) action();
      await settled();
      if (actions.has(atMs)) times.pop();
    }
  };
  return {
    /** Milliseconds since the epoch. */
    now: () => nowMs,
    /** Runs `action` in this millisecond, rounded up; now at the earliest. First come, first served. */
    at,
    after: (delayMs: number, action: () => void) => at(nowMs + delayMs, action),
    /** Resolves that much later. */
    pause: (delayMs: number) => new Promise<void>((resolve) => at(nowMs + delayMs, resolve)),
    /** Runs what there is until `untilMs`, or until `done` holds at the end of a moment. */
    async run(untilMs: number, done: () => boolean = () => false) {
      await settled();
      while (!done()) {
        const next = times.peek();
        if (next === undefined || next > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        times.pop();
        await moment(next);
      }
    },
  };
}

/** Taken before anybody replaces the timers of this process. */
const nextTurn = setImmediate;

/** Resolves when every promise that can go on without a new action has done so. */
const settled = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
