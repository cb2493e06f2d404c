// First clicks by identifier. Rows of their own, one write each, and gone when their window is over: keys are digests, and do not
// say who they are of.
import type { Touch } from '../domain/analytics/attribution.ts';
import type { Consistency } from './event-store.ts';

export interface AttributionStore {
  /** First clicks by key; a key without one is left out, and so may be one that is long over. */
  touches(
    merchantId: string,
    keys: readonly string[],
    consistency: Consistency,
  ): Promise<ReadonlyMap<string, Touch>>;
  /** Keeps the earlier of two clicks; one whose window was over when the other came is no earlier one. */
  addTouch(merchantId: string, key: string, touch: Touch): Promise<void>;
  /** For whoever erases a person: their identifiers lead to no click any more. */
  forgetTouches(merchantId: string, keys: readonly string[]): Promise<void>;
}
