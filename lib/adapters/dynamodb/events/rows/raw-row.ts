// One row as stored, for an operator who has to find out why it cannot be read.
import { type EventKey, type EventRow, UnreadableRowError } from '#lib/events/domain/event/row.ts';
import { type Db, getItem } from '../../core/items/commands.ts';
import { decodeRow } from './decoder.ts';
import { type Item, itemKey } from './event-item.ts';

export interface RawRow {
  /** Attributes as stored; bytes as `Uint8Array`. */
  readonly item: Item;
  /** The row as decoded, or why it cannot be. */
  readonly row?: EventRow;
  readonly problem?: string;
}

/** Consistent read; null if there is no such row. */
export async function readRawRow(db: Db, table: string, key: EventKey): Promise<RawRow | null> {
  const item = await getItem({ db, table }, itemKey(key));
  if (item === undefined) return null;
  try {
    return { item, row: decodeRow(item, () => {}) };
  } catch (error) {
    if (error instanceof UnreadableRowError) return { item, problem: error.row.problem };
    throw error;
  }
}
