// What routes of people write and read alike: short texts, addresses, times.
import * as z from 'zod';

/** One line of text: letters of any script, no control characters. */
export const line = (maxChars: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxChars)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const emailAddress = z.string().trim().max(254).pipe(z.email());

/** A time with its offset → milliseconds. */
export const timeMs = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
