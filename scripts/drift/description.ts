// What a vendor's machine-readable description says of the request that we send, and what is different in another one.
// A table holds facts only: names, types, what is required, allowed values and limits.
import * as z from 'zod';

const field = z.strictObject({
  /** As the description words it; `object` for what has fields of its own, `any` where it says none. */
  type: z.string(),
  required: z.literal(true).optional(),
  deprecated: z.literal(true).optional(),
  /** Allowed values, sorted. */
  values: z.array(z.string()).optional(),
  /** Characters of a text or entries of a list. */
  max: z.number().optional(),
});
export type Field = z.output<typeof field>;

/** By the path in the body of the request, lists left out: `data.user_data.em`. */
export type Fields = Readonly<Record<string, Field>>;

export const TABLE = z.strictObject({
  platform: z.string(),
  /** Where it was read: an address, or a package. */
  source: z.string(),
  /** As the vendor calls the description. */
  version: z.string(),
  /** YYYY-MM-DD of the description. */
  date: z.iso.date(),
  fields: z.record(z.string(), field),
});
export type Table = z.output<typeof TABLE>;

/** Path in the body → texts sent there. */
export type Sent = ReadonlyMap<string, ReadonlySet<string>>;

export interface Change {
  readonly path: string;
  /** Half a sentence that follows the path. */
  readonly text: string;
  /** What we send may be refused, or mean another thing. */
  readonly concernsUs: boolean;
}

/** From one to the other, in the order of the paths. What came or went with all it holds is one change. */
export function changesBetween(before: Fields, after: Fields, sent: Sent): readonly Change[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.flatMap((path) => {
    const above = parentOf(path);
    const isPart = above !== '' && (before[above] === undefined) !== (after[above] === undefined);
    if (isPart) return [];
    return textsOf(before[path], after[path]).map(([text, breaks]) => ({
      path,
      text,
      concernsUs:
        breaks === 'missing'
          ? !sent.has(path) && (above === '' || sent.has(above))
          : breaks && sent.has(path),
    }));
  });
}

const parentOf = (path: string): string => path.split('.').slice(0, -1).join('.');

/** `missing`: where it is not sent. */
type Said = readonly [text: string, breaks: boolean | 'missing'];

function textsOf(was: Field | undefined, is: Field | undefined): readonly Said[] {
  if (is === undefined) return was === undefined ? [] : [['is gone', true]];
  if (was === undefined)
    return is.required ? [['is new and required', 'missing']] : [[`is new (${is.type})`, false]];
  return [
    ...(was.type === is.type ? [] : [[`was ${was.type} and is ${is.type}`, true] as const]),
    ...(is.required && !was.required ? [['is required now', 'missing'] as const] : []),
    ...(was.required && !is.required ? [['is required no more', false] as const] : []),
    ...(is.deprecated && !was.deprecated ? [['is deprecated now', true] as const] : []),
    ...valueTexts(was.values, is.values),
    ...maxTexts(was.max, is.max),
  ];
}

function valueTexts(was: readonly string[] | undefined, is: readonly string[] | undefined): readonly Said[] {
  if (is === undefined) return was === undefined ? [] : [['takes any value now', false]];
  if (was === undefined) return [[`takes only ${is.join(', ')} now`, true]];
  const gone = was.filter((value) => !is.includes(value));
  const added = is.filter((value) => !was.includes(value));
  return [
    ...(gone.length === 0 ? [] : [[`does not take ${gone.join(', ')} any more`, true] as const]),
    ...(added.length === 0 ? [] : [[`takes ${added.join(', ')} as well`, false] as const]),
  ];
}

function maxTexts(was: number | undefined, is: number | undefined): readonly Said[] {
  if (was === is) return [];
  if (is === undefined) return [[`has no limit of ${was} any more`, false]];
  return [
    [`is limited to ${is}${was === undefined ? '' : `, before to ${was}`}`, was === undefined || is < was],
  ];
}

/**
 * What our requests have and the description does not know, and what it requires and they never have. A field of a message that is
 * not sent is not missed.
 */
export function unlike(sent: Sent, fields: Fields): readonly string[] {
  const isFree = (path: string): boolean => {
    const parent = parentOf(path);
    if (parent === '') return false;
    return fields[parent] === undefined ? isFree(parent) : !hasFields(parent, fields);
  };
  const unknown = [...sent.keys()].filter((path) => fields[path] === undefined && !isFree(path));
  const missing = Object.entries(fields).filter(([path, { required }]) => {
    const parent = parentOf(path);
    return required && !sent.has(path) && (parent === '' || sent.has(parent));
  });
  const values = [...sent].flatMap(([path, given]) => {
    const allowed = fields[path]?.values;
    const others = [...given].filter((value) => allowed !== undefined && !allowed.includes(value));
    return others.length === 0 ? [] : [`${path} is sent as ${others.join(', ')}, which it does not list`];
  });
  return [
    ...unknown.sort().map((path) => `${path} is sent, and it does not know it`),
    ...missing.map(([path]) => `${path} is required, and never sent`),
    ...values,
  ];
}

/** A message without any may hold anything. */
const hasFields = (parent: string, fields: Fields): boolean =>
  Object.keys(fields).some((path) => path.startsWith(`${parent}.`));
