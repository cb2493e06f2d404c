// The identity digests of one event as one short text and a list of raw bytes. One letter per variant says which digest
// it is; equal variants share one. Digests of one- and two-letter words (gender, country, state) are kept as the
// word: such a digest hides nothing, it is looked up in a table of 702 entries, and 32 bytes become two.
import { hash } from 'node:crypto';
import type { HashedIdentity, Sha256Hex } from '../../domain/identity.ts';

/** Positions in the text: append only, never reorder, rows are stored with them. */
const VARIANTS = [
  'emailPlain',
  'emailGoogle',
  'emailGa4',
  'emailReddit',
  'emailMicrosoft',
  'emailAmazon',
  'phoneDigits',
  'phoneE164',
  'firstName',
  'firstNameGoogle',
  'firstNameAlnum',
  'lastName',
  'lastNameGoogle',
  'lastNameAlnum',
  'gender',
  'dateOfBirth',
  'city',
  'cityAlnum',
  'state',
  'stateAlnum',
  'postalCode',
  'country',
  'madid',
] as const satisfies readonly Exclude<keyof HashedIdentity, 'externalIds' | 'externalIdsCased'>[];

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/!#$%&()*<=>?@[]^_`{}';
const ABSENT = '-';
const AS_BEFORE = '.';
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
  const entries = new Map<Sha256Hex, string>();
  const kept: string[] = [];
  const digests: Uint8Array[] = [];
  const known = wordDigests();
  // Words come first in the numbering, so both lists are collected before any letter is given.
  const values = [
    ...VARIANTS.map((v) => hashed[v]),
    ...(hashed.externalIds ?? []),
    ...(hashed.externalIdsCased ?? []),
  ];
  const unique = [...new Set(values)].filter((digest) => digest !== undefined);
  for (const digest of unique) {
    const word = known.get(digest);
    if (word !== undefined) kept.push(word);
  }
  let next = kept.length;
  let nextWord = 0;
  for (const digest of unique) {
    const isWord = known.has(digest);
    const letter = LETTERS.charAt(isWord ? nextWord++ : next++);
    if (letter === '') throw new RangeError('more distinct digests than an event can have');
    entries.set(digest, letter);
    if (!isWord) digests.push(Buffer.from(digest, 'hex'));
  }
  const letterOf = (digest: Sha256Hex | undefined): string =>
    digest === undefined ? ABSENT : (entries.get(digest) ?? ABSENT);
  let before = '';
  const variants = VARIANTS.map((variant) => {
    const letter = letterOf(hashed[variant]);
    const shown = letter === before && letter !== ABSENT ? AS_BEFORE : letter;
    before = letter;
    return shown;
  }).join('');
  const list = (ids: readonly Sha256Hex[] | undefined): string => (ids ?? []).map(letterOf).join('');
  const parts = [
    variants.replace(/-+$/, ''),
    list(hashed.externalIds),
    list(hashed.externalIdsCased),
    kept.join(','),
  ];
  return { text: parts.join('|').replace(/\|+$/, ''), digests };
}

/** `digestAt(i)`: lowercase hex of the i-th stored digest. */
export function unpackHashed(text: string, digestAt: (index: number) => Sha256Hex): HashedIdentity {
  const [variants = '', ids = '', cased = '', wordList = ''] = text.split('|');
  const kept = wordList === '' ? [] : wordList.split(',');
  const digestOf = (letter: string): Sha256Hex => {
    const index = LETTERS.indexOf(letter);
    const word = kept[index];
    return word === undefined ? digestAt(index - kept.length) : hash('sha256', word, 'hex');
  };
  const hashed: { -readonly [K in keyof HashedIdentity]: HashedIdentity[K] } = {};
  let before: Sha256Hex | undefined;
  VARIANTS.forEach((variant, i) => {
    const letter = variants[i];
    if (letter === undefined || letter === ABSENT) return;
    const digest = letter === AS_BEFORE && before !== undefined ? before : digestOf(letter);
    hashed[variant] = digest;
    before = digest;
  });
  if (ids !== '') hashed.externalIds = [...ids].map(digestOf);
  if (cased !== '') hashed.externalIdsCased = [...cased].map(digestOf);
  return hashed;
}
