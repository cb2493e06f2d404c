// The minute is the smallest slot counted; hours and days are made of minutes.
export const MINUTE_MS = 60_000;

/** Start of the minute slot this moment falls into, UTC. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}
