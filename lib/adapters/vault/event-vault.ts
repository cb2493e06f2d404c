// What is personal about an event, sealed under its merchant's key of the UTC day of receipt (AES-256-GCM). Guarantees: it
// opens for the acceptance it was sealed for and no other, while that day's key exists, and never after.
import type { Clock } from '../../core/ports/clock.ts';
import type { DayKeyStore } from '../../core/ports/day-keys.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { UnreadableItem } from '../../core/record/unreadable-item.ts';
import { dayOf } from '../../core/work/utc-day.ts';
import { type EventVault, type SealedFor, UnreadablePart } from '../../events/ports/event-vault.ts';
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
  const keyOf = async (row: SealedFor) => {
    try {
      return await keys.toOpen(row.key.merchantId, dayOf(row.receivedAtMs));
    } catch (error) {
      if (!(error instanceof UnreadableItem)) throw error;
      throw new UnreadablePart(`the key of what is sealed in ${row.ingestId} cannot be read`, {
        cause: error,
      });
    }
  };
  return {
    async seal(row, personal) {
      const key = await keys.toSeal(row.key.merchantId, dayOf(row.receivedAtMs));
      return Buffer.from(sealBox(key, associated(row), packPersonal(personal))).toString('base64');
    },
    async open(row, sealed) {
      const key = await keyOf(row);
      if (key === null) return null;
      try {
        return unpackPersonal(openBox(key, associated(row), Buffer.from(sealed, 'base64')));
      } catch {
        // The error of a parser may quote what it read, and this one is logged.
        throw new UnreadablePart(`what is sealed in ${row.ingestId} cannot be read`);
      }
    },
  };
}

/** Injective. An archived row keeps its ingest id, and with it what it was sealed for. */
const associated = ({ key, ingestId }: SealedFor): string =>
  JSON.stringify([key.merchantId, key.channel, key.eventId, ingestId]);
