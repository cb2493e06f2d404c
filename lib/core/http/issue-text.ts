// What is wrong with a value, in words that say what is wanted: never a pattern, never a validator's own terms.
// A message that a schema states itself is used as it is; these are for everything else.
import type { z } from 'zod';
import type { ErrorDetail } from './errors.ts';

const DETAILS_MAX = 20;
const TEXT_MAX_CHARS = 200;
const KEY_MAX_CHARS = 64;
const NAMED_MAX = 12;

const WANTED: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be a list',
};
const FORMATS: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  url: 'must be a URL',
  datetime: 'must be a time like 2026-01-31T12:00:00Z',
};

/** For `safeParse(value, { error: issueText })`. */
export function issueText(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input);
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the form that is described for it';
    case 'invalid_value':
      return oneOf(issue.values);
    case 'unrecognized_keys':
      return 'is not a known property';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return 'does not have a form that is taken here';
  }
}

/** Where no number is taken for text. */
export const plainIssueText = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'invalid_type' && issue.expected === 'string' && typeof issue.input === 'number'
    ? 'must be text'
    : issueText(issue);

/** The refused values, each with its path; names that are not known stand in the path. */
export function detailsOf(issues: readonly z.core.$ZodIssue[]): readonly ErrorDetail[] {
  return issues
    .flatMap((issue) => {
      const path = issue.path.map((part) => String(part).slice(0, KEY_MAX_CHARS));
      const paths =
        issue.code === 'unrecognized_keys'
          ? issue.keys.slice(0, DETAILS_MAX).map((key) => [...path, key.slice(0, KEY_MAX_CHARS)])
          : [path];
      const message = issue.message.slice(0, TEXT_MAX_CHARS);
      return paths.map((parts) => ({ path: parts.join('.').slice(0, TEXT_MAX_CHARS), message }));
    })
    .slice(0, DETAILS_MAX);
}

function wrongType(expected: string, input: unknown): string {
  if (expected === 'string' && typeof input === 'number')
    return `must be text; only whole numbers up to ${Number.MAX_SAFE_INTEGER} are taken as text without quotes`;
  return WANTED[expected] ?? 'is of another kind than is taken here';
}

type Bound = z.core.$ZodRawIssue & { readonly origin: string; readonly inclusive?: boolean };

function tooBig(issue: Bound & { readonly maximum: number | bigint }): string {
  const { origin, maximum, inclusive } = issue;
  if (origin === 'string') return `must be at most ${maximum} characters long`;
  if (origin === 'array') return `must hold at most ${maximum} entries`;
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
}

function tooSmall(issue: Bound & { readonly minimum: number | bigint }): string {
  const { origin, minimum, inclusive } = issue;
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty';
  if (origin === 'string') return `must be at least ${minimum} characters long`;
  if (origin === 'array') return `must hold at least ${minimum} entries`;
  return inclusive === false ? `must be greater than ${minimum}` : `must be at least ${minimum}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, NAMED_MAX).map(String).join(', ');
  if (values.length === 1) return `must be ${shown}`;
  return `must be one of ${shown}${values.length > NAMED_MAX ? ' and others that the documentation lists' : ''}`;
}
