// Data keys per merchant and day. Guarantees: a key is made once, wrapped under the merchant's data key (one KMS
// request per merchant, not per day), and kept as kept-keys.ts says: five minutes after its deletion decryption fails
// everywhere. Refuses: making a key for decryption.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports/clock.ts';
import { type DayKeyStore, dayKeyContext } from '../../core/ports/day-keys.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { createKeptKeys, ownBytes } from './kept-keys.ts';

const KEY_BYTES = 32;
const KEPT_MAX = 10_000;

export interface DayKeys {
  /** Makes the key if there is none. */
  toSeal(merchantId: string, day: string): Promise<Uint8Array>;
  /** Null if there is none, or none any more. */
  toOpen(merchantId: string, day: string): Promise<Uint8Array | null>;
}

export interface DayKeyParts {
  readonly vault: Vault;
  readonly store: Pick<DayKeyStore, 'read' | 'create'>;
  readonly clock: Clock;
}

export function createDayKeys({ vault, store, clock }: DayKeyParts): DayKeys {
  const kept = createKeptKeys(clock, KEPT_MAX);

  const unwrap = async (merchantId: string, day: string, wrapped: string): Promise<Uint8Array> =>
    ownBytes(Buffer.from(await vault.open(merchantId, dayKeyContext(day), wrapped), 'base64'));

  const read = async (merchantId: string, day: string): Promise<Uint8Array | null> => {
    const wrapped = await store.read(merchantId, day);
    return wrapped === null ? null : await unwrap(merchantId, day, wrapped);
  };

  const readOrMake = async (merchantId: string, day: string): Promise<Uint8Array> => {
    const found = await read(merchantId, day);
    if (found !== null) return found;
    const made = randomBytes(KEY_BYTES);
    const wrapped = await vault.seal(merchantId, dayKeyContext(day), made.toString('base64'));
    const stored = await store.create(merchantId, day, wrapped);
    return stored === wrapped ? made : await unwrap(merchantId, day, stored);
  };

  return {
    async toOpen(merchantId, day) {
      const id = `${merchantId}/${day}`;
      return await (kept.known(id) ?? kept.keep(id, read(merchantId, day)));
    },
    async toSeal(merchantId, day) {
      const id = `${merchantId}/${day}`;
      const found = await (kept.known(id) ?? kept.keep(id, readOrMake(merchantId, day)));
      if (found !== null) return found;
      // A missing key was cached for decryption; now there is something to encrypt.
      return await kept.keep(id, readOrMake(merchantId, day));
    },
  };
}
