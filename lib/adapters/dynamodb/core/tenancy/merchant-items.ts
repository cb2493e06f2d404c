// Items of one merchant, by what their sort keys begin with. No more is read than is asked for, and never another merchant's.
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { profileKey } from '../items/config-item.ts';
import { everyItem } from '../items/every-item.ts';

type Item = Record<string, unknown>;

interface Options<T> {
  readonly limit?: number;
  readonly forward?: boolean;
  /** Undefined for an item that is left out, and is not one of `limit`. */
  readonly decode: (item: Item) => T | undefined;
  /** What follows the prefix: from `from` on, and before `to`. */
  readonly between?: { readonly from: string; readonly to: string };
}

/** Items of the merchant's partition of the config table whose sort key begins with `prefix`. A consistent read. */
export async function merchantItems<T>(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  prefix: string,
  { limit = Number.POSITIVE_INFINITY, forward = true, between, decode }: Options<T>,
): Promise<T[]> {
  if (between !== undefined && between.from >= between.to) return [];
  const values =
    between === undefined
      ? { ':prefix': prefix }
      : { ':from': prefix + between.from, ':to': prefix + between.to };
  const condition = between === undefined ? 'begins_with(sk, :prefix)' : 'sk BETWEEN :from AND :to';
  // BETWEEN takes its end as well.
  const spare = between === undefined ? 0 : 1;
  const items: T[] = [];
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
    const found = decode(item);
    if (found !== undefined && items.push(found) === limit) break;
  }
  return items;
}
