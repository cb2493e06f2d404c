// First clicks by identifier, and which event is the purchase of an order. Rows of their own, one write each, and gone when
// their window is over: keys are digests, and say nothing of who or what they are of.
import type { Touch } from '../domain/analytics/attribution.ts';

export interface OrderClaim {
  readonly eventId: string;
  readonly ingestId: string;
  readonly receivedAtMs: number;
}

export interface AttributionStore {
  /** First clicks by key, eventually consistent; a key without one is left out, and so may be one that is long over. */
  touches(merchantId: string, keys: readonly string[]): Promise<ReadonlyMap<string, Touch>>;
  /** Keeps the earlier of two clicks; one whose window was over when the other came is no earlier one. */
  addTouch(merchantId: string, key: string, touch: Touch): Promise<void>;
  /**
   * The claim that stands: the first one of the order, for as long as its window lasts. Claimed again by the same event, it
   * is the same.
   */
  claimOrder(merchantId: string, order: string, claim: OrderClaim): Promise<OrderClaim>;
  /** For whoever erases a person: their identifiers lead to no click any more. */
  forgetTouches(merchantId: string, keys: readonly string[]): Promise<void>;
}
