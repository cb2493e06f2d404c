// Finding records by words. Guarantees: read-your-writes, because tokens are written before a change is answered; what the index
// says is compared with the record itself, so that a stale entry finds nothing; no scan: the longest word says which records are
// looked at, and there are SEARCH_TOTAL_MAX of them at most.
import { SEARCH_TOTAL_MAX } from '../../../lib/helpdesk/domain/limits.ts';
import type { SearchType, Stored } from '../../../lib/helpdesk/domain/outbox.ts';
import { drivingToken, matchesQuery, type QueryToken } from '../../../lib/helpdesk/domain/tokens.ts';
import type { RecordStore, SearchIndex } from '../../../lib/helpdesk/ports/stores.ts';

export interface Found<R> {
  /** All matches, newest first. */
  readonly records: readonly Stored<R>[];
  /** There may be more. */
  readonly isCapped: boolean;
}

export async function searchRecords<R extends { readonly createdAtMs: number; readonly id: string }>(
  {
    workspaceId,
    type,
    query,
  }: {
    readonly workspaceId: string;
    readonly type: SearchType;
    readonly query: readonly QueryToken[];
  },
  {
    index,
    store,
    tokensOf,
  }: {
    readonly index: SearchIndex;
    readonly store: RecordStore<R>;
    readonly tokensOf: (record: R) => readonly string[];
  },
): Promise<Found<R>> {
  const token = drivingToken(query);
  if (token === null) return { records: [], isCapped: false };
  const ids = await index.find(workspaceId, type, token, SEARCH_TOTAL_MAX);
  const stored = await store.readMany(workspaceId, ids);
  const records = stored
    .filter(({ record }) => matchesQuery(tokensOf(record), query))
    .toSorted((a, b) => newestFirst(a.record, b.record));
  return { records, isCapped: ids.length >= SEARCH_TOTAL_MAX };
}

function newestFirst(
  a: { readonly createdAtMs: number; readonly id: string },
  b: { readonly createdAtMs: number; readonly id: string },
): number {
  return b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);
}
