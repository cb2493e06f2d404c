import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { userDataSchema } from '../event/event.ts';
import type { UserData } from './draft.ts';
import { BROWSER_ID_KEYS } from './identity.ts';
import type { IdentityLookups } from './lookups.ts';
import { normalizeIdentity } from './normalize.ts';
import { IDENTITY_ISSUES, IDENTITY_RULES } from './variants.ts';

const lookups: IdentityLookups = {
  nationalPhone: (phone, country) => (country === 'US' && /^\d{10}$/.test(phone) ? `+1${phone}` : null),
  countryCode: (name) => (/^[a-z]{2}$/i.test(name) ? name.toUpperCase() : null),
  regionCode: (name, country) => (country === 'US' && /^[a-z]{2}$/i.test(name) ? name.toUpperCase() : null),
};
const sha = (text: string) => hash('sha256', text);

const FULL: UserData = {
  email: 'Jane.Doe+x@Gmail.com',
  phone: '(650) 555-1212',
  gender: 'Female',
  date_of_birth: '1990-01-31',
  first_name: 'Jane',
  last_name: 'Doe',
  city: 'Menlo Park',
  state: 'CA',
  zip: '94025-1234',
  country: 'US',
  customer_id: 'C1',
  external_ids: ['E1'],
  client_ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0',
  browser_ids: { fbp: 'fb.1.1795000000000.1' },
  madid: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
  fb_login_id: '1',
  subscription_id: '2',
  lead_id: '3',
  anon_id: '4',
  ctwa_clid: '5',
};

/** Of the fields that are hashed: the variants that take a digest for whichever of them it is. */
const VARIANTS_OF = {
  email: ['emailAmazon', 'emailGa4', 'emailGoogle', 'emailMicrosoft', 'emailPlain', 'emailReddit'],
  phone: ['phoneDigits', 'phoneE164'],
  gender: ['gender', 'genderOrN'],
  date_of_birth: ['dateOfBirth'],
  first_name: ['firstName', 'firstNameAlnum', 'firstNameGoogle'],
  last_name: ['lastName', 'lastNameAlnum', 'lastNameGoogle'],
  city: ['city', 'cityAlnum'],
  state: ['state', 'stateAlnum'],
  zip: ['postalCode'],
  postal_code: ['postalCode'],
  country: ['country'],
  customer_id: ['externalIds', 'externalIdsCased'],
  madid: ['madid'],
} as const;
const HASHED_FIELDS = Object.keys(VARIANTS_OF) as (keyof typeof VARIANTS_OF)[];

/** Any string may be such an id, so only hex is taken for a digest there. */
const OPAQUE: ReadonlySet<string> = new Set(['customer_id', 'madid']);

