// The event in its two forms: whole, as platforms see it, and stored, with all personal data encrypted.

import { knownFields } from '../domain/event/known-fields.ts';
import type { ClearPart, NormalizedEvent, PersonalPart } from '../domain/event/normalized-event.ts';
import type { NormalizedRow, StoredEvent } from '../domain/event/row.ts';
import type { EventVault, SealedFor } from '../ports/event-vault.ts';

const NOTHING_PERSONAL: PersonalPart = { hashed: {}, raw: {}, plaintext: {} };

/** The stored form of an event; nothing is encrypted if nothing is personal. */
export async function sealEvent(
  row: SealedFor,
  event: NormalizedEvent,
  vault: Pick<EventVault, 'seal'>,
): Promise<StoredEvent> {
  const { clear, personal } = splitEvent(event);
  const known = knownFields(personal, event.fromEarlier);
  if (isNothing(personal)) return { ...clear, known };
  return { ...clear, known, sealed: await vault.seal(sealedFor(row, event), personal) };
}

/** A replay is encrypted under the day of its original, so that it is kept no longer. */
export function sealedFor(
  { key, ingestId, receivedAtMs }: SealedFor,
  { originalReceivedAtMs = receivedAtMs }: Pick<ClearPart, 'originalReceivedAtMs'>,
): SealedFor {
  return { key, ingestId, receivedAtMs: originalReceivedAtMs };
}

/** The event as platforms see it; null once its personal data was erased. Throws `UnreadablePart`. */
export async function openEvent(
  row: NormalizedRow,
  vault: Pick<EventVault, 'open'>,
): Promise<NormalizedEvent | null> {
  // A normalization concurrent with the erasure may have put the data back: it is not decrypted.
  if (row.erasedBy !== undefined) return null;
  const personal = await openSealed(row, row.event, vault);
  return personal === null ? null : { ...closedEvent(row), ...personal };
}

/** The personal data of an event stored in this row; null once it was erased. */
export async function openSealed(
  row: SealedFor,
  event: StoredEvent,
  vault: Pick<EventVault, 'open'>,
): Promise<PersonalPart | null> {
  const { sealed } = event;
  return sealed === undefined ? NOTHING_PERSONAL : await vault.open(sealedFor(row, event), sealed);
}

/** The event without personal data, for when that cannot be decrypted. */
export function closedEvent(row: NormalizedRow): NormalizedEvent {
  const { sealed: _s, known: _k, ...clear } = row.event;
  return { ...clear, ...NOTHING_PERSONAL };
}

/** Splits an event into its clear and its encrypted part. */
export function splitEvent(event: NormalizedEvent): {
  readonly clear: ClearPart;
  readonly personal: PersonalPart;
} {
  const { eventSourceUrl, referrerUrl, customData, app, hashed, raw, plaintext, ...clear } = event;
  const personal = {
    ...(eventSourceUrl === undefined ? {} : { eventSourceUrl }),
    ...(referrerUrl === undefined ? {} : { referrerUrl }),
    ...(customData === undefined ? {} : { customData }),
    ...(app === undefined ? {} : { app }),
    hashed,
    raw,
    plaintext,
  };
  return { clear, personal };
}

/** A part without keys has no data: parts are objects of values only. */
function isNothing(personal: PersonalPart): boolean {
  const parts = [personal.hashed, personal.raw, personal.plaintext];
  return (
    Object.keys(personal).length === parts.length && parts.every((part) => Object.keys(part).length === 0)
  );
}
