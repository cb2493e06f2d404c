// Rows by key, as many as there are. A read that may be a moment late costs half, so it comes first; what it did not show,
// or showed too early, is read again consistently. A row that is there and ready is never missed.

import type { EventKey, EventRow, RowsRead, UnreadableRow } from '../domain/event/row.ts';
import { POINTERS_MAX } from '../domain/pointer.ts';
import type { EventStore } from '../ports/event-store.ts';

export interface ReadRowsOptions {
  /** Rows to be had: another one is asked for again, and left out if it has not changed. Absent: any. */
  readonly isReady?: (row: EventRow) => boolean;
  /** Keys to be read consistently at once. Absent: none. */
  readonly atOnce?: (key: EventKey) => boolean;
}

const NOTHING: RowsRead = { rows: [], unreadable: [] };

export async function readRows(
  keys: readonly EventKey[],
  events: Pick<EventStore, 'readMany'>,
  { isReady = () => true, atOnce = () => false }: ReadRowsOptions = {},
): Promise<RowsRead> {
  const unique = keys.length < 2 ? keys : [...new Map(keys.map((key) => [rowId(key), key])).values()];
  const rows: EventRow[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const wanted of readable(unique)) {
    const patient = wanted.filter((key) => !atOnce(key));
    const first = patient.length === 0 ? NOTHING : await events.readMany(patient, 'eventual');
    const ready = first.rows.filter(isReady);
    rows.push(...ready);
    if (ready.length === wanted.length) continue;
    const seen = new Set(ready.map((row) => rowId(row.key)));
    const again = wanted.filter((key) => !seen.has(rowId(key)));
    const second = await events.readMany(again);
    rows.push(...second.rows.filter(isReady));
    unreadable.push(...second.unreadable);
  }
  return { rows, unreadable };
}

/** In pieces that one read takes. */
export const readable = <T>(keys: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(keys.length / POINTERS_MAX) }, (_, i) =>
    keys.slice(i * POINTERS_MAX, (i + 1) * POINTERS_MAX),
  );

/** Injective: no part can run into the next. */
export function rowId({ merchantId, channel, eventId, archivedAs = '' }: EventKey): string {
  return `${merchantId}/${channel}/${archivedAs}/${eventId}`;
}
