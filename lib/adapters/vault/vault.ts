// Envelope encryption: each merchant's secrets under a data key of its own, which rests wrapped. Guarantees: a box opens for
// its merchant and its context only. Data keys: see data-key-cache.ts.
import type { Vault } from '../../core/ports/vault.ts';
import { createDataKeyCache, type DataKeyParts } from './data-key-cache.ts';
import { openBox, sealBox } from './sealed-box.ts';

export function createVault(parts: DataKeyParts): Vault {
  const dataKeys = createDataKeyCache(parts);

  const dataKey = async (merchantId: string, create: boolean): Promise<Uint8Array> => {
    const key = await dataKeys(merchantId, create);
    if (key === null) throw new Error(`merchant ${merchantId} has no data key`);
    return key;
  };

  return {
    async seal(merchantId, context, plaintext) {
      const key = await dataKey(merchantId, true);
      return Buffer.from(sealBox(key, associated(merchantId, context), Buffer.from(plaintext))).toString(
        'base64',
      );
    },
    async open(merchantId, context, sealed) {
      const key = await dataKey(merchantId, false);
      return Buffer.from(
        openBox(key, associated(merchantId, context), Buffer.from(sealed, 'base64')),
      ).toString();
    },
  };
}

/** Injective: no merchant and context read like another pair. */
const associated = (merchantId: string, context: string): string => JSON.stringify([merchantId, context]);
