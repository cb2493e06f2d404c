// The batches table on DynamoDB. Every write is one write to one item; one that follows a read is conditional on what was read.
import { type DynamoDBDocumentClient, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { BatchOutcomes } from '../../../events/domain/batch.ts';
import { INDEX } from '../../../events/domain/topology.ts';
import type { BatchStore, UnreadableBatchItem } from '../../../events/ports/batch-store.ts';
import { conditional } from '../core/conditional.ts';
import { queryDueItems } from '../core/due-index.ts';
import { readItems } from '../core/read-items.ts';
import { decodeBatchItems, type OnUnreadableBatchItem } from './batch-decoder.ts';
import {
  batchItemKey,
  manifestItem,
  minutePartition,
  minutePrefix,
  outcomesItem,
  parseBatchItemKey,
} from './batch-item.ts';

/** `onUnreadable` is told of every item that could not be read, whoever wanted it. */
export function createBatchStore(
  db: DynamoDBDocumentClient,
  table: string,
  onUnreadable: OnUnreadableBatchItem = () => {},
): BatchStore {
  return {
    async putManifest(manifest) {
      await db.send(new PutCommand({ TableName: table, Item: manifestItem(manifest) }));
    },

    async readMany({ manifests = [], outcomes = [] }, consistency) {
      const keys = [
        ...manifests.map((batch) => batchItemKey(batch)),
        ...outcomes.map(({ batch, platform }) => batchItemKey(batch, platform)),
      ];
      return decodeBatchItems(await readItems(db, table, keys, consistency === 'strong'), onUnreadable);
    },

    async ofMinute({ cursor, ...minute }) {
      const { Items: items = [], LastEvaluatedKey: last } = await db.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :minute)',
          ExpressionAttributeValues: { ':pk': minutePartition(minute), ':minute': minutePrefix(minute) },
          ...(cursor === undefined ? {} : { ExclusiveStartKey: { pk: minutePartition(minute), sk: cursor } }),
        }),
      );
      const read = decodeBatchItems(items, onUnreadable);
      return last === undefined ? read : { ...read, cursor: String(last.sk) };
    },

    writeOutcomes: (next, seenVersion) => writeOutcomes(db, table, next, seenVersion),

    deferUnreadable: (seen, dueAtMs) => deferUnreadable(db, table, seen, dueAtMs),

    async due(shard, beforeMs, limit) {
      const items = await queryDueItems(db, { table, index: INDEX.due }, shard, beforeMs, limit);
      return items.flatMap((item) => {
        const { batch, platform } = parseBatchItemKey(item) ?? {};
        if (batch === undefined || platform === undefined) return [];
        return [{ key: { batch, platform }, dueAtMs: Number(item.da) }];
      });
    },
  };
}

async function writeOutcomes(
  db: DynamoDBDocumentClient,
  table: string,
  next: BatchOutcomes,
  seenVersion: number,
): Promise<boolean> {
  const written = await conditional(
    db.send(
      new PutCommand({
        TableName: table,
        Item: outcomesItem({ ...next, version: seenVersion + 1 }),
        ...(seenVersion === 0
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } }),
      }),
    ),
  );
  return written !== null;
}

async function deferUnreadable(
  db: DynamoDBDocumentClient,
  table: string,
  { batch, platform, dueAtMs: seenDueAtMs, sweeps }: UnreadableBatchItem,
  dueAtMs: number,
): Promise<boolean> {
  // A manifest is never due, and what is not due need not be put off.
  if (platform === undefined || seenDueAtMs === undefined) return false;
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: batchItemKey(batch, platform),
        UpdateExpression: 'SET da = :due, sw = :sweeps',
        ConditionExpression: 'da = :seenDue',
        ExpressionAttributeValues: { ':due': dueAtMs, ':seenDue': seenDueAtMs, ':sweeps': sweeps + 1 },
      }),
    ),
  );
  return written !== null;
}
