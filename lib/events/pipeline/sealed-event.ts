// The event between its two forms: whole, as platforms see it, and at rest, with all that is personal about it sealed.

import { knownFields } from '../domain/event/known-fields.ts';
import type { ClearPart, NormalizedEvent, PersonalPart } from '../domain/event/normalized-event.ts';
import type { NormalizedRow, StoredEvent } from '../domain/event/row.ts';
import type { EventVault, SealedFor } from '../ports/event-vault.ts';

const NOTHING_PERSONAL: PersonalPart = { hashed: {}, raw: {}, plaintext: {} };

/** What rests of an event; nothing is sealed where nothing is personal. */
export async function sealEvent(
  row: SealedFor,
  event: NormalizedEvent,
  vault: Pick<EventVault, 'seal'>,
): Promise<StoredEvent> {
  const { clear, personal } = splitEvent(event);
  const known = knownFields(personal);
  if (isNothing(personal)) return { ...clear, known };
  return { ...clear, known, sealed: await vault.seal(sealedFor(row, event), personal) };
}

/** A replay is sealed under the day of its original, so that it keeps nothing for longer. */
export function sealedFor(
  { key, ingestId, receivedAtMs }: SealedFor,
  { originalReceivedAtMs = receivedAtMs }: Pick<ClearPart, 'originalReceivedAtMs'>,
): SealedFor {
  return { key, ingestId, receivedAtMs: originalReceivedAtMs };
}

/** The event as platforms see it; null once what is personal about it has been erased. Throws `UnreadablePart`. */
export async function openEvent(
  row: NormalizedRow,
  vault: Pick<EventVault, 'open'>,
): Promise<NormalizedEvent | null> {
  // Whoever normalized it while it was erased has put back what nobody may see.
  if (row.erasedBy !== undefined) return null;
  const personal = await openSealed(row, row.event, vault);
  return personal === null ? null : { ...closedEvent(row), ...personal };
}

/** What is personal about an event that was stored in this row; null once it has been erased. */
export async function openSealed(
  row: SealedFor,
  event: StoredEvent,
  vault: Pick<EventVault, 'open'>,
): Promise<PersonalPart | null> {
  const { sealed } = event;
  return sealed === undefined ? NOTHING_PERSONAL : await vault.open(sealedFor(row, event), sealed);
}

/** The event with nothing personal in it, where what is sealed cannot be had. */
export function closedEvent(row: NormalizedRow): NormalizedEvent {
  const { sealed: _s, known: _k, ...clear } = row.event;
  return { ...clear, ...NOTHING_PERSONAL };
}

/** What of an event lies in the clear, and what is sealed. */
export function splitEvent(event: NormalizedEvent): {
  readonly clear: ClearPart;
  readonly personal: PersonalPart;
} {
  const { eventSourceUrl, referrerUrl, customData, hashed, raw, plaintext, ...clear } = event;
  const personal = {
    ...(eventSourceUrl === undefined ? {} : { eventSourceUrl }),
    ...(referrerUrl === undefined ? {} : { referrerUrl }),
    ...(customData === undefined ? {} : { customData }),
    hashed,
    raw,
    plaintext,
  };
  return { clear, personal };
}

/** Parts are objects that hold values only: one without keys says nothing. */
function isNothing(personal: PersonalPart): boolean {
  const parts = [personal.hashed, personal.raw, personal.plaintext];
  return (
    Object.keys(personal).length === parts.length && parts.every((part) => Object.keys(part).length === 0)
  );
}
