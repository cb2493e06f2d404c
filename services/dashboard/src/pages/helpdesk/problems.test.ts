// Goal: what the helpdesk refuses finds its field, and a sentence that names none is left whole.
import { describe, expect, it } from 'vitest';
import { namedProblem } from './problems.ts';

const refused = (status: number, message: string) => Object.assign(new Error(message), { status });

describe('a refusal', () => {
  it.each([
    [refused(400, 'url: only https is allowed'), ['url', 'only https is allowed']],
    [refused(400, 'tags.3: must not be empty'), ['tags', 'must not be empty']],
    [refused(400, 'config.ai.auto_draft: must be true or false'), ['config', 'must be true or false']],
    [refused(400, 'title: has a colon: and\na line'), ['title', 'has a colon: and\na line']],
    // Sentences, not fields.
    [refused(400, 'The workspace has as many API keys as it may have: revoke one'), undefined],
    [refused(400, 'Malformed JSON'), undefined],
    [refused(403, 'scopes: no more than its creator has'), undefined],
    [refused(503, 'url: unavailable'), undefined],
    [new Error('url: no answer'), undefined],
    [null, undefined],
  ])('%s', (error, expected) => {
    expect(namedProblem(error)).toEqual(expected);
  });
});
