// Where the next page of a list starts, as an opaque text. Guarantees: a cursor works with the query it came from and with
// no other. It names a position only: whose rows are read is decided by the caller's credential.
import { hash } from 'node:crypto';
import type * as z from 'zod';
import { refuse } from './handler.ts';

/** What a list was asked for. */
export interface PagedQuery {
  readonly cursor?: string | undefined;
  readonly [name: string]: unknown;
}

export interface ListCursor<Place> {
  /** Null after the last page. */
  write(query: PagedQuery, place: Place | null): string | null;
  /** Undefined where the query has none; null when it was not written for this query. */
  read(query: PagedQuery): Place | null | undefined;
}

export const FOREIGN_CURSOR = refuse('cursor', 'must come from a page of this very query');

/** `place` must not take `q`, under which the digest of the query stands. */
export function createListCursor<Place extends object>(place: z.ZodType<Place>): ListCursor<Place> {
  return {
    write: (query, at) =>
      at && Buffer.from(JSON.stringify({ ...at, q: digestOf(query) })).toString('base64url'),
    read: (query) => {
      if (query.cursor === undefined) return undefined;
      const value = parsed(query.cursor);
      if (value === null || typeof value !== 'object') return null;
      const { q, ...at } = value as { readonly q?: unknown };
      const known = place.safeParse(at);
      return known.success && q === digestOf(query) ? known.data : null;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

/** Everything but the size and the place of the page. */
function digestOf({ limit: _limit, offset: _offset, cursor: _cursor, ...query }: PagedQuery): string {
  return hash('sha256', JSON.stringify(Object.entries(query).sort()), 'hex').slice(0, 8);
}
