// What was told again is left alone for a minute, then two, four … an hour: a backlog must not multiply itself.
const BACKOFF_MIN_MS = 60_000;
const BACKOFF_MAX_MS = 3_600_000;
/** What cannot be read waits for a release that can: four looks a day find that out soon enough. */
export const UNREADABLE_MAX_MS = 6 * 3_600_000;

export function backoffMs(sweeps: number, maxMs = BACKOFF_MAX_MS): number {
  return Math.min(BACKOFF_MIN_MS * 2 ** Math.min(Math.max(sweeps, 0), 10), maxMs);
}
