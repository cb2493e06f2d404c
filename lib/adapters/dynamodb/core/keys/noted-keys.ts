// API keys whose uses are noted. Guarantees: a process tries once in five minutes for each key; the reader of a key waits
// neither for that nor for its failure, which has the next use try again.
import type { Clock } from '#lib/core/ports/clock.ts';
import { isUsableKey } from '#lib/core/tenancy/api-key.ts';
import { type ApiKeyStore, KEY_USE_EVERY_MS, type KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';

const KEYS_MAX = 10_000;

export function noteKeyUses<Store extends Pick<ApiKeyStore, 'apiKey'>>(
  store: Store,
  uses: Pick<KeyUseStore, 'noteKeyUse'>,
  clock: Clock,
): Store {
  /** SHA-256 → when this process last tried. */
  const tried = new Map<string, number>();
  return {
    ...store,
    async apiKey(sha256) {
      const record = await store.apiKey(sha256);
      const nowMs = clock.now();
      if (record === null || !isUsableKey(record, nowMs) || record.suspendedAtMs !== undefined) return record;
      if (nowMs - (tried.get(sha256) ?? Number.NEGATIVE_INFINITY) < KEY_USE_EVERY_MS) return record;
      if (tried.size >= KEYS_MAX) tried.clear();
      tried.set(sha256, nowMs);
      uses.noteKeyUse(record.merchantId, record.keyId, nowMs).catch(() => tried.delete(sha256));
      return record;
    },
  };
}
