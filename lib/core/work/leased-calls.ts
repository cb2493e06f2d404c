// Limits of calls without a write for each call: a process lets a few through in each minute of the clock that cost nothing,
// then leases shares of the limit. Of one caller who comes seldom nothing is written. Guarantees: a call is refused only when
// the whole limit was leased; where limits are small, no more calls are granted than they say. Where they are large, each
// process grants a twentieth besides: instances of a function come and go with the calls, and ask once more each.
import { CALL_WINDOW_MS, type CallLimiter } from './call-limiter.ts';
import { createLeasedWindow, type LeaseStore } from './leased-window.ts';

/** Limits below it are kept to the call. */
const EXACT_BELOW = 100;
const REMEMBERED_MAX = 10_000;

/** `factor`: for tests that ask more often than any page. */
export function createLeasedCalls(store: LeaseStore, factor = 1): CallLimiter {
  const window = createLeasedWindow(store, {
    windowMs: CALL_WINDOW_MS,
    free: (limit) => (limit < EXACT_BELOW ? 0 : Math.floor(limit / 20)),
    share: (limit) => Math.max(1, Math.ceil(limit / 20)),
  });
  /** Granted by this process. */
  const granted = new Map<string, { readonly startMs: number; calls: number }>();
  const grantedIn = (id: string, nowMs: number) => {
    const startMs = nowMs - (nowMs % CALL_WINDOW_MS);
    const known = granted.get(id);
    if (known?.startMs === startMs) return known;
    if (granted.size >= REMEMBERED_MAX) granted.clear();
    const fresh = { startMs, calls: 0 };
    granted.set(id, fresh);
    return fresh;
  };
  return {
    async take(id, perMinute, nowMs) {
      const limit = perMinute * factor;
      const own = grantedIn(id, nowMs);
      const isGranted = (await window.take(id, 1, limit, nowMs)) === 1;
      if (isGranted) own.calls += 1;
      return {
        granted: isGranted,
        // Others may have had some of them.
        remaining: isGranted ? Math.max(0, limit - own.calls) : 0,
        resetSec: Math.max(1, Math.ceil(window.retryAfterSec(nowMs))),
      };
    },
  };
}
