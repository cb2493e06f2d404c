// What routes of people write and read alike: short texts, addresses, times.
import * as z from 'zod';

// Spelled out for those who read it in the OpenAPI document: classes such as \P{Cc} are not known to every language.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** One line of text: letters of any script, no control characters. */
export const line = (maxChars: number) =>
  z.string().trim().min(1).max(maxChars).regex(NO_CONTROLS, 'must not hold control characters');

export const emailAddress = z.string().trim().max(254).meta({ format: 'email' }).pipe(z.email());

/** The one answer of a route: a success, with these fields. */
export const succeeds = <const Shape extends z.ZodRawShape>(shape: Shape) => ({
  200: z.object({ success: z.literal(true), ...shape }),
});

/** A whole number in a query. */
export const integer = (max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    // For the document: what comes out is no part of the schema of what goes in.
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Of lists that go by a cursor. */
export const cursorParam = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .meta({ description: '`next_cursor` of the page before.' });
export const nextCursor = z.string().nullable().meta({
  description: 'Null after the last page. A page may be short of its limit, or empty, and have one.',
});