describe('normalizeIdentity', () => {
  it('computes every variant, and every variant has its rule', () => {
    const { hashed, raw, plain, issues } = normalizeIdentity(FULL, lookups);
    const rules = Object.values(IDENTITY_RULES).flatMap((variants) => Object.keys(variants));
    expect(new Set([...Object.keys(hashed), ...Object.keys(raw)])).toEqual(new Set(rules));
    expect(new Set(rules).size).toBe(rules.length);
    expect(plain).toEqual({
      email: 'jane.doe+x@gmail.com',
      phone: '+16505551212',
      firstName: 'Jane',
      lastName: 'Doe',
      city: 'Menlo Park',
      region: 'CA',
      postalCode: '94025-1234',
      country: 'US',
      externalId: 'C1',
    });
    expect(issues).toEqual([{ field: 'zip', code: 'zip_plus_four' }]);
  });

  it('has rules for every field of the schema', () => {
    const fields = Object.keys(IDENTITY_RULES).flatMap((field) => field.split(/ or | and /));
    expect(new Set(fields)).toEqual(new Set(Object.keys(userDataSchema.shape)));
  });

  it('says nothing about a person nothing is known of', () => {
    expect(normalizeIdentity({}, lookups)).toEqual({ hashed: {}, raw: {}, plain: {}, issues: [] });
  });

  it.each(HASHED_FIELDS)('never hashes a value of %s that names nobody', (field) => {
    const cases = {
      empty: [null, '', '  ', '\u00a0\ufeff', '\u200b'],
      literal_null: [
        ...['null', 'NULL', ' undefined ', 'None', 'NaN', 'n/a', '(null)'],
        ...['[object Object]', '{{ customer.x }}'],
      ],
      hash_of_empty: ['', ' ', 'null', 'undefined', 'None', '[object Object]'].flatMap((word) => [
        sha(word),
        sha(word).toUpperCase(),
        ...(OPAQUE.has(field) ? [] : [hash('sha256', word, 'base64')]),
        hash('md5', word),
        hash('sha1', word),
      ]),
      double_hashed: [sha(sha('')), sha(sha('').toUpperCase()), sha(sha('null')), sha(hash('md5', ''))],
      malformed: ['\ud800', 'a\udc00b'],
    };
    for (const [code, values] of Object.entries(cases)) {
      for (const value of values) {
        const nothing = { hashed: {}, raw: {}, plain: {}, issues: [{ field, code }] };
        expect(normalizeIdentity({ [field]: value }, lookups), `${value}`).toEqual(nothing);
      }
    }
  });

  it.each(HASHED_FIELDS)('takes a SHA-256 in %s as it is, in any case, and keeps nothing plain', (field) => {
    const digest = sha('somebody');
    const { hashed, plain, raw, issues } = normalizeIdentity({ [field]: digest.toUpperCase() }, lookups);
    expect(Object.keys(hashed).sort()).toEqual(VARIANTS_OF[field]);
    expect(new Set(Object.values(hashed).flat())).toEqual(new Set([digest]));
    expect([plain, raw, issues]).toEqual([{}, {}, [{ field, code: 'already_hashed' }]]);
  });

  it.each(HASHED_FIELDS)('takes a SHA-256 in %s with padding around it, from the wire on', (field) => {
    const digest = sha('somebody');
    for (const padded of [` ${digest}`, `${digest}\n`, `\t ${digest} \u00a0`, `\ufeff${digest}\u200b`]) {
      const { [field]: text } = userDataSchema.parse({ [field]: padded });
      const { hashed } = normalizeIdentity({ [field]: text }, lookups);
      expect(new Set(Object.values(hashed).flat())).toEqual(new Set([digest]));
    }
  });

  it('takes a padded SHA-256 in a list of ids too', () => {
    const { external_ids } = userDataSchema.parse({ external_ids: [` ${sha('somebody')}\n`] });
    expect(normalizeIdentity({ external_ids }, lookups).hashed.externalIds).toEqual([sha('somebody')]);
  });
});

const word = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('+', '0', '1', '4', '9', ' ', '-', '(', ')', 'x', '#'), maxLength: 24 }),
  fc.string({ unit: fc.constantFrom('a', '.', '+', '@', '-', 'é', ' ', '\u0301', '\u200d'), maxLength: 24 }),
  fc.emailAddress(),
  fc.ipV4(),
  fc.ipV6(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 64, maxLength: 64 }),
  fc.constantFrom('null', sha(''), 'US', 'ca', 'f', '94025-1234', 'İ', 'ß', 'ΟΔΟΣ', '\u0000', '__proto__'),
);
const value = fc.option(word, { nil: null });
const userData = fc
  .record(
    {
      ...Object.fromEntries(
        Object.keys(userDataSchema.shape)
          .filter((field) => field !== 'external_ids' && field !== 'browser_ids')
          .map((field) => [field, value]),
      ),
      external_ids: fc.array(value, { maxLength: 20 }),
      browser_ids: fc.record(Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, value])), {
        requiredKeys: [],
      }),
    },
    { requiredKeys: [] },
  )
  // Field by field: hardly any set of words is taken as a whole.
  .map((candidate) =>
    Object.entries(candidate).filter(([f, v]) => userDataSchema.safeParse({ [f]: v }).success),
  )
  .map((taken) => userDataSchema.safeParse(Object.fromEntries(taken)))
  .filter((parsed) => parsed.success)
  .map((parsed) => parsed.data);

