// The API keys of one product: of a merchant's keys of other products it shows, counts and ends none.
// Guarantees: every change of a key is one conditional write to one item.
import type { ApiKeyRecord } from './api-key.ts';

export interface ApiKeyStore {
  /** Consistent read by SHA-256 of the key: revocation is visible to the next request. Null for another product's. */
  apiKey(sha256: string): Promise<ApiKeyRecord | null>;
  /**
   * Takes a place among the merchant's keys for one that is about to be put. False where all are taken: however many ask at
   * once, no more are handed out than there are, and near the end some may be refused a place that another refused one left.
   * Drops what ended long ago from the list.
   */
  claimKeyPlace(record: ApiKeyRecord): Promise<boolean>;
  /**
   * Throws when a key of this SHA-256 exists. It carries what the operator says of its merchant at that time (`KeyMarks`): who
   * says something later finds its place taken.
   */
  putApiKey(record: ApiKeyRecord): Promise<void>;
  /** Newest first, revoked ones included. */
  listApiKeys(merchantId: string): Promise<readonly ApiKeyRecord[]>;
  /**
   * Final: once it returns, no request is let in. `revoked` by this call or `earlier`, whose time stays; null when this
   * merchant has no key of this id.
   */
  revokeApiKey(
    merchantId: string,
    keyId: string,
    nowMs: number,
  ): Promise<{ readonly by: 'this' | 'earlier'; readonly atMs: number } | null>;
}

/** When keys were last used, give or take five minutes: kept apart from them, so that a use changes no key. */
export interface KeyUseStore {
  /** Writes at most once in `KEY_USE_EVERY_MS` for each key, whoever asks. */
  noteKeyUse(merchantId: string, keyId: string, nowMs: number): Promise<void>;
  /** Key id → ms. */
  keyUses(merchantId: string): Promise<ReadonlyMap<string, number>>;
}

export const KEY_USE_EVERY_MS = 300_000;
