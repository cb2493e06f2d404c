// Envelope encryption: each merchant's secrets under a data key of its own, which rests wrapped. Guarantees: a box opens for
// its merchant and its context only; a data key is in memory for five minutes at most and is asked for once by
// everybody who needs it at the same time. Refuses: keeping a failure, so the next call tries again.
import type { Clock } from '../../core/ports/clock.ts';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import type { Vault } from '../../core/ports/vault.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import { openBox, sealBox } from './sealed-box.ts';

const KEPT_MS = 300_000;
/** Merchants whose data keys are kept; the ones fetched first go first. */
const KEPT_MAX = 2_000;

export interface VaultParts {
  readonly wrapper: KeyWrapper;
  readonly keys: DataKeyStore;
  readonly clock: Clock;
}

export function createVault({ wrapper, keys, clock }: VaultParts): Vault {
  const kept = new Map<string, { readonly key: Promise<Uint8Array>; readonly untilMs: number }>();

  const fetchKey = async (merchantId: string, create: boolean): Promise<Uint8Array> => {
    const wrapped = await keys.read(merchantId);
    if (wrapped !== null) return wrapper.unwrap(merchantId, wrapped);
    if (!create) throw new Error(`merchant ${merchantId} has no data key`);
    const made = await wrapper.generate(merchantId);
    const stored = await keys.create(merchantId, made.wrapped);
    return Buffer.compare(stored, made.wrapped) === 0 ? made.plain : wrapper.unwrap(merchantId, stored);
  };

  const dataKey = (merchantId: string, create: boolean): Promise<Uint8Array> => {
    const nowMs = clock.now();
    const found = kept.get(merchantId);
    if (found !== undefined && nowMs < found.untilMs) return found.key;
    const key = fetchKey(merchantId, create);
    kept.delete(merchantId);
    kept.set(merchantId, { key, untilMs: nowMs + KEPT_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? merchantId);
    key.catch(() => {
      if (kept.get(merchantId)?.key === key) kept.delete(merchantId);
    });
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
