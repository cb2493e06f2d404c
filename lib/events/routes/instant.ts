// A point in time as callers write it.
import * as z from 'zod';

const DIGITS = /^\d{1,15}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const MILLISECONDS_FROM = 1_000_000_000_000;
/** Year 10000: what comes after has no ISO form of four digits. */
const END_MS = 253_402_300_800_000;

/** Milliseconds, or the start of a day of the merchant's time zone. */
export type Moment = number | { readonly day: string };

/** ISO 8601 date, date and time with offset, or Unix time in seconds or milliseconds. */
export const moment = text(
  (value): Moment | null => {
    const ms = parse(value);
    return ms !== null && DATE.test(value) ? { day: value } : ms;
  },
  [DIGITS, DATE, DATE_TIME],
);

/** The same without dates, where none has a time zone: milliseconds. */
export const instant = text((value) => (DATE.test(value) ? null : parse(value)), [DIGITS, DATE_TIME]);

function text<T>(read: (value: string) => T | null, forms: readonly RegExp[]) {
  const date = forms.includes(DATE) ? 'an ISO 8601 date, ' : '';
  return z
    .string()
    .max(40)
    .transform((value, context) => {
      const found = read(value);
      if (found !== null) return found;
      context.addIssue({
        code: 'custom',
        message: `must be ${date}an ISO 8601 date and time with offset, or Unix time`,
      });
      return z.NEVER;
    })
    .meta({ pattern: forms.map(({ source }) => source).join('|') });
}

function parse(text: string): number | null {
  if (DIGITS.test(text)) {
    const value = Number(text);
    const ms = value >= MILLISECONDS_FROM ? value : value * 1_000;
    return ms < END_MS ? ms : null;
  }
  if (!DATE.test(text) && !DATE_TIME.test(text)) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || ms < 0) return null;
  // Date.parse takes the 30th of February for the 1st of March.
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10)) ? ms : null;
}
