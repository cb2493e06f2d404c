// What goes into a request body. Guarantees: amounts keep every digit of their decimal; nothing empty is sent:
// no undefined, null, empty text (but `EMPTY_PLACE`), empty list or empty object, at any depth. Refuses: numbers that are
// not finite.

// Node serializes a raw JSON value digit for digit; the compiler's library does not list the pair yet.
const raw = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** True for what `jsonNumber` takes: plain notation, non-negative, at most 64 characters. */
export function isDecimal(text: string): boolean {
  return text.length <= 64 && DECIMAL.test(text);
}

/** A JSON number with exactly these digits; undefined where the text is not a plain decimal. */
export function jsonNumber(decimal: string | undefined): object | undefined {
  return decimal !== undefined && isDecimal(decimal) ? raw.rawJSON(decimal) : undefined;
}

/** An empty text in a list whose positions the vendor counts. */
export const EMPTY_PLACE = raw.rawJSON('""');

/** Serializes without anything empty. */
export function jsonBody(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(compact(value) ?? {});
}

/** The value without empty parts; undefined when nothing remains. Cycles cannot occur: values come from JSON. */
export function compact(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value === '' ? undefined : value;
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return undefined;
      if (raw.isRawJSON(value)) return value;
      return Array.isArray(value)
        ? compactList(value)
        : compactRecord(value as Readonly<Record<string, unknown>>);
    default:
      return undefined;
  }
}

function compactList(list: readonly unknown[]): readonly unknown[] | undefined {
  const kept: unknown[] = [];
  for (const item of list) {
    const part = compact(item);
    if (part !== undefined) kept.push(part);
  }
  return kept.length === 0 ? undefined : kept;
}

/** Copied key by key, since most records lose some: lists of pairs in between would cost as much as the text. */
function compactRecord(record: Readonly<Record<string, unknown>>): object | undefined {
  const kept: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key of Object.keys(record)) {
    const part = key === '' ? undefined : compact(record[key]);
    if (part === undefined) continue;
    isEmpty = false;
    // Assigning would set the prototype.
    if (key === '__proto__') Object.defineProperty(kept, key, { value: part, enumerable: true });
    else kept[key] = part;
  }
  return isEmpty ? undefined : kept;
}
