// The due index of the events table: what is due in a shard, and what is put off without having been read.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { EventKey, UnreadableRow } from '../../../events/domain/event-row.ts';
import { INDEX } from '../../../events/domain/topology.ts';
import { conditional } from '../core/conditional.ts';
import { queryDueItems } from '../core/due-index.ts';
import { itemKey, parseItemKey } from './event-item.ts';

export async function queryDue(
  db: DynamoDBDocumentClient,
  table: string,
  shard: number,
  beforeMs: number,
  limit: number,
): Promise<{ key: EventKey; dueAtMs: number }[]> {
  const items = await queryDueItems(db, { table, index: INDEX.due }, shard, beforeMs, limit);
  return items.map((item) => ({ key: parseItemKey(item), dueAtMs: Number(item.da) }));
}

export async function deferUnreadable(
  db: DynamoDBDocumentClient,
  table: string,
  seen: UnreadableRow,
  dueAtMs: number,
): Promise<boolean> {
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: 'SET da = :due, sw = :sweeps',
        ConditionExpression: 'da = :seenDue',
        ExpressionAttributeValues: { ':due': dueAtMs, ':seenDue': seen.dueAtMs, ':sweeps': seen.sweeps + 1 },
      }),
    ),
  );
  return written !== null;
}
