// A pasted event, parsed only to find the position of invalid JSON; the API validates its content. Stores nothing.
import { placeOfProblem } from './json-problem.ts';

export type Pasted =
  | { readonly event: Readonly<Record<string, unknown>> }
  | { readonly problem: string | undefined };

/** The API's limit. */
const MAX_BYTES = 262_144;

/** No problem if the text is empty. */
export function readPasted(text: string): Pasted {
  if (text.trim() === '') return { problem: undefined };
  if (new TextEncoder().encode(text).byteLength > MAX_BYTES)
    return { problem: 'This is too long for one event: at most 256 KB are taken.' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `This is not JSON: ${whereOf(text)}.` };
  }
  if (Array.isArray(value)) return { problem: 'This is a list: paste one event, from { to }.' };
  if (typeof value !== 'object' || value === null)
    return { problem: 'This is no event: it begins with { and ends with }.' };
  if ('events' in value && !('event_name' in value))
    return { problem: 'This is a request with several events: paste one of those in `events`.' };
  return { event: value as Readonly<Record<string, unknown>> };
}

const SHOWN_CHARS = 20;

function whereOf(text: string): string {
  const place = placeOfProblem(text);
  const before = text.slice(0, place).split(/\r\n|[\r\n]/);
  const at = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const rest = /^[^\r\n]*/.exec(text.slice(place))?.[0].trim() ?? '';
  if (text.slice(place).trim() === '') return `it ends too early, at ${at}`;
  return `${at}, at “${[...rest].slice(0, SHOWN_CHARS).join('')}”`;
}
