// Date of birth as YYYYMMDD. Reads ISO dates (with or without a time, taken as written), year-first dates with any
// separator, day and month in either order where only one order is possible, days before dots (no country writes the
// month first there), and English month names. Refuses (`not_a_date`) what stays ambiguous (04/05/1990), two-digit
// years, days that do not exist, years before 1900, and days after the day of receipt.
import { DAY_MS, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { sha256 } from './digest.ts';
import { type IdentityDraft, note, readHashable } from './draft.ts';
import { asciiDigits } from './letters.ts';

/** Meta: "year from 1900 to current". */
const YEAR_MIN = 1900;
const YEAR_MAX = 2099;
/** UTC+14, where a day begins first: a birth date of today there is not in the future. */
const EARLIEST_ZONE_MS = 14 * HOUR_MS;

const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_FIRST = /^(\d{4})\s?[-/.\s]\s?(\d{1,2})\s?[-/.\s]\s?(\d{1,2})(?:$|[Tt\s])/;
const YEAR_LAST = /^(\d{1,2})\s?([-/.\s])\s?(\d{1,2})\s?[-/.\s]\s?(\d{4})(?:$|\s)/;
const DAY_NAMED_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?[\s\-/.]{1,2}([a-z]{3,9})\.?,?[\s\-/]{1,2}(\d{4})$/i;
const NAMED_MONTH_DAY = /^([a-z]{3,9})\.?[\s-]{1,2}(\d{1,2})(?:st|nd|rd|th)?,?[\s-]{1,2}(\d{4})$/i;

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function compact(yearText: string, month: number, day: number): string | null {
  const year = Number(yearText);
  if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12) return null;
  if (day < 1 || day > daysIn(year, month)) return null;
  return `${yearText}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`;
}

function yearLast(one: number, separator: string, two: number, year: string): string | null {
  if (separator === '.' || one > 12 || one === two) return compact(year, two, one);
  return two > 12 ? compact(year, one, two) : null;
}

/** 0 if it is no month; three letters are enough. */
function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return (
    MONTHS.findIndex((month) => month.startsWith(lower) || (lower === 'sept' && month === 'september')) + 1
  );
}

/** YYYYMMDD, or null. */
export function birthDate(text: string): string | null {
  const date = asciiDigits(text);
  const first = COMPACT.exec(date) ?? YEAR_FIRST.exec(date);
  if (first !== null) return compact(first[1] ?? '', Number(first[2]), Number(first[3]));
  const last = YEAR_LAST.exec(date);
  if (last !== null) return yearLast(Number(last[1]), last[2] ?? '', Number(last[3]), last[4] ?? '');
  const dayNamed = DAY_NAMED_MONTH.exec(date);
  if (dayNamed !== null) return compact(dayNamed[3] ?? '', monthOf(dayNamed[2] ?? ''), Number(dayNamed[1]));
  const named = NAMED_MONTH_DAY.exec(date);
  if (named !== null) return compact(named[3] ?? '', monthOf(named[1] ?? ''), Number(named[2]));
  return null;
}

export function addDateOfBirth(draft: IdentityDraft): void {
  const value = readHashable(draft, 'date_of_birth', draft.userData.date_of_birth);
  if (value === null) return;
  const date = value.digest === null ? birthDate(value.text) : null;
  if (value.digest === null && date === null) {
    note(draft, 'date_of_birth', 'not_a_date');
    return;
  }
  if (date !== null && date > lastDayAnywhere(draft.nowMs)) {
    note(draft, 'date_of_birth', 'not_a_date');
    return;
  }
  draft.hashed.dateOfBirth = value.digest ?? sha256(date ?? '');
}

/** Cached: every event of a day asks for the same value. */
let lastDay = { number: 0, text: '19700101' };

/** YYYYMMDD of today in the earliest time zone. */
function lastDayAnywhere(nowMs: number): string {
  const number = Math.floor((nowMs + EARLIEST_ZONE_MS) / DAY_MS);
  if (number !== lastDay.number)
    lastDay = {
      number,
      text: new Date(number * DAY_MS).toISOString().slice(0, 10).replaceAll('-', ''),
    };
  return lastDay.text;
}
