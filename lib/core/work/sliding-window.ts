// At most `events` grants in any window of `windowSec`, and never a refusal while there is room.

export interface WindowLimit {
  readonly events: number;
  readonly windowSec: number;
}

export interface WindowStep {
  readonly granted: number;
  readonly remaining: number;
  /** Seconds until one more is granted; 0 when there is room now. */
  readonly retryAfterSec: number;
  /** Grant times still inside the window, oldest first, the new ones included. */
  readonly ring: readonly number[];
}

/** `ring`: earlier grant times. A clock that runs behind the last grant is taken to stand at it. */
export function slideWindow(
  ring: readonly number[],
  wanted: number,
  nowMs: number,
  limit: WindowLimit,
): WindowStep {
  const atMs = Math.max(nowMs, ring.at(-1) ?? 0);
  const windowMs = limit.windowSec * 1000;
  const inside = ring.filter((grantedMs) => grantedMs > atMs - windowMs);
  const granted = Math.min(wanted, limit.events - inside.length);
  const next = [...inside, ...Array.from({ length: granted }, () => atMs)];
  const remaining = limit.events - next.length;
  const [oldest = atMs] = next;
  return {
    granted,
    remaining,
    retryAfterSec: remaining > 0 ? 0 : (oldest + windowMs - nowMs) / 1000,
    ring: next,
  };
}
