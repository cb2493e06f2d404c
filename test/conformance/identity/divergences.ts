// Where this project normalizes otherwise than somebody whose vector is in vectors.json, and why. Held by
// vectors.test.ts: an entry that no longer diverges, or that no vector has, fails.

export interface Divergence {
  /** Key of `sources` in vectors.json. */
  readonly source: string;
  readonly key: string;
  readonly input: string;
  /** What is hashed here instead; null when the value is left out. */
  readonly ours: string | null;
  readonly reason: string;
}

const STATE_CODES =
  'The interface asks for the state code and Meta documents two letters for US states; Meta’s own parameter builder and Segment map names to codes as we do.';
const CITY_DIGITS =
  'The interface removes spaces and punctuation of a city, not digits; Meta’s documentation names punctuation and spaces only.';
const POSTAL_HYPHEN =
  'Meta documents "no spaces and no dash" and five digits for US codes; cutting every code at its first hyphen would make 01310-100 (Brazil) and 01310-200 one place. Nothing here says US.';
const EMAIL_REPAIR =
  'A repaired address is a guess and may be somebody else’s; it is left out and reported as not_an_email. Meta’s newer SDKs reject it too.';
const CURRENCY =
  'A currency is not identity: the interface takes an ISO 4217 code in any case and platforms get it in uppercase, never hashed.';

export const DIVERGENCES: readonly Divergence[] = [
  {
    source: 'x-docs',
    key: 'hashed_email',
    input: 'test@x.com',
    ours: 'test@x.com',
    reason: 'The digest X prints is of test@twitter.com, the address an older text of the same page had.',
  },
  {
    source: 'pinterest-spec',
    key: 'ge',
    input: 'male',
    ours: 'm',
    reason: 'The example contradicts the description of the same field, which asks for f, m or n.',
  },
  {
    source: 'pinterest-spec',
    key: 'country',
    input: 'US',
    ours: 'us',
    reason: 'The example hashes uppercase; the description of the same field asks for lowercase.',
  },
  {
    source: 'segment-amazon',
    key: 'PHONE',
    input: ' 555-123-4567 ext. 123',
    ours: '5551234567',
    reason: 'An extension is dialled after the number and is not part of it.',
  },
  {
    source: 'segment-tiktok',
    key: 'phone',
    input: '12345678901234',
    ours: null,
    reason:
      'Nothing says the digits begin with a country code, and numbers of +1 have eleven digits: no E.164 is invented. The digits are hashed for the platforms that take digits.',
  },
  {
    source: 'meta-java-sdk',
    key: 'ct',
    input: 'Stanley Park 1234',
    ours: 'stanleypark1234',
    reason: CITY_DIGITS,
  },
  { source: 'meta-php-sdk', key: 'ct', input: 'Seattle-98121', ours: 'seattle98121', reason: CITY_DIGITS },
  { source: 'meta-java-sdk', key: 'st', input: 'California', ours: 'ca', reason: STATE_CODES },
  { source: 'meta-java-sdk', key: 'st', input: 'North Carolina', ours: 'nc', reason: STATE_CODES },
  { source: 'meta-java-sdk', key: 'st', input: 'Washington, D.C.', ours: 'dc', reason: STATE_CODES },
  {
    source: 'meta-java-sdk',
    key: 'country',
    input: 'Germany',
    ours: 'de',
    reason: 'The interface promises a fallback from common country names to codes; that SDK knows no names.',
  },
  {
    source: 'meta-java-sdk',
    key: 'zp',
    input: '641041-ABC-XYZ',
    ours: '641041abcxyz',
    reason: POSTAL_HYPHEN,
  },
  { source: 'meta-php-sdk', key: 'zp', input: '98-121-4892', ours: '981214892', reason: POSTAL_HYPHEN },
  { source: 'meta-php-sdk', key: 'em', input: 'foo(.bar)@baz.com/', ours: null, reason: EMAIL_REPAIR },
  { source: 'meta-php-sdk', key: 'em', input: 'foo"@bar.com', ours: null, reason: EMAIL_REPAIR },
  {
    source: 'walkeros',
    key: 'em',
    input: 'nouser',
    ours: null,
    reason: 'Not an address, so nobody has it: a digest of it would match nobody or everybody.',
  },
  { source: 'meta-java-sdk', key: 'currency', input: 'USD', ours: null, reason: CURRENCY },
  { source: 'meta-java-sdk', key: 'currency', input: '   EUR  ', ours: null, reason: CURRENCY },
  { source: 'meta-java-sdk', key: 'currency', input: 'USD!', ours: null, reason: CURRENCY },
];
