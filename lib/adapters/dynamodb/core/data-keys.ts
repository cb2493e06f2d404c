// Wrapped data keys in the config table. The layout is in config-item.ts.
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DataKeyStore } from '../../../core/ports/data-keys.ts';
import { conditional } from './conditional.ts';
import { dataKeyKey } from './config-item.ts';

export function createDataKeyStore(db: DynamoDBDocumentClient, table: string): DataKeyStore {
  const read = async (merchantId: string): Promise<Uint8Array | null> => {
    const { Item: item } = await db.send(
      new GetCommand({ TableName: table, Key: dataKeyKey(merchantId), ConsistentRead: true }),
    );
    return (item?.wrapped as Uint8Array | undefined) ?? null;
  };
  return {
    read,
    async create(merchantId, wrapped) {
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...dataKeyKey(merchantId), wrapped },
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
