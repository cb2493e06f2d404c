// Whose event it is. Klaviyo finds people by plain values: nothing is hashed, and a digest is of no use to it.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { IdentityIssue, SealedField } from '../../domain/identity/identity.ts';
import type { Fields } from '../answer.ts';
import { storedIds } from '../stored-ids.ts';

export const KLAVIYO_SEALED_FIELDS = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'city',
  'region',
  'postalCode',
  'country',
  'externalId',
] as const satisfies readonly SealedField[];

const EXTERNAL_ID_MAX_CHARS = 255;

/** Attributes of the profile. https://developers.klaviyo.com/en/reference/create_event */
export function klaviyoProfile(event: NormalizedEvent): Fields {
  const { plaintext } = event;
  return {
    ...identifiers(event),
    first_name: plaintext.firstName,
    last_name: plaintext.lastName,
    location: {
      city: plaintext.city,
      region: plaintext.region,
      zip: plaintext.postalCode,
      country: plaintext.country,
    },
  };
}

function identifiers(event: NormalizedEvent): Readonly<Record<string, string | undefined>> {
  const { plaintext, raw } = event;
  const { externalId } = plaintext;
  return {
    email: plaintext.email,
    phone_number: plaintext.phone,
    external_id:
      externalId === undefined || externalId.length > EXTERNAL_ID_MAX_CHARS ? undefined : externalId,
    anonymous_id: raw.anonId,
    _kx: storedIds(event).browserIds?.kx,
  };
}

/**
 * True when Klaviyo can tell whose event it is. `opened`: the plain values are there; before that the digest of an
 * e-mail address, phone or customer id stands for it, unless the merchant sent the digest itself.
 */
export function isMatchable(event: NormalizedEvent, opened: boolean): boolean {
  if (Object.values(identifiers(event)).some((value) => value !== undefined && value !== '')) return true;
  if (opened) return false;
  const { hashed, issues } = event;
  const plain = (...fields: readonly string[]): boolean => !issues.some((issue) => hides(issue, fields));
  return (
    (hashed.emailPlain !== undefined && plain('email')) ||
    (hashed.phoneE164 !== undefined && plain('phone')) ||
    (hashed.externalIds !== undefined && plain('customer_id', 'external_ids'))
  );
}

const hides = ({ field, code }: IdentityIssue, fields: readonly string[]): boolean =>
  code === 'already_hashed' && fields.includes(field);
