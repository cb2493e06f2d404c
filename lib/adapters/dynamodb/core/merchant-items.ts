import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { profileKey } from './config-item.ts';

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
  let after: Item | undefined;
  do {
    const rest = limit - items.length;
    const answer = await db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': profileKey(merchantId).pk, ':prefix': prefix },
        ConsistentRead: true,
        ScanIndexForward: forward,
        ...(after === undefined ? {} : { ExclusiveStartKey: after }),
        ...(Number.isFinite(rest) ? { Limit: rest } : {}),
      }),
    );
    items.push(...(answer.Items ?? []));
    after = answer.LastEvaluatedKey;
  } while (after !== undefined && items.length < limit);
  return items;
}
