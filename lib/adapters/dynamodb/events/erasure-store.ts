// Erasures in the config table. A partition of its own for each merchant: who may delete these may delete nothing else.
//   pk TASKS#<merchant>  sk ERASURE#<id>   v version   job  the erasure as it is; ids are in the order of time
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Erasure } from '../../../events/domain/erasure.ts';
import type { ErasureStore } from '../../../events/ports/erasure-store.ts';
import { conditional } from '../core/conditional.ts';

const FIRST = 'ERASURE#';
/** Behind every id: `~` comes after all hexadecimal digits. */
const AFTER_ALL = '~';
const keyOf = (merchantId: string, id: string) => ({ pk: `TASKS#${merchantId}`, sk: FIRST + id });

export function createErasureStore(db: DynamoDBDocumentClient, table: string): ErasureStore {
  const put = async (erasure: Erasure, condition: object): Promise<boolean> => {
    const Item = { ...keyOf(erasure.merchantId, erasure.id), v: erasure.version, job: erasure };
    const written = await conditional(db.send(new PutCommand({ TableName: table, Item, ...condition })));
    return written !== null;
  };
  const query = async (
    merchantId: string,
    { last, limit, forward }: { readonly last: string; readonly limit: number; readonly forward: boolean },
  ): Promise<readonly Erasure[]> => {
    const { Items: items = [] } = await db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': keyOf(merchantId, '').pk,
          ':first': FIRST,
          ':last': FIRST + last,
        },
        ConsistentRead: true,
        ScanIndexForward: forward,
        Limit: limit,
      }),
    );
    return items.map(({ job }) => job as Erasure);
  };
  return {
    createErasure: (erasure) => put(erasure, { ConditionExpression: 'attribute_not_exists(pk)' }),

    async erasure(merchantId, id) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: keyOf(merchantId, id), ConsistentRead: true }),
      );
      return item === undefined ? null : (item.job as Erasure);
    },

    async listErasures(merchantId, limit, before) {
      // BETWEEN takes its end as well.
      const found = await query(merchantId, { last: before ?? AFTER_ALL, limit: limit + 1, forward: false });
      return found.filter(({ id }) => id !== before).slice(0, limit);
    },

    async expiredErasures(merchantId, nowMs, limit) {
      const oldest = await query(merchantId, { last: AFTER_ALL, limit, forward: true });
      return oldest.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
    },

    writeErasure: (next, seenVersion) =>
      put(
        { ...next, version: seenVersion + 1 },
        { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } },
      ),

    async deleteErasure(merchantId, id) {
      await db.send(new DeleteCommand({ TableName: table, Key: keyOf(merchantId, id) }));
    },
  };
}
