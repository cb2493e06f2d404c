// Any character of Unicode, for `fc.string({ unit: ANY_CHARACTER })`: draws, shrinks and finds dangerous strings as fast-check's own
// unit `binary` does, from the same seed the same. That one keeps a table of all 1.1 million: a second of the processor and 110 MB
// in each process that draws one string.
import fc from 'fast-check';

/** Halves of pairs, which are no characters, lie between. */
const HALVES = 0xd800;
const BEHIND_HALVES = 0xe000;
const LAST = 0x10ffff;

export const ANY_CHARACTER = fc.nat(LAST - (BEHIND_HALVES - HALVES)).map(
  (index) => String.fromCodePoint(index < HALVES ? index : index + BEHIND_HALVES - HALVES),
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? HALVES) : HALVES;
    if (character !== String.fromCodePoint(code) || (code >= HALVES && code < BEHIND_HALVES))
      throw new Error('is not one character');
    return code < HALVES ? code : code - (BEHIND_HALVES - HALVES);
  },
);
