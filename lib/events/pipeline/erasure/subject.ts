// The person whose events are to be erased, as digests, and the test whether an event is theirs. Platforms ask for
// different spellings of a value. So an event that had the plain value is compared by the spellings that identify one
// mailbox or number, and an event whose sender had hashed it by all spellings. Guarantees: pure; holds no plain value.
// Refuses: a number without its country code, which may belong to several people.

import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { sha256 } from '../../domain/identity/digest.ts';
import type { HashedIdentity, IdentityIssue, Sha256Hex } from '../../domain/identity/identity.ts';
import type { IdentityLookups } from '../../domain/identity/lookups.ts';
import { normalizeIdentity } from '../../domain/identity/normalize.ts';
import { identityKey } from '../attribution/clicks.ts';

/**
 * What each digest of an event identifies: one mailbox, number or id in one spelling; a spelling that several mailboxes
 * share; a number that may lack its country code; or no person by itself. A digest missing here does not compile,
 * because it would never be searched for.
 */
const NAMES = {
  emailPlain: 'mailbox',
  emailGoogle: 'mailbox',
  emailGa4: 'mailbox',
  emailReddit: 'mailboxes',
  emailMicrosoft: 'mailboxes',
  emailAmazon: 'mailboxes',
  phoneDigits: 'number',
  phoneE164: 'number',
  externalIdsCased: 'id',
  externalIds: 'id in any case',
  // Values that many people share, and values of a device.
  firstName: null,
  firstNameGoogle: null,
  firstNameAlnum: null,
  lastName: null,
  lastNameGoogle: null,
  lastNameAlnum: null,
  gender: null,
  genderOrN: null,
  dateOfBirth: null,
  city: null,
  cityAlnum: null,
  state: null,
  stateAlnum: null,
  postalCode: null,
  country: null,
  madid: null,
} as const satisfies Readonly<Record<keyof HashedIdentity, string | null>>;

type Name = NonNullable<(typeof NAMES)[keyof HashedIdentity]>;

export function named(hashed: HashedIdentity, ...names: readonly Name[]): readonly (Sha256Hex | undefined)[] {
  const keys = (Object.keys(NAMES) as (keyof HashedIdentity)[]).filter((key) =>
    names.some((name) => name === NAMES[key]),
  );
  return keys.flatMap((key) => hashed[key]);
}

export interface SubjectWords {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly external_id?: string | undefined;
}

interface Digests {
  /** For events that had the plain value. */
  readonly exact: readonly Sha256Hex[];
  /** For events whose sender hashed it. */
  readonly hashed: readonly Sha256Hex[];
}

export interface Subject {
  readonly email?: Digests;
  /** `national`: for events whose number came without its country code. */
  readonly phone?: Digests & { readonly national: readonly Sha256Hex[] };
  /** `anyCase`: the request had a digest, perhaps of the lowercase value. */
  readonly externalId?: Digests & { readonly anyCase: boolean };
}

export interface SubjectProblem {
  readonly path: string;
  readonly message: string;
}

/** Digests, identifiers and normalization issues of an event. */
export type Identified = Pick<NormalizedEvent, 'hashed' | 'raw' | 'issues'>;

export function subjectOf(
  words: SubjectWords,
  lookups: IdentityLookups,
): { readonly subject: Subject } | { readonly problems: readonly SubjectProblem[] } {
  const problems: SubjectProblem[] = [];
  const need = <T>(path: string, wanted: boolean, read: () => T | null, message: string): T | undefined => {
    if (!wanted) return undefined;
    const found = read();
    if (found === null) problems.push({ path, message });
    return found ?? undefined;
  };
  const email = need(
    'email',
    words.email !== undefined,
    () => emailDigests(words.email ?? '', lookups),
    'must be an e-mail address, or the SHA-256 of one',
  );
  const phone = need(
    'phone',
    words.phone !== undefined,
    () => phoneDigests(words.phone ?? '', lookups),
    'must be a number with + and its country code, or the SHA-256 of one',
  );
  const externalId = need(
    'external_id',
    words.external_id !== undefined,
    () => externalDigests(words.external_id ?? '', lookups),
    'must be an id that names somebody, or the SHA-256 of one',
  );
  if (problems.length > 0) return { problems };
  return {
    subject: withoutUndefined({ email, phone, externalId }),
  };
}

