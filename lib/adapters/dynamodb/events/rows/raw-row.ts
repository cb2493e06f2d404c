// One row as it lies in the table, for a person who has to find out why nobody can read it.
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type EventKey, type EventRow, UnreadableRowError } from '#lib/events/domain/event/row.ts';
import { decodeRow } from './decoder.ts';
import { type Item, itemKey } from './event-item.ts';

export interface RawRow {
  /** Attributes as stored; bytes as `Uint8Array`. */
  readonly item: Item;
  /** What the code reads from it, or why it cannot. */
  readonly row?: EventRow;
  readonly problem?: string;
}

/** Consistent read; null where there is no such row. */
export async function readRawRow(
  db: DynamoDBDocumentClient,
  table: string,
  key: EventKey,
): Promise<RawRow | null> {
  const { Item: item } = await db.send(
    new GetCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true }),
  );
  if (item === undefined) return null;
  try {
    return { item, row: decodeRow(item, () => {}) };
  } catch (error) {
    if (error instanceof UnreadableRowError) return { item, problem: error.row.problem };
    throw error;
  }
}
