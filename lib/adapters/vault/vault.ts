// Envelope encryption: each merchant's secrets under a data key of its own, which rests wrapped. Guarantees: a box opens for
// its merchant and its context only; in every process, whether its key was replaced meanwhile or not. Data keys: data-key-cache.ts.
import type { Vault } from '../../core/ports/vault.ts';
import { createKeyRing, type DataKeyParts } from './data-key-cache.ts';
import { openBox, sealBox } from './sealed-box.ts';

export function createVault(parts: DataKeyParts): Vault {
  const ring = createKeyRing(parts);
  return {
    async seal(merchantId, context, plaintext) {
      const key = await ring.current(merchantId, true);
      if (key === null) throw new Error(`merchant ${merchantId} has no data key`);
      return sealText(key, associated(merchantId, context), plaintext);
    },
    async open(merchantId, context, sealed) {
      let problem: unknown = new Error(`merchant ${merchantId} has no data key`);
      // What the kept keys do not open may be sealed under one that has come since, or by one that was replaced.
      for (const isAnew of [false, true])
        for (const key of await ring.any(merchantId, isAnew))
          try {
            return openText(key, associated(merchantId, context), sealed);
          } catch (error) {
            problem = error;
          }
      throw problem;
    },
  };
}

export const sealText = (key: Uint8Array, associatedText: string, plaintext: string): string =>
  Buffer.from(sealBox(key, associatedText, Buffer.from(plaintext))).toString('base64');

export const openText = (key: Uint8Array, associatedText: string, sealed: string): string =>
  Buffer.from(openBox(key, associatedText, Buffer.from(sealed, 'base64'))).toString();

/** Injective: no merchant and context read like another pair. */
export const associated = (merchantId: string, context: string): string =>
  JSON.stringify([merchantId, context]);
