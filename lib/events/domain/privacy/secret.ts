// Secrets within a text: tokens that open something to who has them. Pure, linear.

const JWT = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/;
const RUN = /[\w~.-]{20,}/g;
const UUID = /[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}/i;
const HEX = /^[\da-f]{24,}$/i;
const PIECE_CHARS_MIN = 16;
const BITS_MIN = 3.5;
const HEX_BITS_MIN = 3;
/** A link with such a word carries a token that acts for its person. */
const ACTS =
  /(?<!\p{L})(?:reset|verify|verification|verif|invite|invitation|magic|magiclink|activate|activation|recover)(?!\p{L})/iu;
const ACTING_WORDS_MAX = 3;
const BESIDE_MAX_CHARS = 60;
/** Of a longer run the beginning says what it is. */
const RUN_MAX_CHARS = 200;

export const hasJwt = (text: string): boolean => text.includes('eyJ') && JWT.test(text);

/** Words such as `reset-password` and `magic_link`; no title of three words and more that has one of them. */
export const actsForPerson = (text: string): boolean =>
  text.length <= 40 &&
  ACTS.test(text.replaceAll('_', ' ')) &&
  text.split(/[^\p{L}]+/u).length <= ACTING_WORDS_MAX;

/**
 * A run of 20 characters and more that no person has written: not words, not a number. `acts`: what it stands in acts for a
 * person; otherwise the text has to say so, outside of the run, because names of files end in such runs as well.
 */
export function hasLongToken(text: string, acts: boolean): boolean {
  if (!acts && !ACTS.test(text)) return false;
  for (const { 0: run, index } of text.matchAll(RUN))
    if (
      isLongToken(run.slice(0, RUN_MAX_CHARS)) &&
      (acts || ACTS.test(text.slice(Math.max(0, index - BESIDE_MAX_CHARS), index)))
    )
      return true;
  return false;
}

function isLongToken(run: string): boolean {
  if (UUID.test(run)) return true;
  const pieces = run.split(/[.~_-]/);
  if (pieces.reduce((chars, piece) => chars + (isScrambled(piece) ? piece.length : 0), 0) >= PIECE_CHARS_MIN)
    return true;
  return pieces.some((piece) => {
    if (piece.length < PIECE_CHARS_MIN || !/[a-z]/i.test(piece)) return false;
    if (HEX.test(piece)) return bitsPerChar(piece) >= HEX_BITS_MIN;
    const isMixed = /\d\D*\d/.test(piece) || (/[a-z]/.test(piece) && /[A-Z]/.test(piece));
    return isMixed && bitsPerChar(run) >= BITS_MIN;
  });
}

/** Small, capital and a digit in one word, or a capital after a small letter: base64 that `-` and `_` cut. */
const isScrambled = (piece: string): boolean =>
  piece.length >= 4 &&
  /[a-z]/.test(piece) &&
  /[A-Z]/.test(piece) &&
  /\d|[a-z][A-Z].*[a-z]|[A-Z]{2}.*[a-z]/.test(piece);

/** Shannon's entropy of the characters. */
function bitsPerChar(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
