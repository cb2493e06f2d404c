// From what was sent about a person to every variant a platform may ask for, once per event.
// Guarantees: total for any input the event schema accepts; pure, given lookups that are; a variant is the digest of a
// non-empty normalized value, or of the sender's own SHA-256, or absent. Refuses to guess: what is dropped has an issue.

import { addDateOfBirth } from './birth-date.ts';
import type { Visit } from './browser-ids.ts';
import { createDraft, type UserData } from './draft.ts';
import { addEmail } from './email.ts';
import { addExternalIds, addRaw } from './identifiers.ts';
import type { NormalizedIdentity } from './identity.ts';
import type { IdentityLookups } from './lookups.ts';
import { addGender, addNames } from './name.ts';
import { addPhone } from './phone.ts';
import { addCity, addCountry, addPostalCode, addState } from './place.ts';

/** 9999-12-31: without a time of receipt no date lies in the future. */
const END_OF_TIME_MS = 253_402_214_400_000 - 86_400_000;

/**
 * Every variant of every identifier in `userData`; the rule of each is in `variants.ts`.
 * @param nowMs when the event came in: birth dates and clicks after it are dropped
 * @param visit without it no click is read from an address
 */
export function normalizeIdentity(
  userData: UserData,
  lookups: IdentityLookups,
  nowMs: number = END_OF_TIME_MS,
  visit?: Visit,
): NormalizedIdentity {
  const draft = createDraft(userData, lookups, nowMs, visit);
  const country = addCountry(draft);
  addEmail(draft);
  addPhone(draft, country);
  addNames(draft);
  addGender(draft);
  addDateOfBirth(draft);
  addCity(draft);
  addState(draft, country);
  addPostalCode(draft, country);
  addExternalIds(draft);
  addRaw(draft);
  return { hashed: draft.hashed, raw: draft.raw, plain: draft.plain, issues: draft.issues };
}
