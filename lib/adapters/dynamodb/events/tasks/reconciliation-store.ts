// Reconciliations in the config table: jobs of the kind RECONCILIATION (job-store.ts), and beside them their parts, which no list
// of jobs reads.
//   pk TASKS#<merchant>  sk ORDERS#<id>#<part>#<version>#<piece>   d  a piece of the sealed part   expires  as jobs do

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import {
  RECONCILIATION_LIMITS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { STORED_RECONCILIATION } from '#lib/events/domain/reconciliation/stored-reconciliation.ts';
import type { PartKey, ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import { createJobStore, defineJob, jobExpirySec, jobsOf } from './job-store.ts';

const ordersOf = (id: string): string => `ORDERS#${id}#`;
const pieceKey = ({ merchantId, id, part, version }: PartKey, piece: number) => ({
  pk: jobsOf(merchantId),
  sk: `${ordersOf(id)}${part}#${version}#${piece}`,
});

export const RECONCILIATIONS = defineJob<Reconciliation>({
  prefix: 'RECONCILIATION',
  what: 'reconciliation',
  schema: STORED_RECONCILIATION,
  personal: [],
  meaning: 'Reconciliations are listed without it; it goes on once it can be read.',
});

export const ORDERS_PIECE = defineKind<string>({
  what: 'piece of an upload of orders',
  table: 'config',
  key: { pk: 'TASKS#{merchant}', sk: 'ORDERS#{id}#{part}#{version}#{piece}' },
  attribute: 'd',
  schema: z.string(),
  expires: 'expires',
  personal: ['d'],
  whenUnreadable: 'wait',
  meaning: 'Its reconciliation is tried again; others go on.',
});

export function createReconciliationStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine?: ItemQuarantine,
): ReconciliationStore {
  const jobs = createJobStore(db, table, RECONCILIATIONS, quarantine);
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
      const keptMs = RECONCILIATION_LIMITS.keptDays * DAY_MS;
      const expires = jobExpirySec(ingestTimeMs(key.id) + keptMs);
      for (const [piece, d] of pieces.entries()) {
        const Item = { ...pieceKey(key, piece), ...formatAttribute(ORDERS_PIECE), d, expires };
        await db.send(new PutCommand({ TableName: table, Item }));
      }
    },

    async readPart(key, pieces) {
      const texts: string[] = [];
      // Most parts are one.
      for (let piece = 0; piece < pieces; piece++) {
        const Key = pieceKey(key, piece);
        const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
        if (item === undefined) throw new Error(`${Key.sk} is missing`);
        texts.push(decodeItem(ORDERS_PIECE, item));
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
