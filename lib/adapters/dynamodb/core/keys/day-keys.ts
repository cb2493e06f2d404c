// Wrapped data keys of merchants' days in the config table, one partition a merchant: what is to be erased is found by a query
// over as many items as there are days to erase. The layout is in config-item.ts.

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import { conditional } from '../items/conditional.ts';
import { dayKeyKey } from '../items/config-item.ts';

export const DAY_KEY = defineKind<string>({
  what: 'day key',
  table: 'config',
  key: { pk: 'DAYKEY#{merchant}', sk: '{day}' },
  attribute: 'wrapped',
  schema: z.string(),
  expires: null,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What is personal in the events of its day is not shown, and what needs it is tried again.',
});

export function createDayKeyStore(db: DynamoDBDocumentClient, table: string): DayKeyStore {
  const read = async (merchantId: string, day: string): Promise<string | null> => {
    const { Item: item } = await db.send(
      new GetCommand({ TableName: table, Key: dayKeyKey(merchantId, day), ConsistentRead: true }),
    );
    return item === undefined ? null : decodeItem(DAY_KEY, item);
  };
  return {
    read,
    async create(merchantId, day, wrapped) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...dayKeyKey(merchantId, day), ...formatAttribute(DAY_KEY), wrapped },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
      if (written !== null) return wrapped;
      const stored = await read(merchantId, day);
      if (stored === null) throw new Error(`the key of ${day} of merchant ${merchantId} came and went`);
      return stored;
    },
    async eraseBefore(merchantId, day) {
      let erased = 0;
      for (;;) {
        const keys = await keysBefore(db, table, merchantId, day);
        if (keys.length === 0) return erased;
        for (const Key of keys) await db.send(new DeleteCommand({ TableName: table, Key }));
        erased += keys.length;
      }
    },
  };
}

/** One page of them: what is deleted makes room for the next. */
async function keysBefore(
  db: DynamoDBDocumentClient,
  table: string,
  merchantId: string,
  day: string,
): Promise<Record<string, unknown>[]> {
  const { pk, sk } = dayKeyKey(merchantId, day);
  const { Items: items = [] } = await db.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk < :day',
      ExpressionAttributeValues: { ':pk': pk, ':day': sk },
      ProjectionExpression: 'pk, sk',
      ConsistentRead: true,
    }),
  );
  return items;
}
