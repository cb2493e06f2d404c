// The batches table on DynamoDB. Every write is one write to one item; one that follows a read is conditional on what was read.
import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { BATCH_DUE_SHARDS, type BatchStore, type OutcomesKey } from '#lib/events/ports/batch-store.ts';
import { conditional } from '../../core/items/conditional.ts';
import { readItems } from '../../core/items/read-items.ts';
import { createDueQueries, putOffUnread } from '../due-index.ts';
import { decodeBatchItems, type OnUnreadableBatchItem } from './decoder.ts';
import {
  batchItemKey,
  manifestItem,
  minutePartition,
  minutePrefix,
  outcomesDueEntry,
  outcomesItem,
  parseBatchItemKey,
} from './item.ts';

/** `onUnreadable` is called for every item that could not be read, by any method. `retentionDays`: as for rows. */
export function createBatchStore(
  db: DynamoDBDocumentClient,
  table: string,
  onUnreadable: OnUnreadableBatchItem = () => {},
  retentionDays?: number,
): BatchStore {
  return {
    async putManifest(manifest) {
      await db.send(new PutCommand({ TableName: table, Item: manifestItem(manifest, retentionDays) }));
    },

    async readMany({ manifests = [], outcomes = [] }, consistency) {
      const keys = [
        ...manifests.map((batch) => batchItemKey(batch)),
        ...outcomes.map(({ batch, platform }) => batchItemKey(batch, platform)),
      ];
      return decodeBatchItems(await readItems(db, table, keys, consistency === 'strong'), onUnreadable);
    },

    async ofBatch({ batch, platform }) {
      const wanted = [batchItemKey(batch), batchItemKey(batch, platform)];
      const [{ pk, sk: from } = { pk: '', sk: '' }, to] = wanted;
      const items: Record<string, unknown>[] = [];
      let start: Record<string, unknown> | undefined;
      // Items in between are outcomes of platforms earlier in the alphabet: on a first attempt there is little of them.
      do {
        const { Items: page = [], LastEvaluatedKey: last } = await db.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
            ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to?.sk },
            ...(start === undefined ? {} : { ExclusiveStartKey: start }),
          }),
        );
        items.push(...page);
        start = last;
      } while (start !== undefined);
      const own = items.filter(({ sk }) => wanted.some((key) => key.sk === sk));
      return decodeBatchItems(own, onUnreadable);
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

    writeOutcomes: async (next, seenVersion) => {
      const item = outcomesItem({ ...next, version: seenVersion + 1 }, retentionDays);
      return await writeOutcomes(db, table, item, seenVersion);
    },

    deferUnreadable: async ({ batch, platform, parkedFor, dueAtMs: seenDueMs, sweeps }, dueAtMs) => {
      // A manifest is never due, and an item without a due time need not be put off.
      if (platform === undefined || seenDueMs === undefined) return false;
      const seen = outcomesDueEntry({ batch, platform }, parkedFor, seenDueMs);
      const next = outcomesDueEntry({ batch, platform }, parkedFor, dueAtMs);
      return await putOffUnread(db, table, { key: batchItemKey(batch, platform), seen, next, sweeps });
    },

    ...createDueQueries(db, table, BATCH_DUE_SHARDS, toOutcomesKey),
  };
}

function toOutcomesKey(item: Record<string, unknown>): OutcomesKey | null {
  const { batch, platform } = parseBatchItemKey(item) ?? {};
  return batch === undefined || platform === undefined ? null : { batch, platform };
}

async function writeOutcomes(
  db: DynamoDBDocumentClient,
  table: string,
  item: Readonly<Record<string, unknown>>,
  seenVersion: number,
): Promise<boolean> {
  const written = await conditional(
    db.send(
      new PutCommand({
        TableName: table,
        Item: item,
        ...(seenVersion === 0
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } }),
      }),
    ),
  );
  return written !== null;
}