const DIGEST = /^[0-9a-f]{64}$/;
const NOTHING = new Set(['', ' ', 'null', 'undefined'].flatMap((text) => [sha(text), sha(sha(text))]));

describe('normalizeIdentity, for anything the schema accepts', () => {
  it('answers with digests, non-empty texts and known issues, the same each time', () => {
    fc.assert(
      fc.property(userData, (data) => {
        const before = structuredClone(data);
        const identity = normalizeIdentity(data, lookups);
        for (const digest of Object.values(identity.hashed).flat()) {
          expect(digest).toMatch(DIGEST);
          expect(NOTHING.has(digest)).toBe(false);
        }
        const { browserIds = {}, ...raw } = identity.raw;
        for (const text of [raw, browserIds, identity.plain].flatMap((one) => Object.values<string>(one))) {
          expect(text.trim()).not.toBe('');
          expect(text.isWellFormed()).toBe(true);
        }
        for (const issue of identity.issues) expect(IDENTITY_ISSUES[issue.code]).toBeTypeOf('string');
        expect(normalizeIdentity(data, lookups)).toEqual(identity);
        expect(data).toEqual(before);
      }),
      { numRuns: 1_500, seed: 20_261_121 },
    );
  });

  it('gives the same digests for what it kept as plain', () => {
    fc.assert(
      fc.property(userData, (data) => {
        const { hashed, plain } = normalizeIdentity(data, lookups);
        const { email, phone, firstName: first_name, lastName: last_name, city, country } = plain;
        const kept = { email, phone, first_name, last_name, city, country };
        const again = normalizeIdentity(kept, lookups).hashed;
        for (const variant of Object.keys(again) as (keyof typeof again)[]) {
          expect([variant, again[variant]]).toEqual([variant, hashed[variant]]);
        }
        if (plain.email !== undefined) expect(again.emailPlain).toBe(sha(plain.email));
        if (plain.phone !== undefined) expect(again.phoneE164).toBe(sha(plain.phone));
        if (plain.country !== undefined) expect(again.country).toBe(sha(plain.country.toLowerCase()));
      }),
      { numRuns: 1_500, seed: 20_261_122 },
    );
  });

  it('ignores the case of everything but ids', () => {
    const fields = ['email', 'first_name', 'last_name', 'city', 'zip', 'gender', 'country'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...fields),
        fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
        (field, text) => {
          const upper = normalizeIdentity({ [field]: text.toUpperCase() }, lookups);
          expect(upper.hashed).toEqual(normalizeIdentity({ [field]: text.toLowerCase() }, lookups).hashed);
        },
      ),
      { numRuns: 1_000, seed: 20_261_123 },
    );
  });

  it('is linear: the longest values of the worst shapes cost no more than others', () => {
    const shapes = ['+', '(0', ' ', '-', '.', '@', 'a@', '0', ':', '::', '\u200b', '\u0301', 'é', '/1', '{{'];
    const started = process.threadCpuUsage();
    for (const shape of shapes) {
      const long = shape.repeat(512).slice(0, 512);
      const data = Object.fromEntries(HASHED_FIELDS.map((field) => [field, long]));
      for (let round = 0; round < 20; round += 1) normalizeIdentity(data, lookups);
    }
    const spent = process.threadCpuUsage(started);
    // 300 identities of 13 fields of 512 characters; quadratic expressions take seconds.
    expect((spent.user + spent.system) / 1_000).toBeLessThan(1_500);
  });
});
