// Who brought an order. Stored with the order when it is normalized, and never changed: whoever counts it, and whenever,
// counts the same.

/** Nobody was seen to have brought it. */
export const DIRECT = 'direct';

/** A click counts for what is ordered within this time, and an order is the same one for as long. */
export const ATTRIBUTION_WINDOW_MS = 90 * 86_400_000;

export interface OrderCredit {
  /** Slug of the platform of the first click that was seen, or `direct`. */
  readonly touch: string;
  /** Another event was the purchase of this order before: it counts there. */
  readonly repeat?: true;
  /** Neither earlier clicks nor earlier purchases were looked up: it speaks for itself alone. */
  readonly unlinked?: true;
}

/** The first click seen of whoever has an identifier. */
export interface Touch {
  readonly platform: string;
  /** When it was clicked as far as is known, milliseconds. */
  readonly atMs: number;
}

/** Whether one stands for an order, or a later click, of this time. */
export function isWithinWindow({ atMs }: Touch, laterMs: number): boolean {
  return atMs <= laterMs && laterMs - atMs <= ATTRIBUTION_WINDOW_MS;
}
