// Promise: whatever a schema refuses, what is said is a sentence's end for a person: no pattern, none of the validator's own words.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { detailsOf, issueText, plainIssueText } from './issue-text.ts';

const said = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value, { error: issueText, jitless: true });
  return detailsOf(error?.issues ?? []).map(({ message }) => message)[0] ?? 'taken';
};

const FOREIGN = /expected|received|invalid|too (?:small|big)|[<>]=?|regex|pattern|unrecognized|input/i;

describe('what is refused', () => {
  it.each([
    ['a missing field', z.string(), undefined, 'is required'],
    ['text for a number', z.number(), 'x', 'must be a number'],
    ['a number for text', z.string(), 7.5, /^must be text; only whole numbers/],
    ['a list for an object', z.object({}), [], 'must be an object'],
    ['a kind nobody named', z.date(), 'x', 'is of another kind than is taken here'],
    ['too short a text', z.string().min(10), 'short', 'must be at least 10 characters long'],
    ['an empty text', z.string().min(1), '', 'must not be empty'],
    ['too long a text', z.string().max(2), 'long', 'must be at most 2 characters long'],
    ['too few entries', z.array(z.any()).min(2), [], 'must hold at least 2 entries'],
    ['no entry', z.array(z.any()).min(1), [], 'must not be empty'],
    ['too many entries', z.array(z.any()).max(1), [1, 2], 'must hold at most 1 entries'],
    ['too many of a set', z.set(z.any()).max(1), new Set([1, 2]), 'must hold at most 1 entries'],
    ['too small a number', z.number().min(3), 2, 'must be at least 3'],
    ['a number that is not above', z.number().gt(3), 3, 'must be greater than 3'],
    ['too big a number', z.number().max(3), 4, 'must be at most 3'],
    ['a number that is not below', z.number().lt(3), 3, 'must be less than 3'],
    ['too early a date', z.date().min(new Date(1)), new Date(0), 'is too early'],
    ['too late a date', z.date().max(new Date(0)), new Date(1), 'is too late'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['no multiple', z.number().multipleOf(5), 6, 'must be a multiple of 5'],
    ['no address', z.email(), 'x', 'must be an e-mail address'],
    ['no URL', z.url(), 'x', 'must be a URL'],
    ['no UUID', z.uuid(), 'x', 'must be a UUID'],
    ['no time', z.iso.datetime(), 'x', 'must be a time like 2026-01-31T12:00:00Z'],
    ['no date', z.iso.date(), 'x', 'must be a date like 2026-01-31'],
    ['no IP address', z.ipv4(), 'x', 'must be an IP address'],
    ['against a pattern', z.string().regex(/^a+$/), 'x', 'does not have the form that is described for it'],
    [
      'without a beginning',
      z.string().startsWith('a'),
      'x',
      'does not have the form that is described for it',
    ],
    ['none of a list', z.enum(['a', 'b']), 'x', 'must be one of a, b'],
    ['not the one value', z.literal('a'), 'x', 'must be a'],
    ['an unknown property', z.strictObject({}), { x: 1 }, 'is not a known property'],
    ['none of a union', z.union([z.string(), z.number()]), true, 'does not have a form that is taken here'],
    [
      'none of the kinds of an object',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'x' },
      'must be one of a, b',
    ],
    [
      'a name that is not taken',
      z.record(z.string().max(1), z.any()),
      { long: 1 },
      'has a property whose name is not taken here',
    ],
    [
      'an entry that is not taken',
      z.map(z.object({}), z.number()),
      new Map([[{}, 'x']]),
      'has an entry that is not taken here',
    ],
    ['a rule without words', z.any().refine(() => false), 1, 'does not have a form that is taken here'],
    ['a rule with words', z.any().refine(() => false, 'must be even'), 1, 'must be even'],
  ])('%s', (_, schema, value, expected) => {
    const text = said(schema, value);
    if (typeof expected === 'string') expect(text).toBe(expected);
    else expect(text).toMatch(expected);
    expect(text).not.toMatch(FOREIGN);
  });

  it('says text where no number is taken for it', () => {
    const { error } = z.string().safeParse(7, { error: plainIssueText, jitless: true });
    expect(error?.issues[0]?.message).toBe('must be text');
  });
});
