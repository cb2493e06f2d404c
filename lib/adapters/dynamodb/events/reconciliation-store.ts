// Reconciliations in the config table: jobs of the kind RECONCILIATION (job-store.ts), and beside them their parts, which no list
// of jobs reads.
//   pk TASKS#<merchant>  sk ORDERS#<id>#<part>#<version>#<piece>   d  a piece of the sealed part
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Reconciliation } from '../../../events/domain/reconciliation.ts';
import type { PartKey, ReconciliationStore } from '../../../events/ports/reconciliation-store.ts';
import { createJobStore, jobsOf } from './job-store.ts';

const ordersOf = (id: string): string => `ORDERS#${id}#`;
const pieceKey = ({ merchantId, id, part, version }: PartKey, piece: number) => ({
  pk: jobsOf(merchantId),
  sk: `${ordersOf(id)}${part}#${version}#${piece}`,
});

export function createReconciliationStore(db: DynamoDBDocumentClient, table: string): ReconciliationStore {
  const jobs = createJobStore<Reconciliation>(db, table, 'RECONCILIATION');
  return {
    createReconciliation: jobs.create,
    reconciliation: jobs.read,
    listReconciliations: jobs.list,
    expiredReconciliations: jobs.expired,
    writeReconciliation: jobs.write,
    deleteReconciliation: jobs.remove,
    ...partStore(db, table),
  };
}

function partStore(
  db: DynamoDBDocumentClient,
  table: string,
): Pick<ReconciliationStore, 'putPart' | 'readPart' | 'deleteParts'> {
  return {
    async putPart(key, pieces) {
      for (const [piece, d] of pieces.entries())
        await db.send(new PutCommand({ TableName: table, Item: { ...pieceKey(key, piece), d } }));
    },

    async readPart(key, pieces) {
      const texts: string[] = [];
      // Most parts are one.
      for (let piece = 0; piece < pieces; piece++) {
        const Key = pieceKey(key, piece);
        const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
        if (item === undefined) throw new Error(`${Key.sk} is missing`);
        texts.push(String(item.d));
      }
      return texts;
    },

    async deleteParts(merchantId, id, limit) {
      const { Items: items = [] } = await db.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :orders)',
          ExpressionAttributeValues: { ':pk': jobsOf(merchantId), ':orders': ordersOf(id) },
          ProjectionExpression: 'pk, sk',
          ConsistentRead: true,
          Limit: limit,
        }),
      );
      const deletions = items.map(({ pk, sk }) =>
        db.send(new DeleteCommand({ TableName: table, Key: { pk, sk } })),
      );
      await Promise.all(deletions);
      // A page of 1 MB may hold fewer than were asked for: none is none.
      return items.length === 0;
    },
  };
}
