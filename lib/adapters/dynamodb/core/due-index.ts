// The sparse index of what is due: `dp` shard, `da` due at, milliseconds.
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

/** Items of one shard that were due before `beforeMs`, the longest due first: their keys, `dp` and `da`. */
export async function queryDueItems(
  db: DynamoDBDocumentClient,
  source: { readonly table: string; readonly index: string },
  shard: number,
  beforeMs: number,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const { Items: items = [] } = await db.send(
    new QueryCommand({
      TableName: source.table,
      IndexName: source.index,
      KeyConditionExpression: 'dp = :shard AND da < :before',
      ExpressionAttributeValues: { ':shard': String(shard), ':before': beforeMs },
      Limit: limit,
    }),
  );
  return items;
}
