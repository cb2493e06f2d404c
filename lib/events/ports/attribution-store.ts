// What is known of people by identifier: first clicks, and their orders, sealed. Items of their own, and gone when their window is
// over: keys are digests, and do not say who they are of.
import type { Touch } from '../domain/analytics/attribution.ts';
import type { Consistency } from './event-store.ts';

/** Orders of a person, sealed under the key of the day on which the newest was received. */
export interface SealedOrders {
  /** Base64. */
  readonly sealed: string;
  readonly newestAtMs: number;
}

/** Click ids seen with an identifier, sealed under the key of the day on which they were written. */
export interface SealedClicks {
  /** Base64. */
  readonly sealed: string;
  /** By the time of receipt; each write has a later one. */
  readonly writtenAtMs: number;
}

export interface StoredPerson {
  /** The first click. */
  readonly touch?: Touch;
  /** The newest clicks, as `writeRecent` writes them. */
  readonly recent?: string;
  readonly clicks?: SealedClicks;
  readonly orders?: SealedOrders;
  /** Of the orders: what `writeOrders` asks for. */
  readonly version: number;
}

/** There is none, or one without orders. */
export const NO_VERSION = 0;

/** A merchant's list of people whose later events are not to name them: keyed digests, which end only when they are taken off. */
export interface SuppressedPeople {
  /** Since when, ms, by digest; one that is not on the list is left out. A second old at most. */
  suppressed(merchantId: string, digests: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The first digest is counted. One that is on the list stays since when it is there. */
  suppress(merchantId: string, digests: readonly string[], nowMs: number): Promise<void>;
  unsuppress(merchantId: string, digests: readonly string[]): Promise<void>;
  /** Walks the list, and stops at `max`. */
  countSuppressed(merchantId: string, max: number): Promise<number>;
}

export interface AttributionStore extends SuppressedPeople {
  /** By key; a key of which nothing is known is left out. What is long over may be among them. */
  people(
    merchantId: string,
    keys: readonly string[],
    consistency: Consistency,
  ): Promise<ReadonlyMap<string, StoredPerson>>;
  /**
   * Keeps the earlier of two clicks; one whose window was over when the other came is no earlier one. `nowMs`: from when on it is
   * kept, with the orders beside it, for the length of the window.
   */
  addTouch(merchantId: string, key: string, touch: Touch, nowMs: number): Promise<void>;
  /**
   * One write: the click ids and the newest clicks, and with them the first click where this is it. False where one of them was
   * written since they were read: then read again.
   */
  writeClicks(merchantId: string, key: string, clicks: SealedClicks, how: ClicksWrite): Promise<boolean>;
  /**
   * One write: the orders, and with them the clicks where there are any. False where orders or newest clicks were written since they
   * were read, or the first click would not be kept: then read again.
   */
  writeOrders(merchantId: string, key: string, orders: SealedOrders, how: OrdersWrite): Promise<boolean>;
  /** For an erasure: the identifiers of a person lead to no click and no order any more. */
  forgetPeople(merchantId: string, keys: readonly string[]): Promise<void>;
}

export interface ClicksWrite {
  /** As they were read. */
  readonly seen: SealedClicks | undefined;
  /** Absent: an earlier one is kept. */
  readonly touch?: Touch | undefined;
  readonly recent?: RecentWrite | undefined;
  readonly nowMs: number;
}

/** The newest clicks, in place of those that were read. */
export interface RecentWrite {
  readonly seen: string | undefined;
  readonly next: string;
}

export interface OrdersWrite {
  readonly version: number;
  readonly touch?: Touch | undefined;
  readonly recent?: RecentWrite | undefined;
  readonly nowMs: number;
}
