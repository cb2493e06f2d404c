// Where the next page of a list starts, as an opaque text. Guarantees: a cursor works with the query it came from and with
// no other. It names a position only: whose events are read is decided by the caller's credential.
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ListQuery } from './event-filter.ts';

const cursorSchema = z.strictObject({
  /** Digest of the query. */
  q: z.string(),
  /** Events before the page. */
  o: z.int().nonnegative(),
  /** Events in all, as counted for the first page, and whether that was all of them. */
  n: z.int().nonnegative(),
  x: z.boolean(),
  /** Time and id of the last event seen; absent where only the offset counts. */
  t: z.int().nonnegative().max(8.64e15).optional(),
  i: z.guid().optional(),
});

export type EventCursor = Omit<z.output<typeof cursorSchema>, 'q'>;

export function writeCursor(query: ListQuery, cursor: EventCursor): string {
  return Buffer.from(JSON.stringify({ ...cursor, q: digestOf(query) })).toString('base64url');
}

/** Null when it was not written for this query. */
export function readCursor(query: ListQuery): EventCursor | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(query.cursor ?? '', 'base64url').toString());
  } catch {
    return null;
  }
  const parsed = cursorSchema.safeParse(value);
  if (!parsed.success || parsed.data.q !== digestOf(query)) return null;
  const { q: _q, ...cursor } = parsed.data;
  return (cursor.t === undefined) === (cursor.i === undefined) ? cursor : null;
}

/** Everything but the size and the place of the page. */
function digestOf({ limit: _limit, offset: _offset, cursor: _cursor, ...query }: ListQuery): string {
  return hash('sha256', JSON.stringify(Object.entries(query).sort()), 'hex').slice(0, 8);
}
