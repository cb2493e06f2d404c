// Goal: the examples vendors print in their documents come out as printed. Each digest is the vendor's own, read 2026-11-21;
// where a vendor prints the normalized text alone, the digest is that text's.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import type { HashedIdentity } from './identity.ts';
import { normalizeIdentity } from './normalize.ts';

const LOOKUPS = { nationalPhone, countryCode, regionCode };
type Field = 'email' | 'phone' | 'first_name' | 'country';
type Example = readonly [
  given: Partial<Record<Field, string>>,
  variant: keyof HashedIdentity,
  digest: string,
];
const of = (text: string): string => hash('sha256', text);

/** https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters */
const META: readonly Example[] = [
  [
    { email: 'John_Smith@gmail.com' },
    'emailPlain',
    '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
  ],
  [
    { phone: '(650)555-1212', country: 'US' },
    'phoneDigits',
    'e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176',
  ],
  [{ first_name: 'Mary' }, 'firstName', '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec'],
  [{ first_name: '정' }, 'firstName', '8fa8cd9c440be61d0151429310034083132b35975c4bea67fdd74158eb51db14'],
  [{ first_name: 'Valéry' }, 'firstName', '08e1996b5dd49e62a4b4c010d44e4345592a863bb9f8e3976219bac29417149c'],
];

/** https://developers.snap.com/api/marketing-api/Conversions-API/Parameters */
const SNAPCHAT: readonly Example[] = [
  [
    { email: 'Person@Example.com' },
    'emailPlain',
    '542d240129883c019e106e3b1b2d3f3cb3537c43c425364de8e951d5a3083345',
  ],
  [
    { phone: '+44 844 412 4653' },
    'phoneDigits',
    'dc008fda46e2e64002cf2f82a4906236282d431c4f75e5b60bfe79fc48546383',
  ],
  [{ first_name: 'John' }, 'firstName', '96d9632f363564cc3032521409cf22a852f2032eec099ed5967c0d000cec607a'],
  [
    { first_name: 'Raphaël' },
    'firstName',
    'e74bb89e718fe1e19c422a48382870399f8bf7ca8dfa008739e75b0be76627b7',
  ],
];

/** https://github.com/xdevplatform/docs/blob/main/x-ads-api/measurement/web-conversions.mdx; its e-mail example is the digest of another address. */
const X: readonly Example[] = [
  [
    { phone: '+11234567890' },
    'phoneE164',
    '1fa6b8d986d9b9cd01bf36951815158bbde9f520c0567c835dfe34783d0a4231',
  ],
];

/** https://ads-api.reddit.com/docs/v3/ (Match keys) */
const REDDIT: readonly Example[] = [
  [
    { email: 'Al.ice$+Apple@Example.Com' },
    'emailReddit',
    'ff8d9819fc0e12bf0d24892e45987e249a28dce836a85cad60e28eaaa8c6d976',
  ],
  [
    { email: 'alice@example.com' },
    'emailReddit',
    'ff8d9819fc0e12bf0d24892e45987e249a28dce836a85cad60e28eaaa8c6d976',
  ],
];

/** https://developers.google.com/data-manager/api/devguides/concepts/formatting */
const GOOGLE: readonly Example[] = [
  [{ email: 'cloudy.sanfrancisco+shopping@gmail.com' }, 'emailGoogle', of('cloudysanfrancisco@gmail.com')],
  [{ email: 'user.name+NYC@Example.com' }, 'emailGoogle', of('user.name+nyc@example.com')],
  [{ phone: '(800)555-0100', country: 'US' }, 'phoneE164', of('+18005550100')],
];

describe('examples of the vendors', () => {
  it.each([...META, ...SNAPCHAT, ...X, ...REDDIT, ...GOOGLE])('%j → %s', (given, variant, digest) => {
    expect(normalizeIdentity(given, LOOKUPS).hashed[variant]).toBe(digest);
  });
});
