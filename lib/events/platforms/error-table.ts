// What a vendor's errors mean, as data. The tables decide over answers, and the reference pages print them. To add a code:
// one line in the platform's response.ts, one expectation in test/platforms/<name>/expected.ts.

/**
 * `event_refused`: one of the events is at fault · `setting_refused`: an id in the settings is, and its events wait until it is
 * mended · `auth`: the connection is ·
 * `retry`: nothing has arrived, the events go again · `maybe_delivered`: they go again, and may arrive twice.
 */
export type ErrorKind =
  | 'delivered'
  | 'duplicate'
  | 'rate_limited'
  | 'auth'
  | 'event_refused'
  | 'setting_refused'
  | 'retry'
  | 'maybe_delivered';

/** One value, `5xx` (of a status), `200-299` (a range), `+` (any value), `*` (any, or none). A subcode follows its code: `100.33`. */
type Pattern = string | number;

/** The first line that fits decides. */
export type ErrorRow = readonly [status: Pattern, code: Pattern, kind: ErrorKind, note?: string];
export type ErrorTable = readonly ErrorRow[];

/** The table of these lines, in which codes that mean the same share one. */
export function errorTable(
  lines: readonly (readonly [
    status: Pattern,
    codes: Pattern | readonly Pattern[],
    kind: ErrorKind,
    note?: string,
  ])[],
): ErrorTable {
  return lines.flatMap(([status, codes, ...meaning]) =>
    [codes].flat().map((code): ErrorRow => [status, code, ...meaning]),
  );
}

/** Whether a body is an error as the vendor itself words it: an edge, a firewall or a proxy answers with any status too. */
export type OwnError = (body: Readonly<Record<string, unknown>>, status: number) => boolean;

type Value = string | number | undefined;

/** What an answer says. Where it gives several codes, a line fits that fits one of them. */
export interface Said {
  readonly status: number;
  readonly codes?: readonly Value[];
}

const OWN_ONLY = 'in the platform’s own form, else again';

/** What the status alone says, where the vendor's own table has no line. A redirect is not followed: nobody behind it is the vendor. */
export const STATUS_ERRORS: ErrorTable = [
  [429, '*', 'rate_limited'],
  [401, '*', 'auth', OWN_ONLY],
  [403, '*', 'auth', OWN_ONLY],
  [408, '*', 'retry'],
  [425, '*', 'retry'],
  ['4xx', '*', 'event_refused', OWN_ONLY],
  ['2xx', '*', 'maybe_delivered', 'an answer that cannot be read'],
  ['5xx', '*', 'maybe_delivered'],
  ['*', '*', 'retry'],
];

/** The line that decides; undefined where the table has none. */
export function errorRow(table: ErrorTable, { status, codes = [] }: Said): ErrorRow | undefined {
  const given = codes.length === 0 ? [undefined] : codes;
  return table.find((row) => fits(row[0], status) && given.some((code) => fits(row[1], code)));
}

export function errorKind(table: ErrorTable, said: Said): ErrorKind | undefined {
  return errorRow(table, said)?.[2];
}

const CLASS = /^([1-9])xx$/;
const RANGE = /^(\d+)-(\d+)$/;

function fits(pattern: Pattern, value: Value): boolean {
  if (pattern === '*') return true;
  if (value === undefined) return false;
  if (pattern === '+' || String(pattern) === String(value)) return true;
  if (typeof pattern === 'number') return false;
  const digit = CLASS.exec(pattern)?.[1];
  if (digit !== undefined) return Math.floor(Number(value) / 100) === Number(digit);
  const [, from, to] = RANGE.exec(pattern) ?? [];
  return from !== undefined && Number(value) >= Number(from) && Number(value) <= Number(to);
}
