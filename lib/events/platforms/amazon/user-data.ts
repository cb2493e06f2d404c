// Which variant of each identifier Amazon takes, and when there is one.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { IdentityIssue, SealedField } from '../../domain/identity/identity.ts';
import { storedIds } from '../stored-ids.ts';

/** Amazon takes the country with the event, and the customer's id in the shop, as they are. */
export const AMAZON_SEALED_FIELDS = ['country', 'externalId'] as const satisfies readonly SealedField[];

export interface MatchKey {
  readonly type: string;
  readonly values: readonly [string];
}

/**
 * What is known of the person, hashed, with the ids of devices and shop as they are.
 * https://advertising.amazon.com/API/docs/en-us/amazon-ads/1-0/betas#tag/Events
 */
export function matchKeys(event: NormalizedEvent): readonly MatchKey[] {
  const { hashed, raw, plaintext } = event;
  const all = {
    EMAIL: hashed.emailAmazon,
    PHONE: hashed.phoneDigits,
    FIRST_NAME: hashed.firstNameAlnum,
    LAST_NAME: hashed.lastNameAlnum,
    CITY: hashed.cityAlnum,
    STATE: hashed.stateAlnum,
    POSTAL: hashed.postalCode,
    MAID: storedIds(event).madid,
    MATCH_ID: matchId(plaintext.externalId),
    FIP: raw.clientIp,
  };
  return Object.entries(all).flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, values: [value] as const }],
  );
}

/** A customer id that is an e-mail address is no opaque id: it must not leave unhashed. */
function matchId(externalId: string | undefined): string | undefined {
  return externalId?.includes('@') === true || externalId === '' ? undefined : externalId;
}

/**
 * True when Amazon can try to match a person. `opened`: the plain values are there; before that the digest of a
 * customer id stands for it, unless the merchant sent the digest itself.
 */
export function isMatchable(event: NormalizedEvent, opened: boolean): boolean {
  if (matchKeys(event).length > 0) return true;
  return !opened && event.hashed.externalIds !== undefined && !event.issues.some(hidesExternalId);
}

const hidesExternalId = ({ field, code }: IdentityIssue): boolean =>
  code === 'already_hashed' && (field === 'customer_id' || field === 'external_ids');
