// Platforms quote the values they refuse, and their messages are stored unencrypted. Guarantees: no personal value of a
// request's events stays in a message, in any letter case, percent-encoded or JSON-escaped, whole or cut at the end;
// values of fewer than three characters do stay. Costs nothing without a message.
import type { Outcome } from '../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import { redactMessage } from '../platforms/redact.ts';
import { splitEvent } from './sealed-event.ts';

const LENGTH_MIN = 3;
/** Shorter values are parts of ordinary words: they are masked only as whole words. */
const WORD_LENGTH_MAX = 5;
const DIGITS_MIN = 6;
const PLACEHOLDER = '[value]';
const ELLIPSIS = '…';
/** Nothing but a mask is left. */
const MASK = /^\[\w+\]$/;
const ALPHANUMERIC = /[\p{L}\p{N}]/u;

export function withoutQuotes(
  outcomes: readonly Outcome[],
  events: readonly NormalizedEvent[],
): readonly Outcome[] {
  if (outcomes.every(({ code, message }) => code === undefined && message === undefined)) return outcomes;
  const index = indexOf(valuesOf(events));
  return outcomes.map((outcome) => masked(outcome, index));
}

/** The same for texts, and what is in objects, that are personal without an event. */
export const withoutQuotesOf = (outcome: Outcome, values: unknown): Outcome =>
  masked(outcome, indexOf(leaves(values)));

const masked = (outcome: Outcome, index: Index): Outcome => ({
  ...outcome,
  ...(outcome.code === undefined ? {} : { code: unquoted(outcome.code, index) }),
  ...(outcome.message === undefined ? {} : { message: unquoted(outcome.message, index) }),
});

/** First characters → values that begin with them, longest first: a batch holds thousands of values. */
type Index = ReadonlyMap<string, readonly string[]>;

function valuesOf(events: readonly NormalizedEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const { hashed, raw, plaintext, ...rest } = splitEvent(event).personal;
    // Codes of countries and regions are words like `us` and `ca`, and identify no person.
    const { country, region, ...named } = plaintext;
    return leaves([hashed, raw, named, rest]);
  });
}

function indexOf(personal: readonly string[]): Index {
  const values = new Set(personal.flatMap(formsOf));
  const index = new Map<string, string[]>();
  for (const value of [...values].sort((a, b) => b.length - a.length)) {
    const prefix = value.slice(0, LENGTH_MIN);
    const others = index.get(prefix);
    if (others === undefined) index.set(prefix, [value]);
    else others.push(value);
  }
  return index;
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...queryValues(value)];
  if (typeof value === 'number') return String(value).length >= DIGITS_MIN ? [String(value)] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [];
}

function queryValues(text: string): string[] {
  const at = text.indexOf('?');
  return at < 0 ? [] : [...new URLSearchParams(text.slice(at + 1)).values()];
}

function formsOf(value: string): string[] {
  const trimmed = value.trim();
  // The platform's response reader has already masked what looks like an address, also within a value.
  const masked = redactMessage(trimmed) ?? '';
  return [trimmed, masked, encodeURIComponent(trimmed.toWellFormed()), JSON.stringify(trimmed).slice(1, -1)]
    .map((form) => form.toLowerCase())
    .filter((form) => form.length >= LENGTH_MIN && !MASK.test(form));
}

function unquoted(text: string, index: Index): string {
  const lower = text.toLowerCase();
  // A letter whose lowercase has another length would shift the positions.
  const shown = lower.length === text.length ? text : lower;
  let out = '';
  for (let at = 0; at < lower.length; ) {
    const length = quoteAt(lower, at, index);
    out += length === 0 ? shown.charAt(at) : PLACEHOLDER;
    at += Math.max(1, length);
  }
  return out;
}

/** Length of the value that begins there; 0 = none. */
function quoteAt(lower: string, at: number, index: Index): number {
  const candidates = index.get(lower.slice(at, at + LENGTH_MIN)) ?? [];
  const cut = lower.endsWith(ELLIPSIS) ? lower.slice(at, -1) : undefined;
  for (const value of candidates) {
    if (lower.startsWith(value, at) && (value.length > WORD_LENGTH_MAX || isWord(lower, at, value.length)))
      return value.length;
    if (cut !== undefined && value.startsWith(cut)) return cut.length;
  }
  return 0;
}

function isWord(text: string, at: number, length: number): boolean {
  return !ALPHANUMERIC.test(text.charAt(at - 1)) && !ALPHANUMERIC.test(text.charAt(at + length));
}
