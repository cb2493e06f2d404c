// What is personal about an event, sealed under its merchant's key of the UTC day of receipt (AES-256-GCM). Guarantees: it
// opens for the acceptance it was sealed for and no other, while that day's key exists, and never after.
import type { Clock } from '../../core/ports/clock.ts';
import type { DayKeyStore } from '../../core/ports/day-keys.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { UnreadableItem } from '../../core/record/unreadable-item.ts';
import { dayOf } from '../../core/work/utc-day.ts';
import {
  type EventVault,
  type SealedFor,
  type SealedText,
  UnreadablePart,
} from '../../events/ports/event-vault.ts';
import { createDayKeys } from './day-keys.ts';
import { packPersonal, unpackPersonal } from './personal-codec.ts';
import { openBox, sealBox } from './sealed-box.ts';

export interface EventVaultParts {
  /** Holds the merchants' data keys, under which the keys of their days are wrapped. */
  readonly vault: Vault;
  readonly dayKeys: Pick<DayKeyStore, 'read' | 'create'>;
  readonly clock: Clock;
}

export function createEventVault({ vault, dayKeys, clock }: EventVaultParts): EventVault {
  const keys = createDayKeys({ vault, store: dayKeys, clock });
  const openedBy = async <T>(
    { merchantId, atMs }: Pick<SealedText, 'merchantId' | 'atMs'>,
    what: string,
    open: (key: Uint8Array) => T,
  ): Promise<T | null> => {
    let key: Uint8Array | null;
    try {
      key = await keys.toOpen(merchantId, dayOf(atMs));
    } catch (error) {
      if (!(error instanceof UnreadableItem)) throw error;
      throw new UnreadablePart(`the key of what is sealed in ${what} cannot be read`, { cause: error });
    }
    if (key === null) return null;
    try {
      return open(key);
    } catch {
      // The error of a parser may quote what it read, and this one is logged.
      throw new UnreadablePart(`what is sealed in ${what} cannot be read`);
    }
  };
  return {
    async seal(row, personal) {
      const key = await keys.toSeal(row.key.merchantId, dayOf(row.receivedAtMs));
      return Buffer.from(sealBox(key, associated(row), packPersonal(personal))).toString('base64');
    },
    async open(row, sealed) {
      const { merchantId } = row.key;
      return await openedBy({ merchantId, atMs: row.receivedAtMs }, row.ingestId, (key) =>
        unpackPersonal(openBox(key, associated(row), Buffer.from(sealed, 'base64'))),
      );
    },
    async sealText(of, text) {
      const key = await keys.toSeal(of.merchantId, dayOf(of.atMs));
      return Buffer.from(sealBox(key, associatedText(of), Buffer.from(text))).toString('base64');
    },
    async openText(of, sealed) {
      return await openedBy(of, of.name, (key) =>
        Buffer.from(openBox(key, associatedText(of), Buffer.from(sealed, 'base64'))).toString(),
      );
    },
  };
}

/** Injective. An archived row keeps its ingest id, and with it what it was sealed for. */
const associated = ({ key, ingestId }: SealedFor): string =>
  JSON.stringify([key.merchantId, key.channel, key.eventId, ingestId]);

/** Two parts, where a row has four. */
const associatedText = ({ merchantId, name }: SealedText): string => JSON.stringify([merchantId, name]);
