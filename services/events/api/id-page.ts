// Pages of records that are kept for a while, newest first; a cursor names the last record of the page before.
import * as z from 'zod';
import { createListCursor, type PagedQuery } from '#lib/core/http/list-cursor.ts';

export const idCursors = createListCursor(z.strictObject({ i: z.guid() }));

/** `found`: one more than the page takes, where there are so many. */
export function idPage<T extends { readonly id: string }>(
  query: PagedQuery & { readonly limit: number },
  found: readonly T[],
) {
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1) : undefined;
  return { page, next_cursor: idCursors.write(query, last === undefined ? null : { i: last.id }) };
}
