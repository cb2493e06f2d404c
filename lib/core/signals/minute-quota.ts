// How much of what happens is shown by itself: so many of a kind in each minute of a process.
import { MINUTE_MS } from '../work/time-slot.ts';

/** `now`: milliseconds since the epoch. */
export function createMinuteQuota(now: () => number) {
  const taken = new Map<string, number>();
  let startedAtMs = now();
  return {
    /** False where `max` of this kind were taken in this minute. */
    take(kind: string, max: number): boolean {
      const nowMs = now();
      if (nowMs - startedAtMs >= MINUTE_MS) {
        taken.clear();
        startedAtMs = nowMs;
      }
      const count = (taken.get(kind) ?? 0) + 1;
      taken.set(kind, count);
      return count <= max;
    },
  };
}
