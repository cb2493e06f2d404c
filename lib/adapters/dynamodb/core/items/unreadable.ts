// Why an item cannot be read, in words that hold no value of it.

/** What is wrong with an item that could be unpacked. */
class Misshapen extends Error {}

/** Throws where it does not hold. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Misshapen(what);
}

/** Throws where there is nothing. */
export function valid<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Misshapen(what);
  return found;
}

/** The text of a parser's error may quote the item. */
export function problemOf(error: unknown): string {
  if (error instanceof Misshapen) return `no valid ${error.message}`;
  if (!(error instanceof Error)) return 'unknown';
  return error.message.startsWith('unknown encoding') ? error.message : error.name;
}

/** Of an attribute that ought to be a count. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;
