// Every published vector either agrees with the variant a platform takes from us or is a listed divergence.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { eventSchema } from '#lib/events/domain/event/event.ts';
import type { UserData } from '#lib/events/domain/identity/draft.ts';
import type { HashedIdentity, Sha256Hex } from '#lib/events/domain/identity/identity.ts';
import { normalizeIdentity } from '#lib/events/domain/identity/normalize.ts';
import { DIVERGENCES } from './divergences.ts';
import published from './vectors.json' with { type: 'json' };

const lookups = { nationalPhone, countryCode, regionCode };

interface Vector {
  readonly source: string;
  readonly platform: string;
  readonly key: string;
  readonly input: string;
  readonly country?: string;
  readonly expect: string;
  readonly normalized?: string;
  /** As the source prints it; otherwise the digest of `normalized`. */
  readonly sha256?: string;
}
const vectors: readonly Vector[] = published.vectors;

type Field = 'email' | 'phone' | 'first_name' | 'last_name' | 'gender' | 'state' | 'city' | 'zip' | 'country';
type Variant = Exclude<keyof HashedIdentity, 'externalIds' | 'externalIdsCased'>;

/** Which field a platform's key is sent in, and which variants that platform is given: all must agree. */
const KEYS: Readonly<Record<string, readonly (readonly [Field, Variant])[]>> = {
  'meta em': [['email', 'emailPlain']],
  'meta ph': [['phone', 'phoneDigits']],
  'meta fn': [
    ['first_name', 'firstName'],
    ['last_name', 'lastName'],
  ],
  'meta ge': [['gender', 'gender']],
  'meta ct': [['city', 'city']],
  'meta st': [['state', 'state']],
  'meta zp': [['zip', 'postalCode']],
  'meta country': [['country', 'country']],
  'snapchat em': [['email', 'emailPlain']],
  'snapchat ph': [['phone', 'phoneDigits']],
  'snapchat fn': [['first_name', 'firstName']],
  'x hashed_email': [['email', 'emailPlain']],
  'x hashed_phone_number': [['phone', 'phoneE164']],
  'reddit email': [['email', 'emailReddit']],
  'google email_address': [['email', 'emailGoogle']],
  'google phone_number': [['phone', 'phoneE164']],
  'google email': [['email', 'emailGoogle']],
  'google phone': [['phone', 'phoneE164']],
  'pinterest ge': [['gender', 'gender']],
  'pinterest zp': [['zip', 'postalCode']],
  'pinterest country': [['country', 'country']],
  'amazon EMAIL': [['email', 'emailAmazon']],
  'amazon PHONE': [['phone', 'phoneDigits']],
  'amazon POSTAL': [['zip', 'postalCode']],
  'amazon FIRST_NAME|LAST_NAME|ADDRESS|CITY|STATE': [
    ['first_name', 'firstNameAlnum'],
    ['last_name', 'lastNameAlnum'],
    ['city', 'cityAlnum'],
    ['state', 'stateAlnum'],
  ],
  'tiktok email': [['email', 'emailPlain']],
  'tiktok phone': [['phone', 'phoneE164']],
  'microsoft em': [['email', 'emailMicrosoft']],
  'microsoft ph': [['phone', 'phoneE164']],
};

function ours(vector: Vector): readonly (Sha256Hex | undefined)[] {
  if (vector.key === 'currency') {
    // Not identity; taken or refused by the event schema, and never a digest.
    const parsed = eventSchema.shape.currency.safeParse(vector.input);
    return [parsed.success ? `not hashed: ${parsed.data}` : undefined];
  }
  const keys = KEYS[`${vector.platform} ${vector.key}`];
  if (keys === undefined) throw new Error(`no variant for ${vector.platform} ${vector.key}`);
  return keys.map(([field, variant]) => {
    const userData: UserData = { ...(vector.country && { country: vector.country }), [field]: vector.input };
    return normalizeIdentity(userData, lookups).hashed[variant];
  });
}

function theirs(vector: Vector): Sha256Hex | undefined {
  return vector.sha256 ?? (vector.normalized === undefined ? undefined : hash('sha256', vector.normalized));
}

function divergenceOf(vector: Vector) {
  return DIVERGENCES.find(
    (entry) => entry.source === vector.source && entry.key === vector.key && entry.input === vector.input,
  );
}

describe('published vectors', () => {
  it('are all here', () => {
    expect(vectors).toHaveLength(111);
    expect(vectors.filter(({ source }) => /-(docs|spec)$/.test(source))).toHaveLength(19);
    expect(new Set(vectors.map(({ source }) => source))).toEqual(new Set(Object.keys(published.sources)));
  });

  it('are accounted for in the README, source by source', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| (\S+) +\| +(\d+) \| +(\d+) \| +(\d+) \|$/gm)];
    expect(rows.map(([, source]) => source)).toEqual(Object.keys(published.sources));
    for (const [, source, all, agree, diverge] of rows) {
      const own = vectors.filter((vector) => vector.source === source);
      const divergent = own.filter((vector) => divergenceOf(vector) !== undefined);
      expect([all, agree, diverge].map(Number), source).toEqual([
        own.length,
        own.length - divergent.length,
        divergent.length,
      ]);
    }
  });

  it.each(vectors.filter((vector) => divergenceOf(vector) === undefined))(
    'agrees with $source: $key $input',
    (vector) => {
      const expected = theirs(vector);
      for (const digest of ours(vector)) expect(digest).toBe(expected);
    },
  );

  it.each(DIVERGENCES)('diverges from $source: $key $input', (entry) => {
    const vector = vectors.find((candidate) => divergenceOf(candidate) === entry);
    if (vector === undefined) throw new Error('no vector has this divergence');
    expect(ours(vector)).not.toContain(theirs(vector));
    if (entry.key !== 'currency') {
      expect(ours(vector)).toEqual([entry.ours === null ? undefined : hash('sha256', entry.ours)]);
    }
    expect(entry.reason.length).toBeGreaterThan(20);
  });

  it('of X is explained by the digest itself', () => {
    const vector = vectors.find(({ source, key }) => source === 'x-docs' && key === 'hashed_email');
    expect(vector?.sha256).toBe(hash('sha256', 'test@twitter.com'));
  });
});
