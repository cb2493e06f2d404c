// Lists that are kept by hand and must follow the identity: a field that is added to it fails to compile here and there, and
// whoever adds it says what becomes of it in each.
import { describe, expect, it } from 'vitest';
import { REDACTED_NAMES } from '#lib/adapters/logger/redaction.ts';
import { packPersonal, unpackPersonal } from '#lib/adapters/vault/personal-codec.ts';
import { type KnownField, knownFields } from '#lib/events/domain/event/known-fields.ts';
import { sha256 } from '#lib/events/domain/identity/digest.ts';
import type { IdentityTraces } from '#lib/events/domain/identity/field-facts.ts';
import type { HashedIdentity, RawIdentity, SealedField } from '#lib/events/domain/identity/identity.ts';
import { type DroppedField, IDENTITY_TRACES } from '#lib/events/domain/rules/fields.ts';

interface Followed {
  /** The rule that drops it. */
  readonly dropped: DroppedField & keyof typeof IDENTITY_TRACES;
  /** What match quality counts it as; null: another field says it already. */
  readonly known: KnownField | null;
}

const HASHED: Readonly<Record<keyof HashedIdentity, Followed>> = {
  emailPlain: { dropped: 'user_data.email', known: 'email' },
  emailGoogle: { dropped: 'user_data.email', known: null },
  emailGa4: { dropped: 'user_data.email', known: null },
  emailReddit: { dropped: 'user_data.email', known: null },
  emailMicrosoft: { dropped: 'user_data.email', known: null },
  emailAmazon: { dropped: 'user_data.email', known: null },
  phoneDigits: { dropped: 'user_data.phone', known: 'phone' },
  phoneE164: { dropped: 'user_data.phone', known: null },
  firstName: { dropped: 'user_data.first_name', known: 'first_name' },
  firstNameGoogle: { dropped: 'user_data.first_name', known: null },
  firstNameAlnum: { dropped: 'user_data.first_name', known: null },
  lastName: { dropped: 'user_data.last_name', known: 'last_name' },
  lastNameGoogle: { dropped: 'user_data.last_name', known: null },
  lastNameAlnum: { dropped: 'user_data.last_name', known: null },
  gender: { dropped: 'user_data.gender', known: 'gender' },
  genderOrN: { dropped: 'user_data.gender', known: null },
  dateOfBirth: { dropped: 'user_data.date_of_birth', known: 'date_of_birth' },
  city: { dropped: 'user_data.city', known: 'city' },
  cityAlnum: { dropped: 'user_data.city', known: null },
  state: { dropped: 'user_data.state', known: 'state' },
  stateAlnum: { dropped: 'user_data.state', known: null },
  postalCode: { dropped: 'user_data.postal_code', known: 'postal_code' },
  country: { dropped: 'user_data.country', known: 'country' },
  externalIds: { dropped: 'user_data.external_ids', known: 'external_id' },
  externalIdsCased: { dropped: 'user_data.external_ids', known: null },
  madid: { dropped: 'user_data.madid', known: null },
};

const RAW: Readonly<Record<keyof RawIdentity, Followed & { readonly isLogged?: true }>> = {
  clientIp: { dropped: 'user_data.client_ip', known: 'client_ip' },
  userAgent: { dropped: 'user_data.user_agent', known: 'user_agent' },
  madid: { dropped: 'user_data.madid', known: null },
  fbLoginId: { dropped: 'user_data.fb_login_id', known: null },
  // Also what a merchant pays for.
  subscriptionId: { dropped: 'user_data.subscription_id', known: null, isLogged: true },
  leadId: { dropped: 'user_data.lead_id', known: null },
  anonId: { dropped: 'user_data.anon_id', known: null },
  ctwaClid: { dropped: 'user_data.ctwa_clid', known: null },
  browserIds: { dropped: 'user_data.browser_ids', known: 'fbp' },
};

const PLAIN: Readonly<Record<SealedField, Pick<Followed, 'dropped'>>> = {
  email: { dropped: 'user_data.email' },
  phone: { dropped: 'user_data.phone' },
  firstName: { dropped: 'user_data.first_name' },
  lastName: { dropped: 'user_data.last_name' },
  city: { dropped: 'user_data.city' },
  region: { dropped: 'user_data.state' },
  postalCode: { dropped: 'user_data.postal_code' },
  country: { dropped: 'user_data.country' },
  externalId: { dropped: 'user_data.external_ids' },
};

const tracesOf = (field: keyof typeof IDENTITY_TRACES): IdentityTraces => IDENTITY_TRACES[field];
const digest = sha256('a value that is longer than two letters');
const sampleOf = (name: keyof HashedIdentity) =>
  name === 'externalIds' || name === 'externalIdsCased' ? [digest] : digest;

describe.each(Object.entries(HASHED))('the digest %s', (key, { dropped, known }) => {
  const name = key as keyof HashedIdentity;
  const hashed: HashedIdentity = { [name]: sampleOf(name) };
  it('is there again when it was sealed and opened', () => {
    const opened = unpackPersonal(packPersonal({ hashed, raw: {}, plaintext: {} }));
    expect(opened.hashed).toMatchObject(hashed);
  });
  it('is dropped with its field, and counted as what it is', () => {
    expect(tracesOf(dropped).hashed).toContain(name);
    expect(knownFields({ hashed, raw: {} })).toEqual(known === null ? [] : [known]);
  });
});

it('all digests of an event are there again', () => {
  const hashed = Object.fromEntries(
    (Object.keys(HASHED) as (keyof HashedIdentity)[]).map((name) => {
      const own = sha256(`longer than two letters: ${name}`);
      return [name, Array.isArray(sampleOf(name)) ? [own] : own];
    }),
  );
  expect(unpackPersonal(packPersonal({ hashed, raw: {}, plaintext: {} })).hashed).toEqual(hashed);
});

describe.each(Object.entries(RAW))('the identifier %s', (key, { dropped, known, isLogged }) => {
  const name = key as keyof RawIdentity;
  const raw: RawIdentity = { [name]: name === 'browserIds' ? { fbp: 'fb.1.2.3' } : 'value' };
  it('is there again, is dropped with its field, counted, and no word of a log', () => {
    expect(unpackPersonal(packPersonal({ hashed: {}, raw, plaintext: {} })).raw).toEqual(raw);
    expect(tracesOf(dropped).raw).toContain(name);
    expect(knownFields({ hashed: {}, raw })).toEqual(known === null ? [] : [known]);
    expect(REDACTED_NAMES.has(name.toLowerCase())).toBe(isLogged !== true);
  });
});

it.each(Object.entries(PLAIN))('the plain value %s is dropped with its field', (name, { dropped }) => {
  expect(tracesOf(dropped).plaintext).toContain(name);
});
