// Slots of time, UTC: the minute is the smallest one counted; hours and days are made of minutes.
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Start of the slot of this length that the moment falls into. */
export const floorTo = (atMs: number, lengthMs: number): number => Math.floor(atMs / lengthMs) * lengthMs;

/** Start of the minute slot this moment falls into. */
export const minuteOf = (atMs: number): number => floorTo(atMs, MINUTE_MS);
