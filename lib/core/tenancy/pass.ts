import type { ApiKeyRecord } from './api-key.ts';

export interface PassStore {
  /** Throws where a key of this SHA-256 exists. */
  putPass(record: ApiKeyRecord): Promise<void>;
  /** False where it is none, or no longer. */
  endPass(sha256: string): Promise<boolean>;
}
