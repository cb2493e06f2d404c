// A limit on what many processes let through in a fixed window, without a write for each thing let through: a process takes
// a share of the limit at a time and spends it. What all of them leased is never more than the limit. Each window begins
// with a few that cost no lease, so that a quiet caller costs nothing: that, times the number of processes, is by how much
// the limit can be exceeded. A share that was not spent goes with its window.

export interface LeaseStore {
  /** Takes `wanted` of what is left of `limit` in the window that began at `startMs`: all of it, or 0. */
  lease(id: string, startMs: number, wanted: number, limit: number): Promise<number>;
}

/** When a limit was last reached, for whoever asks. */
export interface LimitRecord {
  reached(id: string, nowMs: number): Promise<void>;
  /** Start of the minute, ms; null where it never was, or not for a long time. */
  reachedAtMs(id: string): Promise<number | null>;
}

export interface LeasedWindowOptions {
  readonly windowMs: number;
  /** What a process lets through in a window before it asks: no more than the limit. */
  readonly free: (limit: number) => number;
  /** What a process asks for at a time. */
  readonly share: (limit: number) => number;
}

export interface LeasedWindow {
  /** How many of the wanted ones are let through, 0..wanted. */
  take(id: string, wanted: number, limit: number, nowMs: number): Promise<number>;
  /** True once this process was refused a share in the window of `nowMs` and has nothing left: costs nothing to ask. */
  isExhausted(id: string, nowMs: number): boolean;
  /** Seconds until the next window begins. */
  retryAfterSec(nowMs: number): number;
}

interface Spending {
  readonly startMs: number;
  left: number;
  refused: boolean;
}

const REMEMBERED_MAX = 10_000;

export function createLeasedWindow(store: LeaseStore, options: LeasedWindowOptions): LeasedWindow {
  const { windowMs, free, share } = options;
  const spendings = new Map<string, Spending>();
  const startOf = (nowMs: number): number => Math.floor(nowMs / windowMs) * windowMs;

  const spendingOf = (id: string, limit: number, startMs: number): Spending => {
    const known = spendings.get(id);
    if (known?.startMs === startMs) return known;
    if (spendings.size >= REMEMBERED_MAX && known === undefined) spendings.clear();
    const spending = { startMs, left: free(limit), refused: false };
    spendings.set(id, spending);
    return spending;
  };
  return {
    async take(id, wanted, limit, nowMs) {
      const spending = spendingOf(id, limit, startOf(nowMs));
      while (spending.left < wanted && !spending.refused) {
        const got = await store.lease(id, spending.startMs, Math.min(share(limit), limit), limit);
        if (got === 0) spending.refused = true;
        spending.left += got;
      }
      const granted = Math.min(spending.left, wanted);
      spending.left -= granted;
      return granted;
    },
    isExhausted(id, nowMs) {
      const known = spendings.get(id);
      return known?.startMs === startOf(nowMs) && known.refused && known.left === 0;
    },
    retryAfterSec: (nowMs) => (startOf(nowMs) + windowMs - nowMs) / 1000,
  };
}
