// Values of settings. A command line gives text; a file and callers may give a boolean, a number, a list or an object.
// Refuses what a setting may not be, in a sentence that names the setting.
import { NUMBER_SETTINGS, type NumberSettingName } from './number-settings.ts';
import type { OtherSettingName } from './setting-list.ts';

/** The value of a setting by its name; undefined where it is not given. */
export type Context = (name: string) => unknown;

export function flag(context: Context, name: OtherSettingName, otherwise = false): boolean {
  const value = context(name) ?? otherwise;
  if (value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw new Error(`Setting ${name} must be true or false.`);
}

export function text(context: Context, name: OtherSettingName): string | undefined {
  const given = context(name);
  const value = isTexts(given) ? given.join(',') : given;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`Setting ${name} must be text.`);
  return value;
}

/** A list, as a file may write what has commas between. */
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes(','));

export function oneOf<T extends string>(
  context: Context,
  name: OtherSettingName,
  allowed: readonly T[],
): T | undefined {
  const value = text(context, name);
  const found = allowed.find((word) => word === value);
  if (value !== undefined && found === undefined)
    throw new Error(`Setting ${name} must be one of ${allowed.join(', ')}.`);
  return found;
}

/** In the order of `allowed`, whatever the order they are given in. */
export function listOf<T extends string>(
  context: Context,
  name: OtherSettingName,
  allowed: readonly T[],
): readonly T[] | undefined {
  const given = text(context, name)
    ?.split(',')
    .map((one) => one.trim());
  if (given === undefined) return undefined;
  const wrong = given.find((one) => !allowed.some((word) => word === one));
  if (wrong !== undefined)
    throw new Error(`Setting ${name}: there is no ${wrong || 'empty name'}, only ${allowed.join(', ')}.`);
  return allowed.filter((one) => given.includes(one));
}

export function httpUrl(context: Context, name: OtherSettingName): string | undefined {
  const value = text(context, name);
  if (value !== undefined && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error(`Setting ${name} must be an http or https URL.`);
  return value;
}

/** A secret pasted here by mistake would be in the template: none has the form of a name with a slash first. */
export function parameterName(context: Context, name: OtherSettingName): string | undefined {
  const value = text(context, name);
  if (value !== undefined && !/^(?:\/[\w.-]+){1,15}$/.test(value))
    throw new Error(`Setting ${name} must be the name of a parameter, not what it holds.`);
  return value;
}

export function wholeNumbers(context: Context): Readonly<Record<NumberSettingName, number>> {
  const names = Object.keys(NUMBER_SETTINGS) as NumberSettingName[];
  return Object.fromEntries(names.map((name) => [name, wholeNumber(context, name)])) as Record<
    NumberSettingName,
    number
  >;
}

function wholeNumber(context: Context, name: NumberSettingName): number {
  const { min, max, fallback } = NUMBER_SETTINGS[name];
  const given = String(context(name) ?? '');
  // By its digits: `Number` makes 0 of a blank.
  const digits = given === '' ? String(fallback) : given;
  const value = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`Setting ${name} must be a whole number from ${min} to ${max}.`);
  return value;
}

/** The entries of a JSON object, as text or as it is in a file; none where the setting is not given. */
export function entriesOf(context: Context, name: OtherSettingName): readonly (readonly [string, unknown])[] {
  const given = context(name);
  if (given === undefined || given === '') return [];
  const value = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(value)) throw new Error(`Setting ${name} must be a JSON object.`);
  return Object.entries(value);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
