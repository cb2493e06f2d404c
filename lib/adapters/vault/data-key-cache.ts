// Data keys of tenants, unwrapped, and kept as kept-keys.ts says.
import type { Clock } from '../../core/ports/clock.ts';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import { DATA_KEYS_KEPT_MS } from '../../core/ports/key-rotation.ts';
import { createKeptKeys } from './kept-keys.ts';
import { createKeyCache, type Keys } from './key-cache.ts';
import { DATA_KEY_BYTES, type KeyWrapper } from './key-wrapper.ts';
import { createDataKeyWrapper } from './wrapping-keys.ts';

/** Tenants whose data keys are kept. */
const KEPT_MAX = 2_000;

export interface DataKeyParts {
  readonly wrapper: KeyWrapper;
  readonly keys: DataKeyStore;
  readonly clock: Clock;
}

export interface KeyRing {
  readonly current: Keys;
  /** All that may have sealed something, the current one first. Without `isAnew`: those that are kept, and the current one. */
  readonly any: (merchantId: string, isAnew: boolean) => Promise<readonly Uint8Array[]>;
}

export const createDataKeyCache = (parts: DataKeyParts): Keys => createKeyRing(parts).current;

export function createKeyRing({ wrapper, keys, clock }: DataKeyParts): KeyRing {
  const { generate, unwrap } = createDataKeyWrapper(wrapper, keys.wrappingKeys, clock);
  const { read, create } = keys;
  const kept = createKeptKeys(clock, KEPT_MAX, DATA_KEYS_KEPT_MS);
  const current = createKeyCache({ read, create, generate, unwrap }, kept);
  /** One behind the other. */
  const former = createKeptKeys(clock, KEPT_MAX, DATA_KEYS_KEPT_MS);
  const fetchFormer = async (merchantId: string): Promise<Uint8Array> => {
    const wrapped = await keys.former(merchantId);
    return Buffer.concat(await Promise.all(wrapped.map((one) => unwrap(merchantId, one))));
  };
  return {
    current,
    async any(merchantId, isAnew) {
      const key = await current(merchantId, false, isAnew);
      if (key === null) return [];
      const others = isAnew ? former.keep(merchantId, fetchFormer(merchantId)) : former.known(merchantId);
      return [key, ...keysIn((await others) ?? new Uint8Array())];
    },
  };
}

const keysIn = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: bytes.byteLength / DATA_KEY_BYTES }, (_, i) =>
    bytes.subarray(i * DATA_KEY_BYTES, (i + 1) * DATA_KEY_BYTES),
  );
