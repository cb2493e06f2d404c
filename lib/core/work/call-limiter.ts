// How many calls of one kind a caller may make in a minute, counted over all processes. The window begins with its first call,
// not with the clock's minute: of the calls within any one window no more are granted than the limit, wherever a minute ends.

/** Length of a window, ms. */
export const CALL_WINDOW_MS = 60_000;

export interface CallGrant {
  readonly granted: boolean;
  /** How many more the window has. */
  readonly remaining: number;
  /** Whole seconds until the window is over, 1..60. */
  readonly resetSec: number;
}

export interface CallLimiter {
  /** Counts one call of `id` where fewer than `limit` were granted in its window; one that is refused counts nothing. */
  take(id: string, limit: number, nowMs: number): Promise<CallGrant>;
}

/**
 * Whether a window that began at `startMs` holds the moment. One from beyond the next minute is none: a clock far ahead began
 * it, and would keep others out until then.
 */
export const isInWindow = (startMs: number, nowMs: number): boolean =>
  startMs > nowMs - CALL_WINDOW_MS && startMs < nowMs + CALL_WINDOW_MS;

export function grantOf(
  window: { readonly startMs: number; readonly calls: number },
  granted: boolean,
  limit: number,
  nowMs: number,
): CallGrant {
  const leftSec = Math.ceil((window.startMs + CALL_WINDOW_MS - nowMs) / 1_000);
  return {
    granted,
    remaining: Math.max(0, limit - window.calls),
    resetSec: Math.min(Math.max(leftSec, 1), CALL_WINDOW_MS / 1_000),
  };
}
