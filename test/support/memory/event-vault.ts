// Event vaults for tests. The memory one is not secret, but bound to its acceptance and ended with its day as the real one
// is, and it seals without waiting; the other is the real one, over keys in memory.
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createEventVault } from '#lib/adapters/vault/event-vault.ts';
import type { KeyWrapper } from '#lib/adapters/vault/key-wrapper.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import type { Clock } from '#lib/core/ports/clock.ts';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import { dayOf } from '#lib/core/work/utc-day.ts';
import type { PersonalPart } from '#lib/events/domain/event/normalized-event.ts';
import {
  type EventVault,
  type SealedFor,
  type SealedText,
  UnreadablePart,
} from '#lib/events/ports/event-vault.ts';
import { createMemoryDataKeys } from './config-stores.ts';
import { createMemoryTables } from './tables.ts';

export interface MemoryEventVault extends EventVault {
  /** As the deletion of that day's key. */
  eraseDay(merchantId: string, day: string): void;
}

export function createMemoryEventVault(): MemoryEventVault {
  const erased = new Set<string>();
  return {
    seal: async (row, personal) => sealNow(row, personal),
    open: async (row, sealed) => {
      if (erased.has(`${row.key.merchantId}/${dayOf(row.receivedAtMs)}`)) return null;
      const [owner, personal] = parse<PersonalPart>(sealed);
      if (owner !== ownerOf(row)) throw new UnreadablePart(`${row.ingestId} was not sealed here`);
      return personal;
    },
    sealText: async (of, text) => Buffer.from(JSON.stringify([textOwner(of), text])).toString('base64'),
    openText: async (of, sealed) => {
      if (erased.has(`${of.merchantId}/${dayOf(of.atMs)}`)) return null;
      const [owner, text] = parse<string>(sealed);
      if (owner !== textOwner(of)) throw new UnreadablePart(`${of.name} was not sealed here`);
      return text;
    },
    eraseDay: (merchantId, day) => void erased.add(`${merchantId}/${day}`),
  };
}

export function sealNow(row: SealedFor, personal: PersonalPart): string {
  return Buffer.from(JSON.stringify([ownerOf(row), personal])).toString('base64');
}

const ownerOf = ({ key, ingestId }: SealedFor): string =>
  JSON.stringify([key.merchantId, key.channel, key.eventId, ingestId]);

const textOwner = ({ merchantId, name, atMs }: SealedText): string =>
  JSON.stringify([merchantId, name, dayOf(atMs)]);

function parse<T>(sealed: string): [string, T] {
  try {
    return JSON.parse(Buffer.from(sealed, 'base64').toString()) as [string, T];
  } catch {
    throw new UnreadablePart('not sealed');
  }
}

export const createMemoryDayKeys = (): DayKeyStore => createDayKeyStore(createMemoryTables().db, 'config');

/** With a key that is no secret. */
export const PLAIN_WRAPPER: KeyWrapper = {
  generate: async () => ({ plain: Buffer.alloc(32, 7), wrapped: Buffer.alloc(32, 7) }),
  unwrap: async (_name, wrapped) => wrapped,
};

/** Real encryption. */
export function createTestEventVault(clock: Clock, dayKeys: DayKeyStore = createMemoryDayKeys()): EventVault {
  const vault = createVault({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock });
  return createEventVault({ vault, dayKeys, clock });
}
