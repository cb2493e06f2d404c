// What a deployment was made from, kept in its account beside it: so that the next one, from whichever machine, sees what it
// would take away by leaving it out.
// Guarantees: a secret is in it as a digest; the text fits into a parameter that costs nothing.
import { hash } from 'node:crypto';
import { isObject } from './context.ts';
import { OTHER_SETTINGS, type OtherSettingName } from './setting-list.ts';
import { PLATFORM_SLUGS, readSettings } from './settings.ts';

type Values = Readonly<Record<string, unknown>>;

/** Characters of a standard parameter: https://docs.aws.amazon.com/general/latest/gr/ssm.html (2026-11-27). */
const SIZE_MAX = 4_096;
/** Longer values are digests where all together would not fit, the longest first. */
const SHOWN_LENGTHS = [200, 60, 20];
/** Of keys: AWS makes no key another. */
const FIXED = ['multiRegionKey'] satisfies readonly OtherSettingName[];
const SECRETS: ReadonlySet<string> = new Set(['edgeSecret']);

export interface SettingsChange {
  /** Settings, or parts of lists, that the deployment had and would have no more, in words; by the name of the setting. */
  readonly lost: readonly { readonly name: string; readonly text: string }[];
  /** Settings that no deployment after the first can change, and that are others now. */
  readonly fixed: readonly string[];
  /** A line for each setting that is another, or new. */
  readonly changed: readonly string[];
  /** Where the deployment was made from another file. */
  readonly otherFile: string | undefined;
}

/** `file`: its name without ending. */
export function recordOf(file: string, values: Values): string {
  const settings = shown(values);
  for (const length of [SIZE_MAX, ...SHOWN_LENGTHS]) {
    const cut = Object.entries(settings).map(([name, value]) => [name, shortened(value, length)]);
    const record = JSON.stringify({ file, settings: Object.fromEntries(cut) });
    if (Buffer.byteLength(record) <= SIZE_MAX) return record;
  }
  throw new Error('There are too many settings to keep beside the deployment.');
}

/** Throws where `record` is none of ours. */
export function changesSince(record: string, file: string, values: Values): SettingsChange {
  const before: unknown = JSON.parse(record);
  const settings = isObject(before) ? before.settings : undefined;
  if (!isObject(before) || typeof before.file !== 'string' || !isObject(settings))
    throw new Error('What was kept of the settings of the last deployment cannot be read.');
  const now = shown(values);
  const lost = Object.entries(settings).flatMap(([name, value]) => lostOf(name, value, now[name]));
  const changed = Object.entries(now).flatMap(([name, value]) => {
    const was = settings[name];
    const isSame = [value, shortened(value, 0)].some((one) => JSON.stringify(one) === JSON.stringify(was));
    return isSame ? [] : [`${name}: ${was === undefined ? 'not given' : text(was)} → ${text(value)}`];
  });
  const fixed = FIXED.filter((name) => isTrue(settings[name]) !== isTrue(now[name]));
  return { lost, fixed, changed, otherFile: before.file === file ? undefined : before.file };
}

/** Given settings, lists as lists; and what is deployed where nothing is said. */
function shown(values: Values): Values {
  const { products, platforms = PLATFORM_SLUGS } = readSettings((name) => values[name]);
  const given = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    return [[name, SECRETS.has(name) ? digest(value) : listOf(name, value)] as const];
  });
  return { ...Object.fromEntries(given), products, platforms };
}

const LISTS: ReadonlySet<string> = new Set(
  Object.entries(OTHER_SETTINGS).flatMap(([name, { values }]) => (values.includes('commas') ? [name] : [])),
);

const listOf = (name: string, value: unknown): unknown =>
  LISTS.has(name) && typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;

function lostOf(name: string, was: unknown, is: unknown): SettingsChange['lost'] {
  if (is === undefined || (isTrue(was) && !isTrue(is))) return [{ name, text: `${name} (was ${text(was)})` }];
  if (!Array.isArray(was) || !Array.isArray(is)) return [];
  const gone = was.filter((one) => !is.includes(one));
  return gone.length === 0 ? [] : [{ name, text: `${gone.join(', ')} of ${name}` }];
}

const isTrue = (value: unknown): boolean => String(value) === 'true';

const shortened = (value: unknown, length: number): unknown =>
  JSON.stringify(value).length > length ? digest(value) : value;

const digest = (value: unknown): string => `sha256:${hash('sha256', JSON.stringify(value)).slice(0, 16)}`;

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(', ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}
