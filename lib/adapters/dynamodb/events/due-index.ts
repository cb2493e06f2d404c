// The due index of the events table: what is due in a shard, and what is put off without having been read.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { UnreadableRow } from '../../../events/domain/event-row.ts';
import { INDEX } from '../../../events/domain/topology.ts';
import { DUE_SHARDS, type DueEntry, type EventStore } from '../../../events/ports/event-store.ts';
import { conditional } from '../core/conditional.ts';
import { parseDue, queryGroup, queryGroups } from '../core/due-index.ts';
import { type Item, itemKey, parseItemKey, rowDueEntry } from './event-item.ts';

export function createDueQueries(
  db: DynamoDBDocumentClient,
  table: string,
): Pick<EventStore, 'dueShards' | 'dueGroups' | 'dueOf'> {
  const source = { table, index: INDEX.due };
  return {
    dueShards: DUE_SHARDS,
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

function toEntry(item: Item): DueEntry[] {
  const due = parseDue(item.da);
  if (due === null) return [];
  const { atMs, parkedFor } = due;
  return [{ key: parseItemKey(item), dueAtMs: atMs, ...(parkedFor === undefined ? {} : { parkedFor }) }];
}

export async function deferUnreadable(
  db: DynamoDBDocumentClient,
  table: string,
  { key, parkedFor, dueAtMs: seenDueMs, sweeps }: UnreadableRow,
  dueAtMs: number,
): Promise<boolean> {
  if (seenDueMs === undefined) return false;
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(key),
        UpdateExpression: 'SET da = :due, sw = :sweeps',
        ConditionExpression: 'da = :seenDue',
        ExpressionAttributeValues: {
          ':due': rowDueEntry(key, parkedFor, dueAtMs).da,
          ':seenDue': rowDueEntry(key, parkedFor, seenDueMs).da,
          ':sweeps': sweeps + 1,
        },
      }),
    ),
  );
  return written !== null;
}
