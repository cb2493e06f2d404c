// Data keys of merchants' days. Guarantees: a key is made once, wrapped under the merchant's data key (so that KMS is asked
// per merchant, never per day), and in memory for five minutes at most: that long after its deletion nothing opens any
// more. Refuses: making a key to open something; keeping a failure.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports/clock.ts';
import type { DayKeyStore } from '../../core/ports/day-keys.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { ownBytes } from './own-bytes.ts';

const KEY_BYTES = 32;
const KEPT_MS = 300_000;
/** Days of merchants; the ones fetched first go first. */
const KEPT_MAX = 10_000;

export interface DayKeys {
  /** Makes the key where there is none. */
  toSeal(merchantId: string, day: string): Promise<Uint8Array>;
  /** Null where there is none (any more). */
  toOpen(merchantId: string, day: string): Promise<Uint8Array | null>;
}

export interface DayKeyParts {
  readonly vault: Vault;
  readonly store: Pick<DayKeyStore, 'read' | 'create'>;
  readonly clock: Clock;
}

export function createDayKeys({ vault, store, clock }: DayKeyParts): DayKeys {
  const kept = new Map<string, { readonly key: Promise<Uint8Array | null>; readonly untilMs: number }>();

  const unwrap = async (merchantId: string, day: string, wrapped: string): Promise<Uint8Array> =>
    ownBytes(Buffer.from(await vault.open(merchantId, contextOf(day), wrapped), 'base64'));

  const read = async (merchantId: string, day: string): Promise<Uint8Array | null> => {
    const wrapped = await store.read(merchantId, day);
    return wrapped === null ? null : await unwrap(merchantId, day, wrapped);
  };

  const readOrMake = async (merchantId: string, day: string): Promise<Uint8Array> => {
    const found = await read(merchantId, day);
    if (found !== null) return found;
    const made = randomBytes(KEY_BYTES);
    const wrapped = await vault.seal(merchantId, contextOf(day), made.toString('base64'));
    const stored = await store.create(merchantId, day, wrapped);
    return stored === wrapped ? made : await unwrap(merchantId, day, stored);
  };

  const fetched = <Key extends Uint8Array | null>(id: string, key: Promise<Key>): Promise<Key> => {
    kept.delete(id);
    kept.set(id, { key, untilMs: clock.now() + KEPT_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? id);
    key.catch(() => {
      if (kept.get(id)?.key === key) kept.delete(id);
    });
    return key;
  };

  const known = (id: string): Promise<Uint8Array | null> | undefined => {
    const found = kept.get(id);
    return found !== undefined && clock.now() < found.untilMs ? found.key : undefined;
  };

  return {
    async toOpen(merchantId, day) {
      const id = `${merchantId}/${day}`;
      return await (known(id) ?? fetched(id, read(merchantId, day)));
    },
    async toSeal(merchantId, day) {
      const id = `${merchantId}/${day}`;
      const found = await (known(id) ?? fetched(id, readOrMake(merchantId, day)));
      if (found !== null) return found;
      // Somebody wanted to open what was not there; now there is something to seal.
      return await fetched(id, readOrMake(merchantId, day));
    },
  };
}

/** Another context than any that credentials are sealed in. */
const contextOf = (day: string): string => `day-key/${day}`;
