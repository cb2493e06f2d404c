// Whether a text can be left unread: most addresses and titles have nothing that any finder could take for personal, and one
// pass over their characters shows it. Pure, linear. Guarantees: no finder finds anything in what is plain here.
import { SPEAKING } from './field-name.ts';

/** What a character is to the pass; the rest, all beyond ASCII among it, calls for a closer look. */
const DIGIT = 1;
const UPPER = 2;
const LETTER = 3;
/** Within a word. */
const JOINT = 4;
const BLANK = 5;
/** Ends words and numbers. */
const END = 6;

const CLASSES = new Uint8Array(128);
for (const [kind, chars] of [
  [DIGIT, '0123456789'],
  [UPPER, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [LETTER, 'abcdefghijklmnopqrstuvwxyz'],
  [JOINT, '-_~'],
  [END, "/,!?&()|'$*"],
] as const)
  for (const char of chars) CLASSES[char.charCodeAt(0)] = kind;
CLASSES[' '.charCodeAt(0)] = BLANK;
CLASSES['.'.charCodeAt(0)] = BLANK;

/** JWT, base64, IBAN, codice fiscale and tokens are no shorter, and have a digit or a capital. */
const WORD_CHARS_MAX = 15;
/** Numbers of fewer digits need a capital letter or a name before them to be personal. */
const DIGITS_MAX = 8;
const DIGITS_BESIDE_CAPITAL_MAX = 6;
const DIGITS_BESIDE_BLANK_MAX = 4;

const EQUALS = 61;
const HASH = 35;

/** `assignments`: `=` and `#` end words, as in a query. Otherwise they may name what follows. */
function isPlain(text: string, from: number, assignments: boolean): boolean {
  let wordChars = 0;
  let wordIsMarked = false;
  let digits = 0;
  let hasUpper = false;
  let hasBlank = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let kind = code < 128 ? CLASSES[code] : 0;
    if (kind === 0 && assignments && (code === EQUALS || code === HASH)) kind = END;
    if (kind === 0) return false;
    if (kind === END) {
      wordChars = digits = 0;
      wordIsMarked = hasUpper = hasBlank = false;
      continue;
    }
    if (code === 32) {
      wordChars = 0;
      wordIsMarked = false;
    } else wordChars += 1;
    if (kind === DIGIT) digits += 1;
    else if (kind === UPPER) hasUpper = true;
    else if (kind === BLANK) hasBlank = true;
    if (kind === DIGIT || kind === UPPER) wordIsMarked = true;
    if (wordIsMarked && wordChars > WORD_CHARS_MAX) return false;
    if (digits > DIGITS_BESIDE_BLANK_MAX && isNumber(digits, hasUpper, hasBlank)) return false;
  }
  return true;
}

const isNumber = (digits: number, hasUpper: boolean, hasBlank: boolean): boolean =>
  hasBlank || digits > DIGITS_MAX || (hasUpper && digits > DIGITS_BESIDE_CAPITAL_MAX);

/** No `=`, `:`, `%`, `+` or `@`, no long word of letters and digits, no long number. */
export const isPlainText = (text: string): boolean => isPlain(text, 0, false);

/** As a text, and no name of a parameter says anything of its value. */
export function isPlainAddress(address: string): boolean {
  const start = address.startsWith('https://') ? address.indexOf('/', 8) : -1;
  // What stands before the path may be a user and a password.
  if (start < 0 || address.lastIndexOf('@', start) >= 0) return false;
  if (!isPlain(address, start, true)) return false;
  const equals = address.indexOf('=', start);
  if (equals < 0) return true;
  const query = address.indexOf('?', start);
  return query >= 0 && query < equals && !SPEAKING.test(address.slice(query));
}
