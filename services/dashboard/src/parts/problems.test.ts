import { describe, expect, it } from 'vitest';
import { isToldAtFields, problemsOf } from './problems.ts';

const refused = (...details: (readonly [string, string])[]) => ({
  details: details.map(([path, message]) => ({ path, message })),
});

describe('what was refused', () => {
  it('stands at the field that is nearest to it', () => {
    const error = refused(
      ['rule.match.country.1', 'two letters'],
      ['rule.match.items.id.0', 'too long'],
      ['rule.match', 'too large'],
      ['rule.match', 'and more'],
    );
    const problems = problemsOf(error, ['match', 'match.country', 'match.items.id', 'name'], 'rule.');
    expect(problems.at('match.country')).toBe('line 2: two letters');
    expect(problems.at('match.items.id')).toBe('line 1: too long');
    expect(problems.at('match')).toBe('too large');
    expect(problems.at('name')).toBeUndefined();
    expect(['match.items', 'match.country', 'match.co'].map(problems.isWithin)).toEqual([true, true, false]);
    expect(isToldAtFields(error, problems)).toBe(true);
  });

  it('is among the rest where no field is about it, also where a name only begins alike', () => {
    const error = refused(['names', 'x'], ['', 'y']);
    const problems = problemsOf(error, ['name']);
    expect(problems.rest.map(({ path }) => path)).toEqual(['names', '']);
    expect(isToldAtFields(error, problems)).toBe(false);
    expect(isToldAtFields(new Error('x'), problemsOf(new Error('x'), ['name']))).toBe(false);
  });
});
