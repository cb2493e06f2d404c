// A limit shared by many processes in a fixed window, without a write per item: a process leases a share of the limit
// at a time and spends it. The leases together never exceed the limit. Each window begins with a few free items, so
// that a quiet caller costs nothing; the limit can be exceeded by that number times the number of processes. An unspent
// share ends with its window.

export interface LeaseStore {
  /**
   * Leases `wanted` of the rest of `limit` in the window that began at `startMs`: all of it, or 0. `leased` is called with what all
   * have leased by then.
   */
  lease(
    id: string,
    startMs: number,
    wanted: number,
    limit: number,
    leased?: (inAll: number) => void,
  ): Promise<number>;
}

/** When a limit was last reached, for display. */
export interface LimitRecord {
  reached(id: string, nowMs: number): Promise<void>;
  /** Start of the minute, ms; null if never, or not for a long time. */
  reachedAtMs(id: string): Promise<number | null>;
}

export interface LeasedWindowOptions {
  readonly windowMs: number;
  /** Items per window and process without a lease: no more than the limit. */
  readonly free: (limit: number) => number;
  /** Size of one lease. */
  readonly share: (limit: number) => number;
}

export interface LeasedWindow {
  /** How many of the wanted items are allowed, 0..wanted. */
  take(id: string, wanted: number, limit: number, nowMs: number): Promise<number>;
  /** True once this process was refused a share in the window of `nowMs` and has nothing left. No I/O. */
  isExhausted(id: string, nowMs: number): boolean;
  /** What all processes had leased of the window of `nowMs` when this one last asked; the limit once it was refused. No I/O. */
  used(id: string, limit: number, nowMs: number): number;
  /** Seconds until the next window begins. */
  retryAfterSec(nowMs: number): number;
}

interface Spending {
  readonly startMs: number;
  left: number;
  refused: boolean;
  /** By all. */
  leased: number;
  /** The request for a share that is under way. */
  leasing?: Promise<void> | undefined;
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
    const spending = { startMs, left: free(limit), refused: false, leased: 0 };
    spendings.set(id, spending);
    return spending;
  };
  const lease = async (id: string, spending: Spending, limit: number): Promise<void> => {
    try {
      const got = await store.lease(id, spending.startMs, Math.min(share(limit), limit), limit, (inAll) => {
        spending.leased = inAll;
      });
      if (got === 0) spending.refused = true;
      spending.left += got;
    } finally {
      spending.leasing = undefined;
    }
  };
  return {
    async take(id, wanted, limit, nowMs) {
      const spending = spendingOf(id, limit, startOf(nowMs));
      // One request at a time for all calls side by side: each asking for itself took the whole limit from other processes,
      // and a call whose refusal overtook the shares of the others was refused with most of the limit left.
      while (spending.left < wanted && !spending.refused) {
        spending.leasing ??= lease(id, spending, limit);
        await spending.leasing;
      }
      const granted = Math.min(spending.left, wanted);
      spending.left -= granted;
      return granted;
    },
    isExhausted(id, nowMs) {
      const known = spendings.get(id);
      return known?.startMs === startOf(nowMs) && known.refused && known.left === 0;
    },
    used(id, limit, nowMs) {
      const known = spendings.get(id);
      if (known?.startMs !== startOf(nowMs)) return 0;
      return known.refused ? limit : known.leased;
    },
    retryAfterSec: (nowMs) => (startOf(nowMs) + windowMs - nowMs) / 1000,
  };
}