/** Each digest with its field. */
export function digestsOf({ email, phone, externalId }: Subject): readonly string[] {
  return Object.entries({ email, phone, externalId }).flatMap(([field, digests]) =>
    (digests?.exact ?? []).map((digest) => `${field}:${digest}`),
  );
}

/** Keys under which clicks and orders of the person may be stored, found without reading rows. */
export function personKeysOf(merchantId: string, { email, phone, externalId }: Subject): readonly string[] {
  const kinds = { email, phone, external_id: externalId };
  return Object.entries(kinds).flatMap(([kind, digests]) =>
    (digests?.hashed ?? []).map((digest) => identityKey(merchantId, kind, digest)),
  );
}

/** True if the event has any of the subject's identifiers. */
export function isOf(
  event: Pick<Identified, 'hashed' | 'issues'>,
  { email, phone, externalId }: Subject,
): boolean {
  const { hashed: said } = event;
  return (
    isAmong(email, named(said, 'mailbox'), wasHashed(event, 'email')) ||
    isAmong(phone, named(said, 'number'), wasHashed(event, 'phone')) ||
    (said.phoneE164 === undefined && overlap(phone?.national, [said.phoneDigits])) ||
    isAmong(
      externalId,
      named(said, 'id', ...(externalId?.anyCase === true ? (['id in any case'] as const) : [])),
      wasHashed(event, 'customer_id') || wasHashed(event, 'external_ids'),
    )
  );
}

function isAmong(
  digests: Digests | undefined,
  said: readonly (Sha256Hex | undefined)[],
  hashedBySender: boolean,
): boolean {
  return overlap(digests?.exact, said) || (hashedBySender && overlap(digests?.hashed, said));
}

const overlap = (wanted: readonly Sha256Hex[] = [], said: readonly (Sha256Hex | undefined)[]): boolean =>
  said.some((digest) => digest !== undefined && wanted.includes(digest));

export const wasHashed = (
  { issues }: { readonly issues: readonly IdentityIssue[] },
  field: string,
): boolean => issues.some((issue) => issue.field === field && issue.code === 'already_hashed');

function emailDigests(email: string, lookups: IdentityLookups): Digests | null {
  const { hashed } = normalizeIdentity({ email }, lookups);
  const exact = present(named(hashed, 'mailbox'));
  if (exact.length === 0) return null;
  return { exact, hashed: present(named(hashed, 'mailbox', 'mailboxes')) };
}

const COUNTRY_CODE_LENGTHS = [1, 2, 3];
const NATIONAL_DIGITS_MIN = 7;

function phoneDigests(phone: string, lookups: IdentityLookups): Subject['phone'] | null {
  const { hashed, plain, issues } = normalizeIdentity({ phone }, lookups);
  if (hashed.phoneE164 === undefined) return null;
  if (issues.some(({ code }) => code === 'phone_without_country_code')) return null;
  const exact = present(named(hashed, 'number'));
  const digits = plain.phone?.slice(1) ?? '';
  const national = COUNTRY_CODE_LENGTHS.map((length) => digits.slice(length))
    .filter((rest) => rest.length >= NATIONAL_DIGITS_MIN)
    .map((rest) => sha256(rest.replace(/^0+/, '')));
  return { exact, national, hashed: [...exact, ...national] };
}

function externalDigests(id: string, lookups: IdentityLookups): Subject['externalId'] | null {
  const { hashed, issues } = normalizeIdentity({ customer_id: id }, lookups);
  const [cased] = hashed.externalIdsCased ?? [];
  if (cased === undefined) return null;
  const anyCase = wasHashed({ issues }, 'customer_id');
  return { exact: [cased], hashed: present([cased, ...(hashed.externalIds ?? [])]), anyCase };
}

const present = (digests: readonly (Sha256Hex | undefined)[]): readonly Sha256Hex[] => [
  ...new Set(digests.filter((digest) => digest !== undefined)),
];
