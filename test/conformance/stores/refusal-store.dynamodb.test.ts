import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { itemSizeBytes } from '../../support/metering/item-size.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';
import { freshMerchant } from './event-rows.ts';
import { EVERY_REFUSAL, refusalStoreConformance } from './refusal-store.suite.ts';

const DAY = Date.UTC(2026, 10, 21);

let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('analytics');
});
afterAll(() => opened.close());

refusalStoreConformance('DynamoDB', async () => createRefusalStore(opened.db, opened.table));

describe('a stored day of refusals', () => {
  it('is smaller than a write unit with every counter at a million million, and expires', async () => {
    const merchant = freshMerchant();
    const store = createRefusalStore(opened.db, opened.table);
    await store.add(merchant, DAY, 3, new Map(EVERY_REFUSAL.map((name) => [name, 999_999_999_999])));
    const Key = { pk: `${merchant}#refused#3`, sk: new Date(DAY).toISOString() };
    const { Item: item } = await opened.db.send(new GetCommand({ TableName: opened.table, Key }));
    expect(itemSizeBytes(item)).toBeLessThanOrEqual(1_024);
    expect(item?.expires).toBe(DAY / 1_000 + 100 * 86_400);
  });

  it('is read without what a newer release counts', async () => {
    const merchant = freshMerchant();
    const store = createRefusalStore(opened.db, opened.table);
    await store.add(merchant, DAY, 0, new Map([['rate_limited', 1]]));
    await opened.db.send(
      new UpdateCommand({
        TableName: opened.table,
        Key: { pk: `${merchant}#refused#0`, sk: new Date(DAY).toISOString() },
        UpdateExpression: 'SET #new = :n, #field = :n, #odd = :text',
        ExpressionAttributeNames: { '#new': 'constructor', '#field': '.toString', '#odd': 'invalid_json' },
        ExpressionAttributeValues: { ':n': 5, ':text': 'five' },
      }),
    );
    expect(await store.sum(merchant, DAY, DAY + 1)).toEqual(new Map([['rate_limited', 1]]));
  });
});
