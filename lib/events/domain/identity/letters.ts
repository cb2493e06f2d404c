// Folding of letters and digits shared by names, places and numbers. Guarantees: the result is lowercase where it says
// so, NFC, and folding it again changes nothing. Every expression is a single character class: linear in the input.
import { isPrintableAscii } from './draft.ts';

const NOT_ASCII_ALNUM = /[^a-z0-9]+/g;
/** Punctuation, symbols, spaces, control and format characters, and the selectors emoji leave behind. */
const NOT_WORD = /[\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}\p{Co}\p{VS}]+/gu;
const NOT_WORD_NOR_SPACE_ASCII = /[^a-z\s]+/g;
const NOT_WORD_NOR_SPACE = /[\p{P}\p{S}\p{N}\p{Cf}\p{Co}\p{VS}]+/gu;
const SPACES = /[\s\p{Cc}]+/u;

/** Lowercase and NFC. */
export function lowercase(text: string): string {
  return isPrintableAscii(text) ? text.toLowerCase() : text.toLowerCase().normalize('NFC');
}

/** Lowercase letters (accents kept) and digits only. */
export function wordCharacters(text: string): string {
  const lower = lowercase(text);
  if (isPrintableAscii(lower)) return lower.replace(NOT_ASCII_ALNUM, '');
  return lower.replace(NOT_WORD, '').normalize('NFC');
}

/** Lowercase a-z and 0-9 only; accented letters are dropped, not folded. */
export function asciiAlnum(text: string): string {
  return lowercase(text).replace(NOT_ASCII_ALNUM, '');
}

/** Lowercase words of letters (accents kept) without digits and symbols. */
export function letterWords(text: string): string[] {
  const lower = lowercase(text);
  const letters = lower.replace(isPrintableAscii(lower) ? NOT_WORD_NOR_SPACE_ASCII : NOT_WORD_NOR_SPACE, '');
  return letters
    .normalize('NFC')
    .split(SPACES)
    .filter((word) => word !== '');
}

/** First code points of the blocks of ten digits people type besides ASCII: full width, Arabic, Persian, Indic, Thai. */
const DIGIT_ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];
const NOT_ASCII = /\P{ASCII}/gu;

/** The text with digits of those scripts, and the full-width plus, as ASCII. */
export function asciiDigits(text: string): string {
  if (isPrintableAscii(text)) return text;
  return text.replace(NOT_ASCII, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0xff0b) return '+';
    const zero = DIGIT_ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? char : String(code - zero);
  });
}
