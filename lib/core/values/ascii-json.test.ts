import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { asciiJson } from './ascii-json.ts';

describe('JSON in ASCII', () => {
  it('holds printable ASCII only and reads back as what was written, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), fc.string(), (text, key) => {
        const json = asciiJson({ [`k${key}`]: [text] });
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(json)).toEqual({ [`k${key}`]: [text] });
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['\ufffe', '\uffff', '😀', '\ud800', '\u0085', '\u2028', '\u007f'])('escapes %j', (text) => {
    expect(asciiJson(text)).toMatch(/^"(\\u[0-9a-f]{4})+"$/);
    expect(JSON.parse(asciiJson(text))).toBe(text);
  });
});
