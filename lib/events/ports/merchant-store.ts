// Profiles of merchants, and what the operator says of them. Guarantees: every change is one conditional write to one item.
import type { Merchant, MerchantLimit, MerchantLimits, ProfileChange } from '../domain/merchant.ts';

export interface MerchantStore {
  /** What a process remembers of it may be half a minute old. */
  merchant(merchantId: string): Promise<Merchant | null>;
  /** As it is now, whatever is remembered. */
  merchantNow(merchantId: string): Promise<Merchant | null>;
  /**
   * Writes what the change names and nothing else, so that two changes of different fields both last. The profile after it;
   * null where there is no merchant; `conflict` where it has another version than `ifVersion`, and then nothing is written.
   * Throws a RangeError where `retentionDays` is none.
   */
  updateMerchant(
    merchantId: string,
    change: ProfileChange,
    ifVersion?: number,
  ): Promise<Merchant | 'conflict' | null>;
  /** For what a deployment starts with: the version stays as it is. Throws a RangeError where `retentionDays` is none. */
  putMerchant(merchant: Merchant): Promise<void>;
  /** Adds a canonical event name to `serverEventNames`; nothing is written where it is there already, or no merchant is. */
  addServerEventName(merchantId: string, name: string, nowMs: number): Promise<void>;
  /** Begins the list of suppressed people, unless it has begun: the key of its digests; null where there is no merchant. */
  beginSuppression(merchantId: string): Promise<string | null>;
}

export interface NewMerchantStore {
  /** With its limits, in one write. False, and nothing is written, where there is a merchant of this id. */
  addMerchant(merchant: Merchant): Promise<boolean>;
}

export interface MerchantLimitStore {
  /** Sets those that are named; null takes one back. Null where there is no merchant. Keys are marked apart (`markKeys`). */
  limit(
    merchantId: string,
    change: Readonly<Partial<Record<MerchantLimit, number | null>>>,
  ): Promise<{ readonly before: MerchantLimits; readonly after: MerchantLimits } | null>;
}

export interface MerchantEntry {
  readonly id: string;
  /** Null where the profile cannot be read. */
  readonly merchant: Merchant | null;
}

export interface MerchantPages {
  /**
   * At most `wanted` merchants, in an order of the store's own, and where the next page begins: none behind the last one. A page may
   * be short, or empty, and have a next one. Null for a cursor that is none.
   */
  merchantPage(
    wanted: number,
    cursor?: string,
  ): Promise<{
    readonly found: readonly MerchantEntry[];
    readonly next?: string;
    /** Units of DynamoDB that it took; 0 where an emulator does not say. */
    readonly readUnits: number;
  } | null>;
}

/** How many shards a merchant's rows are to be spread over: a hint for where rows are stored. Nothing is read or counted by it. */
export interface ShardStore {
  /** Raises the number to at least `wanted` and says that it was needed by rows of `atMs`. Never makes a merchant. */
  raiseShards(merchantId: string, wanted: number, atMs: number): Promise<void>;
  /** Says that the number was needed by rows of `atMs`, where it is more than one. */
  keepShards(merchantId: string, atMs: number): Promise<void>;
  /** Halves the number where it was last needed a day before `atMs`, or earlier. */
  halveShards(merchantId: string, atMs: number): Promise<void>;
}
