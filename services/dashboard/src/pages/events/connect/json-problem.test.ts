// Goal: the place is that of the first wrong character. Method: every text that JSON.parse takes, broken at every place.
import { describe, expect, it } from 'vitest';
import { placeOfProblem } from './json-problem.ts';

const GOOD = [
  '{"a":[1,-2.5e+3,true,false,null,{}],"b":{"c":[],"d":"x\\u00e9\\n\\"y\\\\"},"👩":"\u2028"}',
  ' [ ] ',
  '-0',
  '"\ud800"',
];

describe('a text that is no JSON', () => {
  it.each(GOOD)('is found where it goes wrong: %j', (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(placeOfProblem(text)).toBe(text.length);
    for (let at = 0; at <= text.length; at++) {
      const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
      const place = placeOfProblem(broken);
      // A word or text is named by where it begins.
      expect(place).toBeLessThanOrEqual(at);
      expect(broken.slice(place, at)).toMatch(/^(?:"[^"]*(?:\\"[^"]*)*|-?[\d.eE+]*|[a-z]*)$/);
    }
  });

  it('takes as long as it is, however deep', () => {
    expect(placeOfProblem('['.repeat(200_000))).toBe(200_000);
    expect(placeOfProblem(`"${'\\\\'.repeat(100_000)}`)).toBe(0);
  });
});
