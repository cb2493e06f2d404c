// First and last name, and gender. Guarantees: accents are kept (Meta and Snapchat document it), NFC, lowercase.
// Refuses: a name of punctuation alone, and a gender that is not clearly one of f, m and n (Meta takes the first two).

import { sha256 } from './digest.ts';
import { type IdentityDraft, note, readHashable } from './draft.ts';
import type { Sha256Hex } from './identity.ts';
import { asciiAlnum, letterWords, lowercase, wordCharacters } from './letters.ts';

/** Google: "Remove prefixes (e.g. Mrs.), remove suffixes (e.g. Jr.)". https://developers.google.com/data-manager/api/devguides/concepts/formatting */
const TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'prof']);
const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'phd', 'md', 'esq']);
const ONE_PLAIN_WORD = /^[a-z]+$/;

interface NameForms {
  readonly plain: string;
  readonly google: string;
  readonly alnum: string;
}

function nameForms(text: string): NameForms {
  const lower = lowercase(text);
  if (ONE_PLAIN_WORD.test(lower)) return { plain: lower, google: lower, alnum: lower };
  const words = letterWords(lower);
  if (words.length > 1 && TITLES.has(words[0] ?? '')) words.shift();
  if (words.length > 1 && SUFFIXES.has(words.at(-1) ?? '')) words.pop();
  const plain = wordCharacters(lower);
  return { plain, google: words.join(' '), alnum: asciiAlnum(plain) };
}

export function addNames(draft: IdentityDraft): void {
  addName(draft, 'first_name', 'firstName');
  addName(draft, 'last_name', 'lastName');
}

function addName(
  draft: IdentityDraft,
  field: 'first_name' | 'last_name',
  variant: 'firstName' | 'lastName',
): void {
  const { hashed } = draft;
  const value = readHashable(draft, field, draft.userData[field]);
  if (value === null) return;
  if (value.digest !== null) {
    hashed[variant] = value.digest;
    hashed[`${variant}Google`] = value.digest;
    hashed[`${variant}Alnum`] = value.digest;
    return;
  }
  const forms = nameForms(value.text);
  if (forms.plain === '') {
    note(draft, field, 'empty');
    return;
  }
  draft.plain[variant] = value.text;
  const plain = sha256(forms.plain);
  const digestOf = (form: string) => (form === forms.plain ? plain : sha256(form));
  hashed[variant] = plain;
  if (forms.google !== '') hashed[`${variant}Google`] = digestOf(forms.google);
  if (forms.alnum !== '') hashed[`${variant}Alnum`] = digestOf(forms.alnum);
}

/** Words with an unambiguous gender. The first letter alone would make a woman of `weiblich` and a man of `mujer`. */
const GENDER_WORDS: ReadonlyMap<string, 'f' | 'm' | 'n'> = new Map([
  ...(
    'f female fem feminine woman women girl lady she her hers mrs ms miss madam ' +
    'frau weiblich femme féminin mujer femenino mulher feminino femmina donna vrouw vrouwelijk'
  )
    .split(' ')
    .map((word) => [word, 'f'] as const),
  ...(
    'm male masc masculine man men boy gentleman guy he him his mr sir ' +
    'mann herr männlich homme masculin hombre masculino homem maschio uomo mannelijk'
  )
    .split(' ')
    .map((word) => [word, 'm'] as const),
  ...'n nb nonbinary enby divers'.split(' ').map((word) => [word, 'n'] as const),
]);

export function addGender(draft: IdentityDraft): void {
  const value = readHashable(draft, 'gender', draft.userData.gender);
  if (value === null) return;
  if (value.digest !== null) {
    keepGender(draft, value.digest);
    return;
  }
  const gender = GENDER_WORDS.get(wordCharacters(value.text));
  if (gender === undefined) {
    note(draft, 'gender', 'unknown_gender');
    return;
  }
  keepGender(draft, GENDER_DIGESTS[gender]);
}

const GENDER_DIGESTS = { f: sha256('f'), m: sha256('m'), n: sha256('n') } as const;

function keepGender({ hashed }: IdentityDraft, digest: Sha256Hex): void {
  if (digest !== GENDER_DIGESTS.n) hashed.gender = digest;
  hashed.genderOrN = digest;
}
