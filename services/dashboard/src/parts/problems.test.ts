import { describe, expect, it } from 'vitest';
import { ApiError } from '#lib/client/api-error.ts';
import { detailsOf, problemsOf } from './problems.ts';

const answered = (status: number, error: string, body = {}) =>
  new ApiError('refused', error, new Response(null, { status }), body);

const refused = (...details: (readonly [string, string])[]) =>
  answered(400, '', { details: details.map(([path, message]) => ({ path, message })) });

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
    expect(problems.rest).toBeNull();
  });

  it.each([
    refused(['names', 'x'], ['name', 'y']),
    refused(['name', 'y'], ['', 'x']),
    answered(400, 'Malformed JSON'),
    new Error('x'),
  ])('is the rest where a part of it is about no field, also where a name only begins alike', (error) => {
    expect(problemsOf(error, ['name']).rest).toBe(error);
  });
});

describe('a refusal of the helpdesk', () => {
  it.each([
    [answered(400, 'url: only https is allowed'), ['url', 'only https is allowed']],
    [answered(400, 'tags.3: must not be empty'), ['tags', 'must not be empty']],
    [answered(400, 'config.ai.auto_draft: must be true or false'), ['config', 'must be true or false']],
    [answered(400, 'title: has a colon: and\na line'), ['title', 'has a colon: and\na line']],
    // Sentences, not fields.
    [answered(400, 'The workspace has as many API keys as it may have: revoke one'), undefined],
    [answered(400, 'Malformed JSON'), undefined],
    [answered(403, 'scopes: no more than its creator has'), undefined],
    [answered(503, 'url: unavailable'), undefined],
    [new Error('url: no answer'), undefined],
    [null, undefined],
  ])('%s', (error, expected) => {
    expect(detailsOf(error).map(({ path, message }) => [path, message])[0]).toEqual(expected);
  });
});
