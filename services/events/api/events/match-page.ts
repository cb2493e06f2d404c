// A page of what a filter finds, the newest first, behind the last entry of the page before. Guarantees: a page that the bound of a
// scan ends has a cursor too, also where it is short.
import * as z from 'zod';
import { createListCursor } from '#lib/core/http/list-cursor.ts';
import type { EventFilter } from './filter.ts';
import { type Entry, type ScanMatch, type ScanPorts, type ScanRange, scanMatches } from './scan.ts';

/** Time and id of the last entry seen. */
const place = z.strictObject({ t: z.int().nonnegative().max(8.64e15), i: z.guid() });
export type EntryPlace = z.output<typeof place>;

export const ENTRY_CURSORS = createListCursor(place);

/** Gives up to `limit` matches to `show`. Returns where the next page begins; null where the range ends. */
export async function showMatches(
  range: Omit<ScanRange, 'after' | 'order'>,
  cursor: EntryPlace | undefined,
  { filter, limit }: { readonly filter: EventFilter; readonly limit: number },
  ports: ScanPorts,
  show: (match: ScanMatch) => void,
): Promise<EntryPlace | null> {
  const after = cursor === undefined ? {} : { after: { receivedAtMs: cursor.t, ingestId: cursor.i } };
  let shown = 0;
  let last: Entry | undefined;
  let isMore = false;
  const end = await scanMatches({ ...range, ...after, order: 'desc' }, filter, ports, (match) => {
    isMore = shown === limit;
    if (isMore) return 'stop';
    show(match);
    shown += 1;
    last = match.entry;
    return 'find';
  });
  const next = isMore ? last : end.complete ? undefined : end.last;
  return next === undefined ? null : { t: next.receivedAtMs, i: next.ingestId };
}
