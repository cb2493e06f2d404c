// How many calls a credential may make in a minute. Far above what people and their programs need; what they bound is what one
// key can cost, see docs/capacity.md.

/** Of what reads a few items, or counters. A page that shows what goes on asks every five seconds. */
export const READS = { perMinute: 300 } as const;
/** Of what writes. */
export const CHANGES = { perMinute: 60 } as const;
/** Of what begins work that goes on for long. */
export const JOBS = { perMinute: 20 } as const;

/** Of a whole merchant, whichever of its people and keys call, and whatever. */
export const MERCHANT_CALLS_PER_MINUTE = 1_200;
/** Of a whole merchant, for all routes together that look through up to 10,000 rows to answer. */
const SCANS_PER_MINUTE = 60;
/** Every call of it does. */
export const SCANS = { perMinute: 60, scans: { perMinute: SCANS_PER_MINUTE } } as const;
/** Calls do that name one of these parameters: what it asks for stands in the rows alone. */
export const scansWith = (...where: readonly string[]) => ({
  ...READS,
  scans: { perMinute: SCANS_PER_MINUTE, where },
});
