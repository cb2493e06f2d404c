import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { profileKey } from './config-item.ts';
import { everyItem } from './every-item.ts';

type Item = Record<string, unknown>;

/** Items of the merchant's partition of the config table whose sort key begins with `prefix`. A consistent read. */
export async function merchantItems(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  prefix: string,
  { limit = Number.POSITIVE_INFINITY, forward = true } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  const readPage = (from: object) =>
    db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': profileKey(merchantId).pk, ':prefix': prefix },
        ConsistentRead: true,
        ScanIndexForward: forward,
        ...from,
        ...(Number.isFinite(limit) ? { Limit: limit - items.length } : {}),
      }),
    );
  for await (const item of everyItem(readPage)) {
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
}
