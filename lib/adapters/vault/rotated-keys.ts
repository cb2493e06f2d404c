// Seals again, under a merchant's data key of now, what those before it sealed. Nothing is kept in memory between two merchants.
import type { RotatedKeys } from '../../core/ports/key-rotation.ts';
import type { DataKeyParts } from './data-key-cache.ts';
import { associated, openText, sealText } from './vault.ts';
import { createDataKeyWrapper, WRAPPING_KEYS } from './wrapping-keys.ts';

export function createRotatedKeys({ wrapper, keys, clock }: DataKeyParts): RotatedKeys {
  const { generate, unwrap } = createDataKeyWrapper(wrapper, keys.wrappingKeys, clock);
  return {
    newKey: async (merchantId) => (await generate(merchantId)).wrapped,

    isSince: (key, generation) => !(key instanceof Uint8Array) && key.under >= generation * WRAPPING_KEYS,

    async resealing(merchantId) {
      const wrapped = await keys.read(merchantId);
      if (wrapped === null) throw new Error(`merchant ${merchantId} has no data key`);
      const current = await unwrap(merchantId, wrapped);
      const former = await Promise.all((await keys.former(merchantId)).map((one) => unwrap(merchantId, one)));
      return (context, sealed) => {
        const bound = associated(merchantId, context);
        if (opened(current, bound, sealed) !== null) return 'current';
        for (const key of former) {
          const text = opened(key, bound, sealed);
          if (text !== null) return { sealed: sealText(current, bound, text) };
        }
        return 'unreadable';
      };
    },
  };
}

function opened(key: Uint8Array, bound: string, sealed: string): string | null {
  try {
    return openText(key, bound, sealed);
  } catch {
    return null;
  }
}
