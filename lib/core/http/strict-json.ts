// The one reader of JSON from outside. Guarantees: linear time, no throw, and a value in which every object has
// the members it was written with. A byte order mark before all of it is skipped (RFC 8259, 8.1). Refuses: invalid UTF-8,
// nesting beyond 20, a key given twice in one object, `__proto__` as a key, NUL and lone surrogates in strings, numbers beyond a double (1e400).
// JSON.parse does the parsing; the guards are one pass over the bytes and one over the value. A key given twice
// cannot be seen in the value, but every string token costs two quotes in the text: fewer strings than quotes / 2
// means that a member was dropped.

/** Objects and arrays inside one another, the outermost counted. */
export const JSON_DEPTH_MAX = 20;

export type StrictJsonReason =
  | 'invalid_utf8'
  | 'syntax'
  | 'too_deep'
  | 'duplicate_key'
  | 'forbidden_key'
  | 'nul_character'
  | 'lone_surrogate'
  | 'number_out_of_range';

/** `code` is the catalogue's, `reason` says which guard refused. */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: 'invalid_json'; readonly reason: StrictJsonReason };

/** What a caller is told about each refusal. */
export const STRICT_JSON_TEXTS: Readonly<Record<StrictJsonReason, string>> = {
  invalid_utf8: 'must be UTF-8',
  syntax: 'must be JSON',
  too_deep: `must not nest deeper than ${JSON_DEPTH_MAX}`,
  duplicate_key: 'must not give a key twice in one object',
  forbidden_key: 'must not have the key __proto__',
  nul_character: 'must not contain NUL characters',
  lone_surrogate: 'must not contain lone surrogates',
  number_out_of_range: 'must not contain numbers beyond 1.8e308',
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads one JSON text. An empty body is a syntax error: whether none is allowed is the caller's question. `depth`: how many
 * objects and arrays the text stands in.
 */
export function parseStrictJson(sent: Uint8Array, depth = 0): StrictJsonResult {
  const bytes = depth === 0 ? withoutMark(sent) : sent;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return refused('invalid_utf8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('syntax');
  }
  const escaped = text.includes('\\');
  const quotes = escaped ? countQuotesBetweenEscapes(bytes) : countQuotes(bytes);
  const strings = countStrings([value], depth - 1);
  // Without escapes the text cannot hold NUL (a raw one is a syntax error) or lone surrogates (not UTF-8).
  if (strings * 2 === quotes && !escaped) return { ok: true, value };
  const reason = findReason(value, depth) ?? (strings * 2 === quotes ? undefined : 'duplicate_key');
  return reason === undefined ? { ok: true, value } : refused(reason);
}

/** What follows a byte order mark, which some editors and shells put before what they send. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const refused = (reason: StrictJsonReason): StrictJsonResult => ({ ok: false, code: 'invalid_json', reason });

function countQuotes(bytes: Uint8Array): number {
  let quotes = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === QUOTE) quotes++;
  return quotes;
}

/** In valid JSON a backslash occurs only inside strings, and takes the next character with it. */
function countQuotesBetweenEscapes(bytes: Uint8Array): number {
  let quotes = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) quotes++;
    else if (bytes[i] === BACKSLASH) i++;
  }
  return quotes;
}

/**
 * Strings inside an object or array, keys included; NaN where something must not be there.
 * Written out flat because it runs on every request.
 */
function countStrings(container: object, depth: number): number {
  if (depth >= JSON_DEPTH_MAX) return Number.NaN;
  let strings = 0;
  if (Array.isArray(container)) {
    for (let i = 0; i < container.length; i++) {
      const value = container[i];
      if (typeof value === 'string') strings++;
      else if (typeof value === 'number') strings += value - value;
      else if (typeof value === 'object' && value !== null) strings += countStrings(value, depth + 1);
    }
    return strings;
  }
  const members = container as Record<string, unknown>;
  for (const key in members) {
    if (key === '__proto__') return Number.NaN;
    strings++;
    const value = members[key];
    if (typeof value === 'string') strings++;
    else if (typeof value === 'number') strings += value - value;
    else if (typeof value === 'object' && value !== null) strings += countStrings(value, depth + 1);
  }
  return strings;
}

/** The first thing in the value that must not be there; recursion ends at the depth limit. */
function findReason(value: unknown, depth: number): StrictJsonReason | undefined {
  if (typeof value === 'string') return findTextReason(value);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'number_out_of_range';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= JSON_DEPTH_MAX) return 'too_deep';
  for (const [key, member] of Object.entries(value)) {
    const reason =
      (key === '__proto__' ? 'forbidden_key' : findTextReason(key)) ?? findReason(member, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function findTextReason(text: string): StrictJsonReason | undefined {
  if (text.includes('\u0000')) return 'nul_character';
  return text.isWellFormed() ? undefined : 'lone_surrogate';
}
