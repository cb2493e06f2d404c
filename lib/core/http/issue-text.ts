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
  date: 'must be a date like 2026-01-31',
  time: 'must be a time of day like 12:00:00',
  duration: 'must be a duration like P1D',
  ipv4: 'must be an IP address',
  ipv6: 'must be an IP address',
  base64: 'must be base64',
  base64url: 'must be base64 as URLs take it',
  json_string: 'must be JSON',
  lowercase: 'must be in lower case',
  uppercase: 'must be in upper case',
};
/** What there is too much or too little of; anything else is a number. */
const COUNTED: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  tuple: 'entries',
  set: 'entries',
  map: 'entries',
  record: 'properties',
  object: 'properties',
  file: 'bytes',
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
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) && issue.options.length > 0
        ? oneOf(issue.options)
        : OTHER;
    case 'invalid_key':
      return 'has a property whose name is not taken here';
    case 'invalid_element':
      return 'has an entry that is not taken here';
    case 'custom':
      return OTHER;
  }
}

const OTHER = 'does not have a form that is taken here';

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

function tooBig({ origin, maximum, inclusive }: Bound & { readonly maximum: number | bigint }): string {
  if (origin === 'date') return 'is too late';
  const counted = COUNTED[origin];
  if (counted === undefined)
    return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
  if (origin === 'string') return `must be at most ${maximum} characters long`;
  return `must hold at most ${maximum} ${counted}`;
}

function tooSmall({ origin, minimum, inclusive }: Bound & { readonly minimum: number | bigint }): string {
  if (origin === 'date') return 'is too early';
  const counted = COUNTED[origin];
  if (counted === undefined)
    return inclusive === false ? `must be greater than ${minimum}` : `must be at least ${minimum}`;
  if (Number(minimum) === 1) return 'must not be empty';
  if (origin === 'string') return `must be at least ${minimum} characters long`;
  return `must hold at least ${minimum} ${counted}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, NAMED_MAX).map(String).join(', ');
  if (values.length === 1) return `must be ${shown}`;
  return `must be one of ${shown}${values.length > NAMED_MAX ? ' and others that the documentation lists' : ''}`;
}
