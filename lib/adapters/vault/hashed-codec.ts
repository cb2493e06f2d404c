// The identity digests of one event as one short text and a list of raw bytes. One symbol per variant says which digest
// it is: the next one, the one before, or an earlier one by its letter. Digests of one- and two-letter words (gender, country, state) are kept as the
// word: such a digest hides nothing, it is looked up in a table of 702 entries, and 32 bytes become two.
import { hash } from 'node:crypto';
import type { HashedIdentity, Sha256Hex } from '../../events/domain/identity/identity.ts';

type Variant = Exclude<keyof HashedIdentity, 'externalIds' | 'externalIdsCased'>;

/** Places in the text: append only, never reorder, rows are stored with them. A variant without a place does not compile. */
const POSITIONS = {
  emailPlain: 0,
  emailGoogle: 1,
  emailGa4: 2,
  emailReddit: 3,
  emailMicrosoft: 4,
  emailAmazon: 5,
  phoneDigits: 6,
  phoneE164: 7,
  firstName: 8,
  firstNameGoogle: 9,
  firstNameAlnum: 10,
  lastName: 11,
  lastNameGoogle: 12,
  lastNameAlnum: 13,
  gender: 14,
  dateOfBirth: 15,
  city: 16,
  cityAlnum: 17,
  state: 18,
  stateAlnum: 19,
  postalCode: 20,
  country: 21,
  madid: 22,
  /** Only what `gender` does not say already; what is not stored here is read from there. */
  genderOrN: 23,
} as const satisfies Readonly<Record<Variant, number>>;

const VARIANTS = (Object.keys(POSITIONS) as Variant[]).sort((a, b) => POSITIONS[a] - POSITIONS[b]);

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/!#$%&()*<=>?@[]^_`{}';
const ABSENT = '-';
const AS_BEFORE = '.';
/** A digest, or a word, that was not there before: nearly every event reads the same, and packs to almost nothing. */
const NEW_DIGEST = ':';
const NEW_WORD = ';';
const WORD_ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

export interface PackedHashed {
  /** `<variants>|<external ids>|<external ids, case kept>`, then `|<word>,<word>` for digests kept as words. */
  readonly text: string;
  readonly digests: readonly Uint8Array[];
}

let words: ReadonlyMap<Sha256Hex, string> | undefined;

function wordDigests(): ReadonlyMap<Sha256Hex, string> {
  if (words === undefined) {
    const letters = [...WORD_ALPHABET];
    const all = [...letters, ...letters.flatMap((a) => letters.map((b) => a + b))];
    words = new Map(all.map((word) => [hash('sha256', word, 'hex'), word]));
  }
  return words;
}

export function packHashed(hashed: HashedIdentity): PackedHashed {
  const seen = new Map<Sha256Hex, string>();
  const kept: string[] = [];
  const digests: Uint8Array[] = [];
  const symbolOf = (digest: Sha256Hex): string => {
    const letter = seen.get(digest);
    if (letter !== undefined) return letter;
    const next = LETTERS.charAt(seen.size);
    if (next === '') throw new RangeError('more distinct digests than an event can have');
    seen.set(digest, next);
    const word = wordDigests().get(digest);
    if (word === undefined) digests.push(Buffer.from(digest, 'hex'));
    else kept.push(word);
    return word === undefined ? NEW_DIGEST : NEW_WORD;
  };
  let before: Sha256Hex | undefined;
  const variants = VARIANTS.map((variant) => {
    const digest = variant === 'genderOrN' ? ownGenderOrN(hashed) : hashed[variant];
    const symbol = digest === undefined ? ABSENT : digest === before ? AS_BEFORE : symbolOf(digest);
    before = digest;
    return symbol;
  }).join('');
  const list = (ids: readonly Sha256Hex[] | undefined): string => (ids ?? []).map(symbolOf).join('');
  const parts = [
    variants.replace(/-+$/, ''),
    list(hashed.externalIds),
    list(hashed.externalIdsCased),
    kept.join(','),
  ];
  return { text: parts.join('|').replace(/\|+$/, ''), digests };
}

const ownGenderOrN = ({ gender, genderOrN }: HashedIdentity): Sha256Hex | undefined =>
  genderOrN === gender ? undefined : genderOrN;

/** `digestAt(i)`: lowercase hex of the i-th stored digest. */
export function unpackHashed(text: string, digestAt: (index: number) => Sha256Hex): HashedIdentity {
  const [variants = '', ids = '', cased = '', wordList = ''] = text.split('|');
  const kept = wordList.split(',');
  const seen: Sha256Hex[] = [];
  let digests = 0;
  const digestOf = (symbol: string): Sha256Hex => {
    const known = seen[LETTERS.indexOf(symbol)];
    if (known !== undefined) return known;
    const fresh = symbol === NEW_WORD ? hash('sha256', kept.shift() ?? '', 'hex') : digestAt(digests++);
    seen.push(fresh);
    return fresh;
  };
  const hashed: { -readonly [K in keyof HashedIdentity]: HashedIdentity[K] } = {};
  let before: Sha256Hex | undefined;
  VARIANTS.forEach((variant, i) => {
    const symbol = variants[i];
    const digest =
      symbol === undefined || symbol === ABSENT
        ? undefined
        : symbol === AS_BEFORE
          ? before
          : digestOf(symbol);
    if (digest !== undefined) hashed[variant] = digest;
    before = digest;
  });
  if (hashed.genderOrN === undefined && hashed.gender !== undefined) hashed.genderOrN = hashed.gender;
  if (ids !== '') hashed.externalIds = [...ids].map(digestOf);
  if (cased !== '') hashed.externalIdsCased = [...cased].map(digestOf);
  return hashed;
}
