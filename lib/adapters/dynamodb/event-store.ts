// The events table on DynamoDB. Every write is one conditional write to one item; every read by key is consistent.
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { INDEX } from '../../domain/topology.ts';
import type { EventRow, EventStore, NormalizedRow, RowPatch } from '../../ports/event-store.ts';
import { isConditionFailure } from './client.ts';
import { packDelivery } from './delivery-codec.ts';
import {
  duePartition,
  fromItem,
  type Item,
  itemKey,
  normalizedAttributes,
  parseItemKey,
  partitionKey,
  toItem,
} from './event-item.ts';
import { queryReceived } from './received.ts';
import { assignments } from './update-expression.ts';

const BATCH_GET_MAX = 100;

export function createEventStore(db: DynamoDBDocumentClient, table: string): EventStore {
  return {
    async claim(row) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: toItem(row),
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
      return written === null ? 'exists' : 'claimed';
    },

    async read(key) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true }),
      );
      return item === undefined ? null : fromItem(item);
    },

    readMany: (keys) => readMany(db, table, keys.map(itemKey)),

    async archive(row) {
      // Still in the time index, so that its slot counts it; never again in the due index: its work is over.
      const { dp: _dp, da: _da, ...item } = toItem({ ...row, key: { ...row.key, archivedAs: row.ingestId } });
      await db.send(new PutCommand({ TableName: table, Item: item }));
    },

    async replace(row, expectedIngestId) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: toItem(row),
            ConditionExpression: 'ts = :expected',
            ExpressionAttributeValues: { ':expected': expectedIngestId },
          }),
        ),
      );
      return written !== null;
    },

    async normalize(row) {
      const set = assignments(normalizedAttributes(row));
      const written = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: itemKey(row.key),
            UpdateExpression: `SET ${set.expression}`,
            ConditionExpression: 'ts = :ingest AND st = :accepted',
            ExpressionAttributeNames: set.names,
            ExpressionAttributeValues: { ...set.values, ':ingest': row.ingestId, ':accepted': 'A' },
          }),
        ),
      );
      return written !== null;
    },

    putDelivery: (seen, patch) => putDelivery(db, table, seen, patch),

    reschedule: (seen, dueAtMs, extra) => reschedule(db, table, seen, dueAtMs, extra),

    async due(shard, beforeMs, limit) {
      const { Items: items = [] } = await db.send(
        new QueryCommand({
          TableName: table,
          IndexName: INDEX.due,
          KeyConditionExpression: 'dp = :shard AND da < :before',
          ExpressionAttributeValues: { ':shard': String(shard), ':before': beforeMs },
          Limit: limit,
        }),
      );
      return items.map((item) => ({ key: parseItemKey(item), dueAtMs: Number(item.da) }));
    },

    received: (query) => queryReceived(db, table, query),
  };
}

async function readMany(
  db: DynamoDBDocumentClient,
  table: string,
  keys: readonly { pk: string; sk: string }[],
): Promise<EventRow[]> {
  const unique = [...new Map(keys.map((k) => [`${k.sk} ${k.pk}`, k])).values()];
  if (unique.length > BATCH_GET_MAX) throw new RangeError(`at most ${BATCH_GET_MAX} rows at once`);
  const rows: EventRow[] = [];
  let pending = unique;
  for (let round = 0; pending.length > 0; round++) {
    if (round === 8) throw new Error('DynamoDB left keys unprocessed eight times');
    const answer = await db.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: pending, ConsistentRead: true } } }),
    );
    for (const item of answer.Responses?.[table] ?? []) rows.push(fromItem(item));
    pending = (answer.UnprocessedKeys?.[table]?.Keys ?? []) as typeof pending;
    if (pending.length > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** round));
  }
  return rows;
}

async function putDelivery(
  db: DynamoDBDocumentClient,
  table: string,
  seen: NormalizedRow,
  patch: RowPatch,
): Promise<NormalizedRow | null> {
  const pk = partitionKey(seen.key);
  const before = seen.deliveries[patch.platform];
  const due = dueUpdate(pk, patch.dueAtMs, patch.closedVerdicts);
  const values: Item = {
    ...due.values,
    ':delivery': packDelivery(patch.delivery, seen.receivedAtMs),
    ':ingest': seen.ingestId,
    ...(seen.revision === 0 ? {} : { ':revision': seen.revision }),
  };
  const conditions = ['ts = :ingest', 'attribute_exists(d)', sameRevision(seen.revision)];
  if (before === undefined) conditions.push('attribute_not_exists(d.#platform)');
  else {
    if (before.state === 'DELIVERED') return null;
    conditions.push('d.#platform = :before');
    values[':before'] = packDelivery(before, seen.receivedAtMs);
  }
  const answer = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: clauses(['d.#platform = :delivery', ...due.set], [...due.remove, 'sw']),
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: { '#platform': patch.platform },
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  if (answer === null) return null;
  return fromItem(answer.Attributes ?? {}) as NormalizedRow;
}

async function reschedule(
  db: DynamoDBDocumentClient,
  table: string,
  seen: EventRow,
  dueAtMs: number | null,
  extra: Parameters<EventStore['reschedule']>[2],
): Promise<boolean> {
  const pk = partitionKey(seen.key);
  const due = dueUpdate(pk, dueAtMs, extra?.closedVerdicts);
  const values: Item = { ...due.values, ':ingest': seen.ingestId };
  const set = [...due.set];
  if (extra?.sweeps !== undefined) {
    set.push('sw = :sweeps');
    values[':sweeps'] = extra.sweeps;
  }
  const conditions = ['ts = :ingest'];
  if (seen.dueAtMs === undefined) conditions.push('attribute_not_exists(da)');
  else {
    conditions.push('da = :seenDue');
    values[':seenDue'] = seen.dueAtMs;
  }
  if (seen.state === 'normalized') {
    conditions.push('attribute_exists(d)', sameRevision(seen.revision));
    if (seen.revision > 0) values[':revision'] = seen.revision;
  } else {
    conditions.push('st = :accepted');
    values[':accepted'] = 'A';
  }
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: clauses(set, due.remove),
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeValues: values,
      }),
    ),
  );
  return written !== null;
}

/** Revision 0 is not stored. */
const sameRevision = (revision: number): string =>
  revision === 0 ? 'attribute_not_exists(rn)' : 'rn = :revision';

/** A row that is over leaves the index and loses its plain values in the same write. */
function dueUpdate(
  pk: string,
  dueAtMs: number | null,
  closedVerdicts: Readonly<Record<string, string>> | undefined,
): { set: string[]; remove: string[]; values: Item } {
  if (dueAtMs !== null) {
    return { set: ['dp = :dp', 'da = :da'], remove: [], values: { ':dp': duePartition(pk), ':da': dueAtMs } };
  }
  return closedVerdicts === undefined
    ? { set: [], remove: ['dp', 'da', 'se'], values: {} }
    : { set: ['cv = :closed'], remove: ['dp', 'da', 'se'], values: { ':closed': closedVerdicts } };
}

function clauses(set: readonly string[], remove: readonly string[]): string {
  return [
    set.length === 0 ? '' : `SET ${set.join(', ')}`,
    remove.length === 0 ? '' : `REMOVE ${remove.join(', ')}`,
  ]
    .join(' ')
    .trim();
}

/** Null where the condition did not hold; any other failure is thrown. */
async function conditional<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return null;
    throw error;
  }
}
