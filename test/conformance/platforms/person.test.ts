// What is known of a person, from what a shop sends to what a platform gets: nothing empty, no digest of nothing, no
// digest of a digest, nothing plain but what the platform declares, and no field the vendor does not have.
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROWSER_ID_KEYS, SEALED_FIELD_NAMES } from '../../../lib/domain/identity.ts';
import { loadPlatformModules } from './platform-modules.ts';
import { fromWire, type Sent, sentTo } from './wire-event.ts';

const modules = await loadPlatformModules();
const RUNS = { numRuns: 120, seed: 11 };
const sha = (text: string): string => hash('sha256', text);

/**
 * The fields each vendor has for a person, written by hand from its documents: `h` takes a SHA-256, `r` the value as it
 * is, `=` one of the constants after it. Any other field below the same objects fails.
 */
const FIELDS: Readonly<Record<string, string>> = {
  meta: `data[].user_data.: em[] h, ph[] h, ge h, db h, fn h, ln h, ct h, st h, zp h, country h, external_id[] h,
    client_ip_address r, client_user_agent r, fbp r, fbc r, madid r, fb_login_id r, lead_id r, subscription_id r, anon_id r,
    ctwa_clid r`,
  google_ads: `events[].userData.userIdentifiers[].: emailAddress h, phoneNumber h, address.givenName h,
    address.familyName h, address.regionCode r, address.postalCode r;
    events[].adIdentifiers.: gclid r, gbraid r, wbraid r; events[].eventDeviceInfo.: userAgent r, ipAddress r`,
  ga4: `user_data.: sha256_email_address[] h, sha256_phone_number[] h, address[].sha256_first_name h,
    address[].sha256_last_name h, address[].city r, address[].region r, address[].postal_code r, address[].country r;
    client_: id r; user_: id r, data.sha256_email_address[] h, data.sha256_phone_number[] h,
    data.address[].sha256_first_name h, data.address[].sha256_last_name h, data.address[].city r, data.address[].region r,
    data.address[].postal_code r, data.address[].country r`,
  tiktok: `data[].user.: email h, phone h, external_id[] h, first_name h, last_name h, zip_code h, ttclid r, ttp r, ip r,
    user_agent r`,
  snapchat: `data[].user_data.: em[] h, ph[] h, fn[] h, ln[] h, ge[] h, db[] h, ct[] h, st[] h, zp[] h, country[] h,
    external_id[] h, client_ip_address r, client_user_agent r, madid r, subscription_id r, lead_id r, sc_click_id r,
    sc_cookie1 r`,
  pinterest: `data[].user_data.: em[] h, ph[] h, ge[] h, db[] h, fn[] h, ln[] h, ct[] h, st[] h, zp[] h, country[] h,
    external_id[] h, hashed_maids[] h, client_ip_address r, client_user_agent r, click_id r`,
  linkedin: `elements[].user.: userIds[].idType =SHA256_EMAIL|LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID,
    userIds[].idValue r, userInfo.firstName r, userInfo.lastName r, userInfo.countryCode r, externalIds[] r`,
  reddit: `data.events[].user.: email h, phone_number h, external_id h, ip_address r, user_agent r, aaid h, idfa r, uuid r,
    data_processing_options.modes[] =LDU; data.events[].click_: id r`,
  x: `conversions[].identifiers[].: twclid r, hashed_email h, hashed_phone_number h, ip_address r, user_agent r`,
  microsoft: `data[].userData.: anonymousId r, externalId h, em h, ph h, msclkid r, clientIpAddress r, clientUserAgent r,
    idfa r, gaid r`,
  amazon: `events[].matchKeys[].: type
    =EMAIL|PHONE|FIRST_NAME|LAST_NAME|CITY|STATE|POSTAL|MAID|MATCH_ID|FIP, values[] r; events[].deviceInfo.: userAgent r`,
  klaviyo: `data.attributes.profile.data.attributes.: email r, phone_number r, external_id r, anonymous_id r, _kx r,
    first_name r, last_name r, location.city r, location.region r, location.zip r, location.country r`,
};

/** Path → form. */
function fieldsOf(slug: string): ReadonlyMap<string, string> {
  const groups = (FIELDS[slug] ?? '').split(';').map((group) => group.trim());
  return new Map(
    groups.flatMap((group) => {
      const [prefix = '', list = ''] = group.split(/:\s/);
      return list.split(',').map((entry) => {
        const [name = '', form = ''] = entry.trim().split(/\s+/);
        return [`${prefix}${name}`, form] as const;
      });
    }),
  );
}

const prefixesOf = (slug: string): readonly string[] =>
  (FIELDS[slug] ?? '').split(';').map((group) => group.trim().split(/:\s/)[0] ?? '');

const PLAIN = {
  email: 'jane.doe+tag@gmail.com',
  phone: '+16505551212',
  first_name: 'Jane',
  last_name: 'Doeringer',
  city: 'Menlo Park',
  state: 'CA',
  postal_code: '94025',
  country: 'US',
  customer_id: 'Cust-4711',
  date_of_birth: '1990-01-31',
  gender: 'f',
} as const;
type PlainField = keyof typeof PLAIN;

