// Data keys of tenants, unwrapped, and kept as kept-keys.ts says.
import type { Clock } from '../../core/ports/clock.ts';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import { createKeptKeys, ownBytes } from './kept-keys.ts';
import type { KeyWrapper } from './key-wrapper.ts';

/** Tenants whose data keys are kept. */
const KEPT_MAX = 2_000;

export interface DataKeyParts {
  readonly wrapper: KeyWrapper;
  readonly keys: DataKeyStore;
  readonly clock: Clock;
}

/** Null where the tenant has no key and none is to be made. */
export type DataKeys = (merchantId: string, create: boolean) => Promise<Uint8Array | null>;

export function createDataKeyCache({ wrapper, keys, clock }: DataKeyParts): DataKeys {
  const kept = createKeptKeys(clock, KEPT_MAX);

  const unwrapped = async (merchantId: string, wrapped: Uint8Array): Promise<Uint8Array> =>
    ownBytes(await wrapper.unwrap(merchantId, wrapped));

  const fetchKey = async (merchantId: string, create: boolean): Promise<Uint8Array | null> => {
    const wrapped = await keys.read(merchantId);
    if (wrapped !== null) return await unwrapped(merchantId, wrapped);
    if (!create) return null;
    const made = await wrapper.generate(merchantId);
    const stored = await keys.create(merchantId, made.wrapped);
    return Buffer.compare(stored, made.wrapped) === 0
      ? ownBytes(made.plain)
      : await unwrapped(merchantId, stored);
  };

  const once = async (merchantId: string, create: boolean): Promise<Uint8Array | null> => {
    const known = kept.known(merchantId);
    if (known !== undefined) return await known;
    const fetched = kept.keep(merchantId, fetchKey(merchantId, create));
    const key = await fetched;
    if (key === null) kept.forget(merchantId, fetched);
    return key;
  };

  return async (merchantId, create) => {
    const key = await once(merchantId, create);
    // Another caller asked at the same time, who needed none to be made.
    return key === null && create ? await once(merchantId, true) : key;
  };
}
