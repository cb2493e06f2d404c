// Items of one merchant, by what their sort keys begin with. No more is read than is asked for, and never another merchant's.
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { profileKey } from './config-item.ts';
import { everyItem } from './every-item.ts';

type Item = Record<string, unknown>;

interface Options {
  readonly limit?: number;
  readonly forward?: boolean;
  /** What follows the prefix: from `from` on, and before `to`. */
  readonly between?: { readonly from: string; readonly to: string };
}

/** Items of the merchant's partition of the config table whose sort key begins with `prefix`. A consistent read. */
export async function merchantItems(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  prefix: string,
  { limit = Number.POSITIVE_INFINITY, forward = true, between }: Options = {},
): Promise<Item[]> {
  if (between !== undefined && between.from >= between.to) return [];
  const values =
    between === undefined
      ? { ':prefix': prefix }
      : { ':from': prefix + between.from, ':to': prefix + between.to };
  const condition = between === undefined ? 'begins_with(sk, :prefix)' : 'sk BETWEEN :from AND :to';
  // BETWEEN takes its end as well.
  const spare = between === undefined ? 0 : 1;
  const items: Item[] = [];
  const readPage = (from: object) =>
    db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `pk = :pk AND ${condition}`,
        ExpressionAttributeValues: { ':pk': profileKey(merchantId).pk, ...values },
        ConsistentRead: true,
        ScanIndexForward: forward,
        ...from,
        ...(Number.isFinite(limit) ? { Limit: limit - items.length + spare } : {}),
      }),
    );
  for await (const item of everyItem(readPage)) {
    if (between !== undefined && item.sk === prefix + between.to) continue;
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
}
