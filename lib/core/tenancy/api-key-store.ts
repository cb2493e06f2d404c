// Guarantees: every change of a key is one conditional write to one item.
import type { ApiKeyRecord } from './api-key.ts';

export interface ApiKeyStore {
  /** Consistent read by SHA-256 of the key: revocation is visible to the next request. */
  apiKey(sha256: string): Promise<ApiKeyRecord | null>;
  /** Throws when a key of this SHA-256 exists. */
  putApiKey(record: ApiKeyRecord): Promise<void>;
  /** Newest first, revoked ones included. */
  listApiKeys(merchantId: string): Promise<readonly ApiKeyRecord[]>;
  /** Final. False when this merchant has no key of this id; the time of the first revocation stays. */
  revokeApiKey(merchantId: string, keyId: string, nowMs: number): Promise<boolean>;
}
