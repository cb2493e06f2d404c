import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { createMemoryTables } from '../../support/memory/tables.ts';
import { itemSizeBytes } from '../../support/metering/item-size.ts';
import { freshMerchant } from './event-rows.ts';
import { EVERY_REFUSAL } from './refusal-store.suite.ts';

const DAY = Date.UTC(2026, 10, 21);

const { db } = createMemoryTables();
const store = createRefusalStore(db, 'analytics');

describe('a stored day of refusals', () => {
  it('is smaller than a write unit with every counter at a million million, and expires', async () => {
    const merchant = freshMerchant();
    await store.add(merchant, DAY, 3, new Map(EVERY_REFUSAL.map((name) => [name, 999_999_999_999])));
    const Key = { pk: `${merchant}#refused#3`, sk: new Date(DAY).toISOString() };
    const { Item: item } = await db.send(new GetCommand({ TableName: 'analytics', Key }));
    expect(itemSizeBytes(item)).toBeLessThanOrEqual(1_024);
    expect(item?.expires).toBe(DAY / 1_000 + 100 * 86_400);
  });

  it('is read without what a newer release counts', async () => {
    const merchant = freshMerchant();
    await store.add(merchant, DAY, 0, new Map([['rate_limited', 1]]));
    await db.send(
      new UpdateCommand({
        TableName: 'analytics',
        Key: { pk: `${merchant}#refused#0`, sk: new Date(DAY).toISOString() },
        UpdateExpression: 'SET #new = :n, #field = :n, #odd = :text',
        ExpressionAttributeNames: { '#new': 'constructor', '#field': '.toString', '#odd': 'invalid_json' },
        ExpressionAttributeValues: { ':n': 5, ':text': 'five' },
      }),
    );
    expect(await store.sum(merchant, DAY, DAY + 1)).toEqual(new Map([['rate_limited', 1]]));
  });
});
