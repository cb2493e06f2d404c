// The events table on DynamoDB. Every write is one conditional write to one item; reads by key are consistent unless the
// caller can do with less.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isSurplus } from '../../../events/domain/delivery-transition.ts';
import type { NormalizedRow } from '../../../events/domain/event-row.ts';
import { type EventStore, type RowPatch, ThrottledWrite } from '../../../events/ports/event-store.ts';
import { isThrottled } from '../core/client.ts';
import { conditional } from '../core/conditional.ts';
import { readItems } from '../core/read-items.ts';
import { assignments } from '../core/update-expression.ts';
import { packDelivery } from './delivery-codec.ts';
import { deferUnreadable, queryDue } from './due-index.ts';
import {
  dueAttributes,
  duePartition,
  type Item,
  itemKey,
  normalizedAttributes,
  partitionKey,
  toItem,
} from './event-item.ts';
import { release, withdraw } from './held-rows.ts';
import { queryReceived } from './received.ts';
import { type Expression, sameRow } from './row-conditions.ts';
import { decodeRow, decodeRows, type OnUnreadable } from './row-decoder.ts';

const READ_MANY_MAX = 100;

/** `onUnreadable` is told of every row that could not be read, whoever wanted it. */
export function createEventStore(
  db: DynamoDBDocumentClient,
  table: string,
  onUnreadable: OnUnreadable = () => {},
): EventStore {
  return {
    async claim(row) {
      const written = await conditionalPut(db, {
        TableName: table,
        Item: toItem(row),
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return written ? 'claimed' : 'exists';
    },

    async read(key) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true }),
      );
      return item === undefined ? null : decodeRow(item, onUnreadable);
    },

    readMany: async (keys, consistency = 'strong') => {
      if (keys.length > READ_MANY_MAX) throw new RangeError(`readMany takes ${READ_MANY_MAX} keys at most`);
      const items = await readItems(db, table, keys.map(itemKey), consistency === 'strong');
      return decodeRows(items, onUnreadable);
    },

    async archive(row) {
      // Still in the time index, so that its slot counts it.
      const item = toItem({ ...row, key: { ...row.key, archivedAs: row.ingestId } });
      await db.send(new PutCommand({ TableName: table, Item: item }));
    },

    replace: (row, expectedIngestId) =>
      conditionalPut(db, {
        TableName: table,
        Item: toItem(row),
        ConditionExpression: 'ts = :expected',
        ExpressionAttributeValues: { ':expected': expectedIngestId },
      }),

    async normalize(row) {
      const set = assignments({ ...normalizedAttributes(row), ...dueAttributes(row) });
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

    putDelivery: async (seen, patch) => {
      const item = await putDelivery(db, table, seen, patch);
      return item === null ? null : (decodeRow(item, onUnreadable) as NormalizedRow);
    },

    reschedule: (seen, dueAtMs, sweeps) => reschedule(db, table, seen, dueAtMs, sweeps),

    deferUnreadable: (seen, dueAtMs) => deferUnreadable(db, table, seen, dueAtMs),
    release: (seen) => release(db, table, seen),

    withdraw: (seen, verdicts) => withdraw(db, table, seen, verdicts),

    due: (shard, beforeMs, limit) => queryDue(db, table, shard, beforeMs, limit),

    received: (query) => queryReceived(db, table, query),
  };
}

/** Of a row, whose shard may be throttled: then whoever writes it can choose another one. */
async function conditionalPut(
  db: DynamoDBDocumentClient,
  input: ConstructorParameters<typeof PutCommand>[0],
): Promise<boolean> {
  try {
    return (await conditional(db.send(new PutCommand(input)))) !== null;
  } catch (error) {
    throw isThrottled(error) ? new ThrottledWrite('the row was not taken', { cause: error }) : error;
  }
}

async function putDelivery(
  db: DynamoDBDocumentClient,
  table: string,
  seen: NormalizedRow,
  patch: RowPatch,
): Promise<Item | null> {
  if (seen.place !== undefined)
    throw new RangeError('what becomes of a row of a batch is written to its batch');
  const before = seen.deliveries[patch.platform];
  if (before?.state === 'DELIVERED' && !isSurplus(before, patch.delivery)) return null;
  const due = dueUpdate(seen, patch.dueAtMs);
  const same = sameRow(seen);
  const answer = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: clauses(['d.#platform = :delivery', ...due.set], [...due.remove, 'sw']),
        ConditionExpression: [
          ...same.conditions,
          ...due.conditions,
          before === undefined ? 'attribute_not_exists(d.#platform)' : 'd.#platform = :before',
        ].join(' AND '),
        ExpressionAttributeNames: { '#platform': patch.platform },
        ExpressionAttributeValues: {
          ...same.values,
          ...due.values,
          ':delivery': packDelivery(patch.delivery, seen.receivedAtMs),
          ...(before === undefined ? {} : { ':before': packDelivery(before, seen.receivedAtMs) }),
        },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return answer === null ? null : (answer.Attributes ?? {});
}

async function reschedule(
  db: DynamoDBDocumentClient,
  table: string,
  seen: NormalizedRow,
  dueAtMs: number | null,
  sweeps: number,
): Promise<boolean> {
  const due = dueUpdate(seen, dueAtMs);
  const same = sameRow(seen);
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: clauses([...due.set, 'sw = :sweeps'], due.remove),
        ConditionExpression: [...same.conditions, ...due.conditions].join(' AND '),
        ExpressionAttributeValues: { ...same.values, ...due.values, ':sweeps': sweeps },
      }),
    ),
  );
  return written !== null;
}

/** Whoever needs a due time, or ends one, wants to know that nobody moved it: another platform's may be sooner. */
function dueUpdate(
  seen: NormalizedRow,
  dueAtMs: number | null,
): Expression & { readonly set: readonly string[]; readonly remove: readonly string[] } {
  const before = seen.dueAtMs;
  if (before === undefined && dueAtMs === null) return { set: [], remove: [], conditions: [], values: {} };
  const conditions = [before === undefined ? 'attribute_not_exists(da)' : 'da = :seenDue'];
  const seenDue = before === undefined ? {} : { ':seenDue': before };
  if (dueAtMs === null) return { set: [], remove: ['dp', 'da'], conditions, values: seenDue };
  if (dueAtMs === before) return { set: [], remove: [], conditions, values: seenDue };
  return {
    set: ['dp = :dp', 'da = :da'],
    remove: [],
    conditions,
    values: { ...seenDue, ':dp': duePartition(partitionKey(seen.key)), ':da': dueAtMs },
  };
}

function clauses(set: readonly string[], remove: readonly string[]): string {
  return [
    set.length === 0 ? '' : `SET ${set.join(', ')}`,
    remove.length === 0 ? '' : `REMOVE ${remove.join(', ')}`,
  ]
    .join(' ')
    .trim();
}
