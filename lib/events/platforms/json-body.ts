// What goes into a request body. Guarantees: amounts keep every digit of their decimal; nothing empty is sent:
// no undefined, null, empty text, empty list or empty object, at any depth. Refuses: numbers that are not finite.

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
      return Array.isArray(value) ? compactList(value) : compactRecord(value);
    default:
      return undefined;
  }
}

function compactList(list: readonly unknown[]): readonly unknown[] | undefined {
  const kept = list.map(compact).filter((item) => item !== undefined);
  return kept.length === 0 ? undefined : kept;
}

function compactRecord(record: object): Readonly<Record<string, unknown>> | undefined {
  const kept: [string, unknown][] = [];
  for (const [key, item] of Object.entries(record)) {
    const part = compact(item);
    if (key !== '' && part !== undefined) kept.push([key, part]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
