// What is known of a person, from what a shop sends to what a platform gets: nothing empty, no digest of nothing, no
// digest of a digest, nothing plain but what the platform declares, and no field the vendor does not have.
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROWSER_ID_KEYS, SEALED_FIELD_NAMES } from '#lib/events/domain/identity/identity.ts';
import { pairsOf } from '../fields/one-field.ts';
import { LEAVES } from '../fields/schema-leaves.ts';
import { loadPlatformModules, type PlatformModule } from './platform-modules.ts';
import { fromWire, type Sent, sentTo } from './wire-event.ts';

const modules = await loadPlatformModules();
const RUNS = { numRuns: 120, seed: 11 };
const sha = (text: string): string => hash('sha256', text);

/** Path → form: `digest`, `plain`, or the constants it may be, separated by spaces. */
function fieldsOf({ expected }: PlatformModule): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(expected.person).flatMap(([prefix, { digest = '', plain = '', oneOf = {} }]) => [
      ...words(digest).map((name) => [prefix + name, 'digest'] as const),
      ...words(plain).map((name) => [prefix + name, 'plain'] as const),
      ...Object.entries(oneOf).map(([name, constants]) => [prefix + name, constants] as const),
    ]),
  );
}

const words = (text: string): readonly string[] => (text === '' ? [] : text.split(' '));

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

describe.each(modules)('a person at $slug', (module) => {
  const { platform, slug } = module;
  const known = fieldsOf(module);
  const prefixes = Object.keys(module.expected.person);
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
      if (form === 'digest') expect(source, path).toMatch(DIGEST);
      else if (form !== 'plain') expect(words(form ?? ''), path).toContain(source.slice(1, -1));
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

  it.each(LEAVES.filter((leaf) => leaf.startsWith('user_data.')))(
    'is told by %s in fields the vendor has',
    (leaf) => {
      for (const json of pairsOf(leaf).flat()) check(sentTo(module, fromWire(json)) ?? [], {});
    },
  );

  it('is passed on as digested by the shop, once, where digests are taken', () => {
    const fields = Object.fromEntries(Object.keys(PLAIN).map((field) => [field, sha(field)]));
    const ids = { ...IDS, kx: 'kx-1' };
    const sent = sentTo(
      module,
      fromWire(wire({ fields, ids, madid: null, userAgent: 'Mozilla/5.0 (Linux; Android 15)' })),
    );
    expect(sent).not.toBeNull();
    check(sent ?? [], fields as Record<PlainField, string>);
    // A prefix that fits nothing would let every field pass.
    expect(sent?.some(({ path }) => known.has(path))).toBe(true);
    const digests = (sent ?? [])
      .map(({ source }) => source.slice(1, -1))
      .filter((text) => /^[0-9a-f]{64}$/.test(text));
    const takesEmail = !platform.sealedFields.includes('email');
    expect(digests.includes(sha('email'))).toBe(takesEmail);
    // Whoever takes it plain has no use for it.
    for (const digest of digests) expect(Object.keys(PLAIN).map((field) => sha(field))).toContain(digest);
  });
});
