// Wrapped data keys in the config table. The layout is in config-item.ts.

import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { DataKeyStore } from '#lib/core/ports/data-keys.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import { conditional } from '../items/conditional.ts';
import { dataKeyKey } from '../items/config-item.ts';

export const DATA_KEY = defineKind<Uint8Array>({
  what: 'data key',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'DATAKEY' },
  attribute: 'wrapped',
  schema: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength > 0),
  expires: null,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What it seals is tried again; no other key is made in its place.',
});

export function createDataKeyStore(db: DynamoDBDocumentClient, table: string): DataKeyStore {
  const read = async (merchantId: string): Promise<Uint8Array | null> => {
    const { Item: item } = await db.send(
      new GetCommand({ TableName: table, Key: dataKeyKey(merchantId), ConsistentRead: true }),
    );
    return item === undefined ? null : decodeItem(DATA_KEY, item);
  };
  return {
    read,
    async create(merchantId, wrapped) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...dataKeyKey(merchantId), ...formatAttribute(DATA_KEY), wrapped },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
      if (written !== null) return wrapped;
      const stored = await read(merchantId);
      if (stored === null) throw new Error(`the data key of merchant ${merchantId} came and went`);
      return stored;
    },
  };
}
