// Virtual time for a whole region: what happens is put at a millisecond, and everything of one millisecond happens before the
// next. Guarantees: the same actions in the same order, whatever the machine; between two moments every promise that can go
// on has gone on. Refuses: going back, and waiting for anything real (a promise that hangs on I/O is simply not seen).

export interface Scheduler {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` in this millisecond, rounded up; now at the earliest. First come, first served. */
  at(atMs: number, action: () => void): void;
  after(delayMs: number, action: () => void): void;
  /** Resolves that much later. */
  pause(delayMs: number): Promise<void>;
  /** Runs what there is until `untilMs`, or until `done` holds at the end of a moment. */
  run(untilMs: number, done?: () => boolean): Promise<void>;
}

type Action = () => void;

export function createScheduler(startMs: number): Scheduler {
  const times: number[] = [];
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
    push(times, dueMs);
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
      if (actions.has(atMs)) pop(times);
    }
  };
  return {
    now: () => nowMs,
    at,
    after: (delayMs, action) => at(nowMs + delayMs, action),
    pause: (delayMs) => new Promise((resolve) => at(nowMs + delayMs, resolve)),
    async run(untilMs, done = () => false) {
      await settled();
      while (!done()) {
        const next = times[0];
        if (next === undefined || next > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        pop(times);
        await moment(next);
      }
    },
  };
}

/** Taken before anybody replaces the timers of this process. */
const nextTurn = setImmediate;

/** Resolves when every promise that can go on without a new action has done so. */
const settled = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if ((heap[child + 1] ?? Number.POSITIVE_INFINITY) < (heap[child] ?? 0)) child += 1;
    const least = heap[child] ?? 0;
    if (least >= last) break;
    heap[at] = least;
    at = child;
  }
  heap[at] = last;
}
