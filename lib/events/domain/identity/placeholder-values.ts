// Values that identify no person: what a sender's code writes when it has no value, and the digests of it. One such
// digest on a million events makes a million people one person at the platform. Guarantees: exact lookups, no guesses.
import { hash } from 'node:crypto';

/** What programs print for "no value", lowercase. `Null` and `Nan` are also names; they are rarer than the bug. */
const EMPTY_WORDS: ReadonlySet<string> = new Set([
  'null',
  'undefined',
  'none',
  'nan',
  'n/a',
  '(null)',
  '(none)',
  '(not set)',
  '(undefined)',
  '<null>',
  '[object object]',
  '[object undefined]',
  '[object null]',
  // The advertiser id of every phone that limits tracking.
  '00000000-0000-0000-0000-000000000000',
]);
const WORD_LENGTH_MAX = 36;

/** True for `null`, `undefined`, `NaN`, `[object Object]`..., in any case, and for an unfilled template. */
export function isEmptyWord(text: string): boolean {
  if (text.length > WORD_LENGTH_MAX) return text.startsWith('{{') && text.endsWith('}}');
  return EMPTY_WORDS.has(text.toLowerCase()) || (text.startsWith('{{') && text.endsWith('}}'));
}

const SPELLINGS = [
  '',
  ' ',
  'NULL',
  'Null',
  'None',
  'NONE',
  'NaN',
  'N/A',
  '[object Object]',
  '0',
  ...EMPTY_WORDS,
];

function digestsOfNothing(): ReadonlySet<string> {
  return new Set(SPELLINGS.flatMap((word) => [hash('sha256', word), hash('sha1', word), hash('md5', word)]));
}

const DIGESTS_OF_NOTHING = digestsOfNothing();
/** SHA-256 of those digests as text: an empty value hashed twice. */
const DOUBLE_DIGESTS_OF_NOTHING: ReadonlySet<string> = new Set(
  [...DIGESTS_OF_NOTHING].flatMap((digest) => [hash('sha256', digest), hash('sha256', digest.toUpperCase())]),
);

/** Whether a digest (SHA-256, SHA-1 or MD5, lowercase hex) is one of "no value": `once`, or hashed `twice`. */
export function digestOfNothing(digest: string): 'once' | 'twice' | null {
  if (DIGESTS_OF_NOTHING.has(digest)) return 'once';
  return DOUBLE_DIGESTS_OF_NOTHING.has(digest) ? 'twice' : null;
}
