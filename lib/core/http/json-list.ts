// Where the entries of one list stand in a JSON text, found without parsing it: an entry that is no JSON then spoils
// itself and not its neighbours. Guarantees: one pass over the bytes, memory for at most `entriesMax` ranges, no throw.
// Refuses to guess: a text whose brackets and quotes do not tell one entry from the next has no entries.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LIST_START = 0x5b;
const LIST_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;

export interface ListText {
  /** The text with an empty list in the place of the list. Whether it is JSON is not known. */
  readonly around: Uint8Array;
  /** One piece of the text for each entry, white space included; none is blank. Whether it is JSON is not known. */
  readonly entries: readonly Uint8Array[];
}

/**
 * Splits the list that is the member `name` of the outermost object. Null where there is none, where the member is given
 * twice or its name is written with escapes, and where more than `entriesMax` entries are seen.
 */
export function splitList(bytes: Uint8Array, name: string, entriesMax: number): ListText | null {
  const key = new TextEncoder().encode(`"${name}"`);
  let found: ListSpan | null = null;
  let at = afterSpace(bytes, 0);
  if (bytes[at] !== OBJECT_START) return null;
  at = afterSpace(bytes, at + 1);
  while (bytes[at] === QUOTE) {
    const keyEnd = afterString(bytes, at);
    const isList = keyEnd - at === key.length && key.every((byte, i) => bytes[at + i] === byte);
    at = afterSpace(bytes, keyEnd);
    if (bytes[at] !== COLON) return null;
    at = afterSpace(bytes, at + 1);
    if (isList) {
      if (found !== null || bytes[at] !== LIST_START) return null;
      found = listAt(bytes, at, entriesMax);
      if (found === null) return null;
      at = afterSpace(bytes, found.end);
    } else at = afterValue(bytes, at);
    if (bytes[at] !== COMMA) break;
    at = afterSpace(bytes, at + 1);
  }
  if (found === null || bytes[at] !== OBJECT_END) return null;
  const { start, end, commas } = found;
  const around = new Uint8Array(start + 2 + bytes.length - end);
  around.set(bytes.subarray(0, start + 1));
  around.set(bytes.subarray(end - 1), start + 1);
  if (commas.length === 0 && afterSpace(bytes, start + 1) === end - 1) return { around, entries: [] };
  const edges = [start, ...commas, end - 1];
  const entries = edges.slice(1).map((edge, i) => bytes.subarray((edges[i] ?? 0) + 1, edge));
  return entries.some((entry) => afterSpace(entry, 0) === entry.length) ? null : { around, entries };
}

interface ListSpan {
  /** Of the opening bracket. */
  readonly start: number;
  /** After the closing bracket. */
  readonly end: number;
  readonly commas: readonly number[];
}

function listAt(bytes: Uint8Array, start: number, entriesMax: number): ListSpan | null {
  const commas: number[] = [];
  for (let at = afterValue(bytes, start + 1); at < bytes.length; at = afterValue(bytes, at + 1)) {
    if (bytes[at] === LIST_END) return { start, end: at + 1, commas };
    if (bytes[at] !== COMMA || commas.length + 1 >= entriesMax) return null;
    commas.push(at);
  }
  return null;
}

/** Where what is not inside brackets or quotes ends: at a comma, at a closing bracket that was not opened, or at the end. */
function afterValue(bytes: Uint8Array, from: number): number {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = afterString(bytes, at);
      continue;
    }
    if (byte === OBJECT_START || byte === LIST_START) depth++;
    else if (byte === OBJECT_END || byte === LIST_END) {
      if (depth === 0) return at;
      depth--;
    } else if (byte === COMMA && depth === 0) return at;
    at++;
  }
  return at;
}

/** After the closing quote, or the end of the text. */
function afterString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return bytes.length;
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}
