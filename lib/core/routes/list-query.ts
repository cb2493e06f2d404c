// Query parameters of lists that go by limit and offset, or by page. Guarantees: plain digits only, never clamped, so that a
// caller learns of a limit instead of missing records; an empty search is none. Refuses `1e2`, `0x10`, `+5`, ` 7 ` and what a
// looser reader makes a number of.
import * as z from 'zod';

const digits = (description: string, min: number, max: number, fallback: number) => {
  const words = `must be between ${min} and ${max}`;
  return (
    z
      .string({ error: words })
      .regex(new RegExp(`^[0-9]{1,${String(max).length}}$`), words)
      .transform(Number)
      .pipe(z.int(words).min(min, words).max(max, words))
      .default(fallback)
      // For the document: what comes out is no part of the schema of what goes in, the default included.
      .meta({
        type: 'integer',
        minimum: min,
        maximum: max,
        description: `${description}; ${fallback} where absent.`,
      })
  );
};

/** Entries of a page: 1 to `max`. */
export const limitParam = (fallback: number, max: number) => digits('Entries of a page', 1, max, fallback);

/** Entries before the page: 0 to `max`. */
export const offsetParam = (max: number) => digits('Entries before the page', 0, max, 0);

/** Where counting ends: 1 to `max`. */
export const countToParam = (max: number) =>
  digits('Where counting ends: a total of so many comes with X-Total-Capped', 1, max, max);

/** Number of the page: 1 to `max`. */
export const pageParam = (max: number) => digits('Number of the page', 1, max, 1);

/** Text to look for, at most `maxChars` code points without the spaces around it; undefined where that is nothing. */
export const searchParam = (maxChars: number) =>
  z
    .string()
    .trim()
    .max(maxChars)
    .transform((text) => (text === '' ? undefined : text))
    .optional()
    .meta({ maxLength: maxChars });
