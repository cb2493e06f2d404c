// What items take on disk as the bill counts it: names and values, 100 bytes more for each item and for each entry of an index
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { everyItem } from '../../lib/adapters/dynamodb/core/items/every-item.ts';
import { type Item, readShape } from '../support/metering/item-mirror.ts';
import { itemSizeBytes } from '../support/metering/item-size.ts';

const OVERHEAD_BYTES = 100;

/** Byte-months. */
export interface StoredBytes {
  readonly table: number;
  readonly indexes: number;
}

export async function storedBytes(
  db: DynamoDBDocumentClient,
  tables: readonly string[],
  monthsOf: (table: string, item: Item) => number,
): Promise<StoredBytes> {
  const stored = { table: 0, indexes: 0 };
  for (const TableName of tables) {
    const { key, indexes } = await readShape(db, TableName);
    const readPage = (from: object) => db.send(new ScanCommand({ TableName, ...from }));
    for await (const item of everyItem(readPage)) {
      const months = monthsOf(TableName, item);
      stored.table += (itemSizeBytes(item) + OVERHEAD_BYTES) * months;
      for (const attributes of indexes) {
        const entry = keysOf(item, [...key, ...attributes]);
        if (attributes.every((name) => entry[name] !== undefined))
          stored.indexes += (itemSizeBytes(entry) + OVERHEAD_BYTES) * months;
      }
    }
  }
  return stored;
}

const keysOf = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.map((name) => [name, item[name]]));
