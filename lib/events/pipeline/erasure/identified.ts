// What a row says of its person, whatever its state: to compare it with the one who is asked for.

import type { EventRow, StoredEvent } from '../../domain/event/row.ts';
import type { IdentityLookups } from '../../domain/identity/lookups.ts';
import { normalizeIdentity } from '../../domain/identity/normalize.ts';
import type { EventVault, SealedFor } from '../../ports/event-vault.ts';
import { openSealed } from '../sealed-event.ts';
import type { Identified } from './subject.ts';

export interface IdentifyingPorts {
  readonly lookups: IdentityLookups;
  readonly eventVault: Pick<EventVault, 'open'>;
}

/** Null if nothing can be decrypted any more. Personal data restored after an earlier erasure is found. Throws `UnreadablePart`. */
export async function identified(
  row: EventRow,
  { lookups, eventVault }: IdentifyingPorts,
): Promise<Identified | null> {
  if (row.state === 'normalized') return await unsealed(row, row.event, eventVault);
  const { replayOf, body, receivedAtMs } = row;
  if (replayOf === undefined) return normalizeIdentity(body.user_data, lookups, receivedAtMs);
  const { eventId, ingestId, event } = replayOf;
  return await unsealed({ key: { ...row.key, eventId }, ingestId, receivedAtMs }, event, eventVault);
}

async function unsealed(
  row: SealedFor,
  event: StoredEvent,
  vault: IdentifyingPorts['eventVault'],
): Promise<Identified | null> {
  const personal = await openSealed(row, event, vault);
  return personal === null ? null : { hashed: personal.hashed, raw: personal.raw, issues: event.issues };
}
