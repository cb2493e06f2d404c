import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { slugCandidates, slugOf } from './slug.ts';

const ID = '0199d1c0-0000-7abc-8def-0123456789AB';

describe('slugOf', () => {
  it.each([
    ['How to return an order', 'how-to-return-an-order'],
    ['  Rückgabe & Umtausch!  ', 'rückgabe-umtausch'],
    ['返品の方法', '返品の方法'],
    ['Возврат № 5', 'возврат-no-5'],
    ['कैसे लौटाएं', 'कैसे-लौटाएं'],
    ['ＦＵＬＬ ｗｉｄｔｈ', 'full-width'],
    ['İstanbul', 'i̇stanbul'],
    ['e\u0301te\u0301', 'été'],
    ['a/../b?c#d%2e', 'a-b-c-d-2e'],
    ['--- a --- ', 'a'],
    ['\u0301a', 'a'],
    ['🙂🙃', ''],
    ['', ''],
    ['\u202e evil', 'evil'],
  ])('makes of %j %j', (title, slug) => expect(slugOf(title)).toBe(slug));

  it('is an address segment, of at most 190 characters, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 400 }), (title) => {
        const slug = slugOf(title);
        expect(slug).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*)?$/u);
        expect([...slug].length).toBeLessThanOrEqual(190);
        expect(encodeURIComponent(slug)).not.toContain('%2F');
      }),
      { seed: 7 },
    );
  });
});

describe('slugCandidates', () => {
  it('numbers those of one title, and then ends in what is nobody else’s', () => {
    const candidates = slugCandidates('A b', ID);
    expect(candidates.slice(0, 3)).toEqual(['a-b', 'a-b-2', 'a-b-3']);
    expect(candidates.slice(-3)).toEqual(['a-b-20', 'a-b-456789ab', `article-${ID}`]);
  });

  it('falls back to the id where the title has no letters', () => {
    expect(slugCandidates('?!', ID)).toEqual(['article-456789ab', `article-${ID}`]);
  });

  it('stays within 200 characters', () => {
    for (const slug of slugCandidates('x'.repeat(500), ID)) expect(slug.length).toBeLessThanOrEqual(200);
  });
});
