// The platform credited with an order. Stored with its row when it is normalized, and never changed there; what is settled
// later lies beside the counters of its slot, so that every count gives the same result.

import type { BucketCounters } from './analytics.ts';

/** No click was seen before the order. */
export const DIRECT = 'direct';

/** A click counts for orders within this time. */
export const ATTRIBUTION_WINDOW_MS = 90 * 86_400_000;

export interface OrderCredit {
  /** Slug of the platform of the first click that was seen, or `direct`. */
  readonly touch: string;
  /** That of the last click before the order; absent: the same. */
  readonly last?: string;
  /** Another event is counted as this order: this one adds nothing to orders and revenue. */
  readonly again?: true;
  /** The same in rows of before orders were counted once everywhere: it is in the revenue. */
  readonly repeat?: true;
  /** In rows of that time: neither earlier clicks nor earlier purchases were looked up. */
  readonly unlinked?: true;
  /** What refunds took back that came before the order: they are counted with it. */
  readonly early?: BucketCounters['refunds'];
}

/** The first click seen with one of a person's identifiers. */
export interface Touch {
  readonly platform: string;
  /** When it was clicked as far as known, milliseconds. */
  readonly atMs: number;
}

/** Of several at one time that listed first; null where none counts. */
export const firstTouch = (touches: readonly Touch[], orderedMs: number): Touch | null =>
  bestTouch(touches, orderedMs, (one, best) => one.atMs < best.atMs);

export const lastTouch = (touches: readonly Touch[], orderedMs: number): Touch | null =>
  bestTouch(touches, orderedMs, (one, best) => one.atMs > best.atMs);

function bestTouch(
  touches: readonly Touch[],
  orderedMs: number,
  isBetter: (one: Touch, best: Touch) => boolean,
): Touch | null {
  const counting = touches.filter((touch) => isWithinWindow(touch, orderedMs));
  return counting.reduce<Touch | null>(
    (best, touch) => (best === null || isBetter(touch, best) ? touch : best),
    null,
  );
}

/** True if the click counts for an order, or replaces a later click, at this time. */
export function isWithinWindow({ atMs }: Pick<Touch, 'atMs'>, laterMs: number): boolean {
  return atMs <= laterMs && laterMs - atMs <= ATTRIBUTION_WINDOW_MS;
}
