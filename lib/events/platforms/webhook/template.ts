// A body of the merchant's own form: JSON, in which `{{path}}` stands for a value of the message. A text that is nothing else
// becomes that value, of whatever type; inside other words it becomes text. What the event does not have is left out.
// Guarantees: total; nothing but the message can be named, and that so often at most that a small template makes no huge body.
import { type Fields, objectIn, record } from '../answer.ts';

const NAMED = /\{\{\s*([\w.]{1,200})\s*\}\}/g;
const FIRST_NAMED = new RegExp(NAMED.source);
const DEPTH_MAX = 10;
const NAMED_MAX = 50;

/** Whole paths, or what they begin with where they end in a dot. */
const PATHS = [
  ...['type', 'timestamp', 'test', 'data'],
  ...['event_id', 'event_time', 'action_source', 'source', 'event_source_url', 'referrer_url'].map(
    (name) => `data.${name}`,
  ),
  ...['order_id', 'value', 'currency', 'items', 'custom_data', 'consent', 'app', 'user'].map(
    (name) => `data.${name}`,
  ),
  ...['data.custom_data.', 'data.consent.', 'data.app.', 'data.user.'],
] as const;

const isKnown = (path: string): boolean =>
  PATHS.some((known) => (known.endsWith('.') ? path.startsWith(known) : path === known));

/** The paths that it names. */
export const namedIn = (template: string): readonly string[] =>
  [...template.matchAll(NAMED)].map(([, path = '']) => path);

/** Why it cannot be used, in words that follow the name of its field; null = it can. */
export function templateFault(text: string): string | null {
  const template = objectIn(text);
  if (template === undefined) return 'must be a JSON object';
  if (depthOf(template) > DEPTH_MAX) return `must be nested ${DEPTH_MAX} deep at most`;
  const named = namedIn(text);
  if (named.length > NAMED_MAX) return `may name ${NAMED_MAX} values at most`;
  const unknown = named.find((path) => !isKnown(path));
  if (unknown !== undefined) return `names {{${unknown}}}, which no event has`;
  const unread = textsIn(template).find((one) => /\{\{|\}\}/.test(one.replaceAll(NAMED, '')));
  return unread === undefined ? null : 'has {{ or }} around something that is no name of a value';
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

export function filled(template: string, message: Fields): Fields {
  return record(fill(objectIn(template) ?? {}, message)) ?? {};
}

function fill(part: unknown, message: Fields): unknown {
  if (typeof part === 'string') return fillText(part, message);
  if (Array.isArray(part)) return part.map((one) => fill(one, message));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fill(value, message)]));
}

function fillText(text: string, message: Fields): unknown {
  const [whole, path] = FIRST_NAMED.exec(text) ?? [];
  if (path !== undefined && whole === text) return valueAt(message, path);
  return text.replaceAll(NAMED, (_, name: string) => textOf(valueAt(message, name)));
}

const valueAt = (message: Fields, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        record(value) !== undefined && Object.hasOwn(value as Fields, key) ? record(value)?.[key] : undefined,
      message,
    );

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
