// Windows of calls in memory, as DynamoDB keeps them.
import { type CallLimiter, grantOf, isInWindow } from '#lib/core/work/call-limiter.ts';

export function createMemoryCallLimiter(): CallLimiter & { readonly ids: () => readonly string[] } {
  const windows = new Map<string, { readonly startMs: number; readonly calls: number }>();
  return {
    ids: () => [...windows.keys()],
    async take(id, limit, nowMs) {
      const seen = windows.get(id);
      const isUnderWay = seen !== undefined && isInWindow(seen.startMs, nowMs);
      if (isUnderWay && seen.calls >= limit) return grantOf(seen, false, limit, nowMs);
      const window = isUnderWay ? { ...seen, calls: seen.calls + 1 } : { startMs: nowMs, calls: 1 };
      windows.set(id, window);
      return grantOf(window, true, limit, nowMs);
    },
  };
}
