// Data keys of merchants, sealed under one of the wrapping keys that they share, so that a process asks KMS as often as there are
// those, however many merchants it meets: decision 0071. Guarantees: a data key opens for its merchant only; a wrapping key is
// made where there is none, and never to open something. Data keys that an earlier release had wrapped directly open as before.
import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports/clock.ts';
import type { SealedDataKey, WrappedDataKey, WrappingKeyStore } from '../../core/ports/data-keys.ts';
import { Unreadable } from '../../core/record/unreadable-item.ts';
import { createKeptKeys } from './kept-keys.ts';
import { createKeyCache } from './key-cache.ts';
import { DATA_KEY_BYTES, type KeyWrapper } from './key-wrapper.ts';
import { openBox, sealBox } from './sealed-box.ts';

/** Of a generation. A data key says which one it is under, so that this may change. */
export const WRAPPING_KEYS = 16;
/** A release with more of them may have been here. */
const KEPT_MAX = 256;
/** Unlike keys of days they are never erased. */
const KEPT_MS = 3_600_000;

interface DataKeyWrapper {
  generate(merchantId: string): Promise<{ readonly plain: Uint8Array; readonly wrapped: SealedDataKey }>;
  /** Rejects when the key was wrapped for another merchant. */
  unwrap(merchantId: string, wrapped: WrappedDataKey): Promise<Uint8Array>;
}

export function createDataKeyWrapper(
  outer: KeyWrapper,
  store: WrappingKeyStore,
  clock: Clock,
): DataKeyWrapper {
  const known = createKeyCache<Uint8Array>(
    {
      read: (number) => store.read(Number(number)),
      create: (number, wrapped) => store.create(Number(number), wrapped),
      generate: (number) => outer.generate({ wrapping_key: number }),
      unwrap: (number, wrapped) => outer.unwrap({ wrapping_key: number }, wrapped),
    },
    createKeptKeys(clock, KEPT_MAX, KEPT_MS),
  );

  const keyOf = async (number: number, create: boolean): Promise<Uint8Array> => {
    const key = await known(String(number), create);
    if (key === null) throw new Unreadable(`wrapping key ${number} is missing`);
    return key;
  };

  return {
    async generate(merchantId) {
      const under = (await store.generation()) * WRAPPING_KEYS + numberOf(merchantId);
      const plain = randomBytes(DATA_KEY_BYTES);
      return { plain, wrapped: { under, bytes: sealBox(await keyOf(under, true), merchantId, plain) } };
    },
    async unwrap(merchantId, wrapped) {
      if (wrapped instanceof Uint8Array) return await outer.unwrap({ merchant_id: merchantId }, wrapped);
      return openBox(await keyOf(wrapped.under, false), merchantId, wrapped.bytes);
    },
  };
}

const numberOf = (merchantId: string): number =>
  hash('sha256', merchantId, 'buffer').readUInt32BE() % WRAPPING_KEYS;