/** How each plain value would be recognised, whatever it went through that is not a digest. */
const TRACES: Readonly<Record<PlainField, RegExp>> = {
  email: /jane\.?doe/i,
  phone: /6505551212/,
  first_name: /^"jane"$/i,
  last_name: /doeringer/i,
  city: /menlo/i,
  state: /^"ca"$/i,
  postal_code: /^"94025"$/,
  country: /^"us"$/i,
  customer_id: /cust-4711/i,
  date_of_birth: /1990.?01.?31/,
  gender: /^"f"$/i,
};

/** What programs send when they have nothing. */
const NOTHING = [
  '',
  ' ',
  '\t',
  '   ',
  'null',
  'undefined',
  'NULL',
  'NaN',
  'None',
  '[object Object]',
  null,
] as const;
const nothing = fc.constantFrom(...NOTHING);
const IDS = Object.fromEntries(BROWSER_ID_KEYS.map((key) => [key, `${key}-1`]));

const person = fc.record({
  fields: fc.record(
    Object.fromEntries(
      Object.entries(PLAIN).map(([field, plain]) => [
        field,
        fc.oneof(fc.constant(plain), fc.constant(sha(field)), nothing),
      ]),
    ) as Record<PlainField, fc.Arbitrary<string | null>>,
    { requiredKeys: [] },
  ),
  ids: fc.oneof(fc.constant(IDS), fc.dictionary(fc.constantFrom(...BROWSER_ID_KEYS), nothing)),
  madid: fc.oneof(fc.constant('6D92078A-8246-4BA4-AE5B-76104861E7DC'), nothing),
  userAgent: fc.constantFrom('Mozilla/5.0 (Linux; Android 15)', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)'),
});

function wire({
  fields,
  ids,
  madid,
  userAgent,
}: typeof person extends fc.Arbitrary<infer P> ? P : never): string {
  const body = {
    event_id: 'lead-1',
    event_name: 'Lead',
    event_time: 1_795_176_000,
    event_source_url: 'https://shop.example/contact',
    user_data: { ...fields, browser_ids: ids, madid, user_agent: userAgent, client_ip: '203.0.113.7' },
  };
  return JSON.stringify(body);
}

const DIGEST = /^"[0-9a-f]{64}"$/;
/** Every digest of nothing, and every digest of a digest that was sent. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  ...NOTHING.flatMap((word) => [sha(word ?? ''), sha((word ?? '').trim()), sha((word ?? '').toLowerCase())]),
  ...Object.keys(PLAIN).flatMap((field) => [sha(sha(field)), sha(sha(field).toUpperCase())]),
]);

it('is looked at for every platform there is', () => {
  expect(Object.keys(FIELDS).sort()).toEqual(modules.map(({ slug }) => slug).sort());
});

describe.each(modules)('a person at $slug', (module) => {
  const { platform, slug } = module;
  const known = fieldsOf(slug);
  const prefixes = prefixesOf(slug);
  const plainAllowed = new Set(platform.sealedFields.map((field) => SEALED_FIELD_NAMES[field]));

  function check(sent: readonly Sent[], given: Readonly<Partial<Record<PlainField, string | null>>>): void {
    for (const { path, source } of sent) {
      expect(source, path).not.toMatch(
        /^(?:null|"\s*"|"null"|"undefined"|"NaN"|"None"|"\[object Object\]")$/i,
      );
      expect(FORBIDDEN.has(source.slice(1, -1)), `${path}: ${source}`).toBe(false);
      for (const [field, trace] of Object.entries(TRACES))
        if (given[field as PlainField] === PLAIN[field as PlainField] && trace.test(source))
          expect(plainAllowed, `${path}: ${source}`).toContain(field);
      if (!prefixes.some((prefix) => path.startsWith(prefix))) continue;
      const form = known.get(path);
      expect(form, `${path} is no field of a person at ${slug}`).toBeDefined();
      if (form === 'h') expect(source, path).toMatch(DIGEST);
      if (form?.startsWith('=')) expect(form.slice(1).split('|'), path).toContain(source.slice(1, -1));
    }
  }

  it('has nothing empty, nothing hashed twice, nothing plain but what was declared, and no foreign field', () => {
    let sentOnes = 0;
    fc.assert(
      fc.property(person, (drawn) => {
        const sent = sentTo(module, fromWire(wire(drawn)));
        if (sent === null) return;
        sentOnes += 1;
        check(sent, drawn.fields);
      }),
      RUNS,
    );
    expect(sentOnes).toBeGreaterThan(RUNS.numRuns / 5);
  });

  it('is passed on as digested by the shop, once, where digests are taken', () => {
    const fields = Object.fromEntries(Object.keys(PLAIN).map((field) => [field, sha(field)]));
    const ids = { ...IDS, kx: 'kx-1' };
    const sent = sentTo(
      module,
      fromWire(wire({ fields, ids, madid: null, userAgent: 'Mozilla/5.0 (Linux; Android 15)' })),
    );
    expect(sent).not.toBeNull();
    check(sent ?? [], fields as Record<PlainField, string>);
    const digests = (sent ?? [])
      .map(({ source }) => source.slice(1, -1))
      .filter((text) => /^[0-9a-f]{64}$/.test(text));
    const takesEmail = !platform.sealedFields.includes('email');
    expect(digests.includes(sha('email'))).toBe(takesEmail);
    // Whoever takes it plain has no use for it.
    for (const digest of digests) expect(Object.keys(PLAIN).map((field) => sha(field))).toContain(digest);
  });
});
