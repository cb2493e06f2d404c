// An event as it came in → as its schema takes it. Two rules hold for every field of the schema, so no field states them:
// `null` is the absence of an optional value, and a whole number where text is meant is its exact text. Names that the
// schema does not know are collected. The rules are folded from the schema once; a value that needs no change is returned
// as it is, which is nearly every one.
import type { z } from 'zod';
import { eventSchema } from './event.ts';

interface FieldRule {
  readonly isOptional: boolean;
  readonly isText: boolean;
  /** Of an object, or of each object in a list. */
  readonly members: ObjectRules | undefined;
  /** Each entry of the list is text. */
  readonly isTextList: boolean;
}
interface ObjectRules {
  /** What stands before the names of its members: empty, or ends in a dot. */
  readonly prefix: string;
  readonly fields: ReadonlyMap<string, FieldRule>;
}

export interface EventInput {
  readonly value: unknown;
  /**
   * Names outside the schema, dotted (`items.colour`), without list positions, each once, at most `UNKNOWN_NAMES_MAX`;
   * `*` stands for more of them, and for names that are no plain word and might be personal data.
   */
  readonly unknown: readonly string[];
}

export const UNKNOWN_NAMES_MAX = 10;
/** Stands for properties that are not named. */
export const UNNAMED = '*';
const PLAIN_NAME = /^(?!__proto__$)[A-Za-z_$][\w$-]{0,47}$/;
const NO_NAMES: readonly string[] = [];

const EVENT_RULES = rulesOf(eventSchema, '');

/** `value` comes from the strict JSON reader: its depth is bounded. */
export function readInput(value: unknown): EventInput {
  if (!isObject(value)) return { value, unknown: NO_NAMES };
  const names: string[] = [];
  return { value: tidyObject(value, EVENT_RULES, names), unknown: names };
}

function tidyObject(
  source: Readonly<Record<string, unknown>>,
  { prefix, fields }: ObjectRules,
  names: string[],
): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const key in source) {
    const rule = fields.get(key);
    if (rule === undefined) {
      addName(names, prefix, key);
      continue;
    }
    const member = source[key];
    if (typeof member === 'string') continue;
    const tidied = tidyMember(member, rule, names);
    if (tidied === member) continue;
    copy ??= { ...source };
    if (tidied === undefined) delete copy[key];
    else copy[key] = tidied;
  }
  return copy ?? source;
}

/** Undefined: as if it were not there. */
function tidyMember(member: unknown, rule: FieldRule, names: string[]): unknown {
  if (member === null) return rule.isOptional ? undefined : null;
  if (typeof member === 'number') return rule.isText ? textOf(member) : member;
  if (typeof member !== 'object') return member;
  if (Array.isArray(member)) {
    if (rule.isTextList) return tidyTexts(member);
    return rule.members === undefined ? member : tidyList(member, rule.members, names);
  }
  return rule.members === undefined
    ? member
    : tidyObject(member as Record<string, unknown>, rule.members, names);
}

function tidyList(list: readonly unknown[], members: ObjectRules, names: string[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const entry = list[i];
    const tidied = isObject(entry) ? tidyObject(entry, members, names) : entry;
    if (tidied === entry) continue;
    copy ??= [...list];
    copy[i] = tidied;
  }
  return copy ?? list;
}

/** Of a name that a sender chose: as it is where it is a plain word, and of at most so many. */
export function addName(names: string[], prefix: string, key: string): void {
  const isNamed = names.length < UNKNOWN_NAMES_MAX && PLAIN_NAME.test(key);
  const name = isNamed ? prefix + key : UNNAMED;
  if (!names.includes(name)) names.push(name);
}

function tidyTexts(list: readonly unknown[]): readonly unknown[] {
  if (list.every((entry) => typeof entry === 'string')) return list;
  return list
    .filter((entry) => entry !== null)
    .map((entry) => (typeof entry === 'number' ? textOf(entry) : entry));
}

/** Beyond the safe integers a number is no longer the digits that were sent; the schema refuses what stays a number. */
const textOf = (number: number): string | number => (Number.isSafeInteger(number) ? String(number) : number);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rulesOf(schema: z.core.$ZodObject, prefix: string): ObjectRules {
  const fields = Object.entries(schema._zod.def.shape);
  return {
    prefix,
    fields: new Map(fields.map(([key, field]) => [key, ruleOf(field, `${prefix}${key}.`)])),
  };
}

function ruleOf(field: z.core.$ZodType, prefix: string): FieldRule {
  const { isOptional, inner } = unwrap(field);
  const { element } = inner._zod.def as { readonly element?: z.core.$ZodType };
  const entry = element === undefined ? undefined : unwrap(element).inner;
  const object = isObjectSchema(inner) ? inner : entry;
  return {
    isOptional,
    isText: inner._zod.def.type === 'string',
    isTextList: entry?._zod.def.type === 'string',
    members: object !== undefined && isObjectSchema(object) ? rulesOf(object, prefix) : undefined,
  };
}

function isObjectSchema(schema: z.core.$ZodType): schema is z.core.$ZodObject {
  return schema._zod.def.type === 'object';
}

/** What is inside `optional`, and what a transformation takes. */
function unwrap(schema: z.core.$ZodType): { readonly isOptional: boolean; readonly inner: z.core.$ZodType } {
  const { def } = schema._zod as {
    readonly def: z.core.$ZodTypeDef & {
      readonly innerType?: z.core.$ZodType;
      readonly in?: z.core.$ZodType;
    };
  };
  const next = def.innerType ?? def.in;
  if (next === undefined) return { isOptional: false, inner: schema };
  const { isOptional, inner } = unwrap(next);
  return { isOptional: isOptional || def.type === 'optional', inner };
}
