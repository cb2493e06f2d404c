// Analytics counters on DynamoDB. One item per merchant, grain and slot.
//   pk <merchant>#<grain>   sk ISO start   v version   c counters, packed   fa folded at   dp/da index due (sparse)
import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dueShard } from '../../../core/work/due-shard.ts';
import { EMPTY_COUNTERS } from '../../../events/domain/analytics.ts';
import { INDEX } from '../../../events/domain/topology.ts';
import {
  type CounterStore,
  SLOT_SHARDS,
  type SlotKey,
  type SlotRow,
} from '../../../events/ports/counter-store.ts';
import { conditional } from '../core/conditional.ts';
import { queryDueItems } from '../core/due-index.ts';
import { everyItem } from '../core/every-item.ts';
import { isCounters, packCounters, unpackCounters } from './event-codec.ts';

type Item = Record<string, unknown>;

export function createCounterStore(db: DynamoDBDocumentClient, table: string): CounterStore {
  return {
    async read(key) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true }),
      );
      return item === undefined ? null : fromItem(item);
    },

    async range(merchantId, grain, fromMs, toMs) {
      const readPage = (from: object) =>
        db.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
            ExpressionAttributeValues: {
              ':pk': `${merchantId}#${grain}`,
              ':from': sortKey(fromMs),
              ':to': sortKey(toMs - 1),
            },
            ConsistentRead: true,
            ...from,
          }),
        );
      const rows: SlotRow[] = [];
      for await (const item of everyItem(readPage)) rows.push(fromItem(item));
      return rows;
    },

    async write(row) {
      const due = row.dueAtMs === undefined ? ' REMOVE dp, da' : ', dp = :dp, da = :da';
      const written = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: itemKey(row.key),
            UpdateExpression: `SET v = :version, c = :counters, fa = :folded${due}`,
            ConditionExpression: row.version === 1 ? 'attribute_not_exists(v)' : 'v = :seen',
            ExpressionAttributeValues: {
              ':version': row.version,
              ':counters': packCounters(row.counters),
              ':folded': row.foldedAtMs ?? 0,
              ...(row.version === 1 ? {} : { ':seen': row.version - 1 }),
              ...(row.dueAtMs === undefined ? {} : { ':dp': duePartition(row.key), ':da': row.dueAtMs }),
            },
          }),
        ),
      );
      return written !== null;
    },

    async markDue(key, dueAtMs) {
      await db.send(
        new UpdateCommand({
          TableName: table,
          Key: itemKey(key),
          UpdateExpression: 'SET dp = :dp, da = :da ADD v :one',
          ExpressionAttributeValues: { ':dp': duePartition(key), ':da': dueAtMs, ':one': 1 },
        }),
      );
    },

    async due(shard, beforeMs, limit) {
      const items = await queryDueItems(db, { table, index: INDEX.due }, shard, beforeMs, limit);
      // A key that names no moment was not written here; nobody could count its slot.
      return items
        .map((item) => ({ key: parseKey(item), dueAtMs: Number(item.da) }))
        .filter(({ key }) => Number.isFinite(key.startMs));
    },
  };
}

const sortKey = (ms: number): string => new Date(ms).toISOString();

function itemKey(key: SlotKey): { pk: string; sk: string } {
  return { pk: `${key.merchantId}#${key.grain}`, sk: sortKey(key.startMs) };
}

function duePartition(key: SlotKey): string {
  const { pk, sk } = itemKey(key);
  return String(dueShard(pk + sk, SLOT_SHARDS));
}

function parseKey(item: Item): SlotKey {
  const pk = String(item.pk);
  const at = pk.lastIndexOf('#');
  return {
    merchantId: pk.slice(0, at),
    grain: pk.slice(at + 1) as SlotKey['grain'],
    startMs: Date.parse(String(item.sk)),
  };
}

function fromItem(item: Item): SlotRow {
  return {
    key: parseKey(item),
    version: Number(item.v),
    ...readCounters(item.c),
    ...(item.da === undefined ? {} : { dueAtMs: Number(item.da) }),
    ...(Number(item.fa ?? 0) === 0 ? {} : { foldedAtMs: Number(item.fa) }),
  };
}

function readCounters(packed: unknown): Pick<SlotRow, 'counters' | 'unreadable'> {
  if (packed === undefined) return { counters: EMPTY_COUNTERS };
  try {
    const counters = unpackCounters(packed as Uint8Array);
    if (isCounters(counters)) return { counters };
  } catch {
    // Garbage, or a format of another release: rows are the truth, and the slot is counted from them again.
  }
  return { counters: EMPTY_COUNTERS, unreadable: true };
}
