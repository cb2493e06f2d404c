// Data keys of tenants, unwrapped. Guarantees: a key is in memory for five minutes at most and is asked for once by everybody
// who needs it at the same time. Refuses: keeping a failure, so the next call tries again.
import type { Clock } from '../../core/ports/clock.ts';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import { ownBytes } from './own-bytes.ts';

const KEPT_MS = 300_000;
/** Tenants whose data keys are kept; the ones fetched first go first. */
const KEPT_MAX = 2_000;

export interface DataKeyParts {
  readonly wrapper: KeyWrapper;
  readonly keys: DataKeyStore;
  readonly clock: Clock;
}

/** Null where the tenant has no key and none is to be made. */
export type DataKeys = (merchantId: string, create: boolean) => Promise<Uint8Array | null>;

export function createDataKeyCache({ wrapper, keys, clock }: DataKeyParts): DataKeys {
  const kept = new Map<string, { readonly key: Promise<Uint8Array | null>; readonly untilMs: number }>();

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

  return (merchantId, create) => {
    const nowMs = clock.now();
    const found = kept.get(merchantId);
    if (found !== undefined && nowMs < found.untilMs) return found.key;
    const key = fetchKey(merchantId, create);
    kept.delete(merchantId);
    kept.set(merchantId, { key, untilMs: nowMs + KEPT_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? merchantId);
    const forget = (): void => {
      if (kept.get(merchantId)?.key === key) kept.delete(merchantId);
    };
    key.then((value) => value ?? forget(), forget);
    return key;
  };
}
