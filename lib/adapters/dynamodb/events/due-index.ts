// The due index of a table of events or batches: queries of what is due in a shard, and moving the due time of unread
// items.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { INDEX } from '#lib/events/domain/topology.ts';
import type { DueEntry, DueIndex } from '#lib/events/ports/due-index.ts';
import { conditional } from '../core/items/conditional.ts';
import { parseDue, queryGroup, queryGroups } from '../core/items/due-index.ts';

type Item = Record<string, unknown>;

/** `parseKey`: null for a key that this code did not write. */
export function createDueQueries<Key>(
  db: DynamoDBDocumentClient,
  table: string,
  dueShards: number,
  parseKey: (item: Item) => Key | null,
): DueIndex<Key> {
  const source = { table, index: INDEX.due };
  const toEntry = (item: Item): DueEntry<Key>[] => {
    const due = parseDue(item.da);
    const key = parseKey(item);
    if (due === null || key === null) return [];
    const { atMs, parkedFor } = due;
    return [{ key, dueAtMs: atMs, ...(parkedFor === undefined ? {} : { parkedFor }) }];
  };
  return {
    dueShards,
    async dueGroups(shard, past, limit) {
      const { items, isCut } = await queryGroups(db, source, shard, past, limit);
      return { entries: items.flatMap(toEntry), isCut };
    },
    async dueOf(query) {
      const { items, cursor } = await queryGroup(db, source, query);
      return { entries: items.flatMap(toEntry), ...(cursor === undefined ? {} : { cursor }) };
    },
  };
}

export interface PutOff {
  readonly key: Item;
  readonly seen: { readonly da: string };
  readonly next: { readonly da: string };
  readonly sweeps: number;
}

/**
 * Moves the due time of an unreadable item, within its group, if it has not changed since it was read, and counts the
 * sweep.
 */
export async function putOffUnread(
  db: DynamoDBDocumentClient,
  table: string,
  { key, seen, next, sweeps }: PutOff,
): Promise<boolean> {
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: key,
        UpdateExpression: 'SET da = :due, sw = :sweeps',
        ConditionExpression: 'da = :seenDue',
        ExpressionAttributeValues: { ':due': next.da, ':seenDue': seen.da, ':sweeps': sweeps + 1 },
      }),
    ),
  );
  return written !== null;
}
