import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { type EmulatedTable, openTable } from '../../conformance/stores/emulated-table.ts';
import { createDynamoMeter, type DynamoMeter } from './dynamodb-metering.ts';
import { itemSizeBytes } from './item-size.ts';

const TABLE = 'events';
let emulated: EmulatedTable;
let meter: DynamoMeter;
let db: DynamoDBDocumentClient;
let key = { pk: '', sk: '~' };
let keys = 0;

beforeAll(async () => {
  emulated = await openTable('events', 'any');
});
afterAll(() => emulated.close());
beforeEach(async () => {
  const endpoint = await (emulated.db.config.endpoint as () => Promise<{ port?: number }>)();
  db = createDocumentClient({ endpoint: `http://127.0.0.1:${endpoint.port}` });
  meter = createDynamoMeter();
  meter.attach(db, 'test');
  key = { pk: `key-${keys++}`, sk: '~' };
});

const blob = (sizeBytes: number): Uint8Array => new Uint8Array(sizeBytes);
const put = (attributes: object, condition?: string) =>
  db.send(
    new PutCommand({
      TableName: TABLE,
      Item: { ...key, ...attributes },
      ...(condition === undefined ? {} : { ConditionExpression: condition }),
    }),
  );
const update = (expression: string, values?: Record<string, unknown>, condition?: string) =>
  db.send(
    new UpdateCommand({
      TableName: TABLE,
      Key: key,
      UpdateExpression: expression,
      ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
      ...(condition === undefined ? {} : { ConditionExpression: condition }),
    }),
  );
/** Write units and the index's part of them, since the last call. */
let spent = { writeUnits: 0, indexWriteUnits: 0 };
function bill(): [writeUnits: number, indexWriteUnits: number] {
  const { writeUnits, indexWriteUnits } = meter.usage();
  const since: [number, number] = [writeUnits - spent.writeUnits, indexWriteUnits - spent.indexWriteUnits];
  spent = { writeUnits, indexWriteUnits };
  return since;
}

const TIME = { tp: 'day', ts: 'id-1' };
const DUE = { dp: '3', da: 'merchant|0mmlkk9c0' };

describe('write units', () => {
  beforeEach(() => {
    spent = { writeUnits: 0, indexWriteUnits: 0 };
  });

  it('count the item and each index it is in', async () => {
    await put({});
    expect(bill()).toEqual([1, 0]);
    await put({ ...TIME });
    expect(bill()).toEqual([2, 1]);
    await put({ ...TIME, ...DUE });
    expect(bill()).toEqual([2, 1]);
    await put({ ...TIME, ...DUE, note: 'same keys' });
    expect(bill()).toEqual([1, 0]);
  });

  it('count a moved index entry twice and a removed one once', async () => {
    await put({ ...TIME, ...DUE });
    expect(bill()).toEqual([3, 2]);
    await update('SET da = :da', { ':da': `${DUE.da}1` });
    expect(bill()).toEqual([3, 2]);
    await update('REMOVE dp, da');
    expect(bill()).toEqual([2, 1]);
    await update('SET note = :note', { ':note': 'not in an index' });
    expect(bill()).toEqual([1, 0]);
    await db.send(new DeleteCommand({ TableName: TABLE, Key: key }));
    expect(bill()).toEqual([2, 1]);
  });

  it('count the larger of what was there and what is there, in KiB begun', async () => {
    const rest = itemSizeBytes({ ...key, b: blob(0) });
    await put({ b: blob(1_024 - rest) });
    expect(bill()).toEqual([1, 0]);
    await put({ b: blob(1_025 - rest) });
    expect(bill()).toEqual([2, 0]);
    await update('SET b = :small', { ':small': blob(1) });
    expect(bill()).toEqual([2, 0]);
    await update('SET b = :small', { ':small': blob(2) });
    expect(bill()).toEqual([1, 0]);
  });

  it('count a refused write by the item that stays', async () => {
    await expect(update('SET a = :a', { ':a': 1 }, 'attribute_exists(pk)')).rejects.toThrow();
    expect(bill()).toEqual([1, 0]);
    await put({ ...TIME, b: blob(2_500) });
    bill();
    await expect(put({ ...TIME }, 'attribute_not_exists(pk)')).rejects.toThrow();
    expect(bill()).toEqual([3, 0]);
    expect(meter.usage().conditionFailures).toBe(2);
  });

  it('know what another client of the same meter, or nobody of it, has written', async () => {
    await emulated.db.send(new PutCommand({ TableName: TABLE, Item: { ...key, ...TIME, b: blob(3_000) } }));
    await update('SET ts = :ts', { ':ts': 'id-2' });
    expect(bill()).toEqual([5, 2]);
    expect(meter.usage().calls).toEqual({ UpdateItem: 1 });
  });

  it('agree with the emulator where it counts: in the table itself', async () => {
    for (const sizeBytes of [1, 900, 1_100, 5_000]) {
      const { ConsumedCapacity: consumed } = await db.send(
        new PutCommand({
          TableName: TABLE,
          Item: { pk: `size-${sizeBytes}`, sk: '~', n: -12.5, l: ['a', { b: true }], b: blob(sizeBytes) },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      expect(bill()[0]).toBe(consumed?.CapacityUnits);
    }
  });
});

describe('read units', () => {
  it('are 4 KiB each, half of that where the read may be stale, and one for what is not there', async () => {
    await put({ b: blob(5_000) });
    const read = async (input: object) => {
      const before = meter.usage().readUnits;
      await db.send(new GetCommand({ TableName: TABLE, Key: key, ...input }));
      return meter.usage().readUnits - before;
    };
    expect(await read({ ConsistentRead: true })).toBe(2);
    expect(await read({})).toBe(1);
    expect(await read({ Key: { pk: 'nobody', sk: '~' }, ConsistentRead: true })).toBe(1);
  });

  it('are counted item by item in a batch, and in sum in a query', async () => {
    await put({ tp: key.pk, ts: '1', b: blob(5_000) });
    const Keys = [key, { pk: 'nobody', sk: '~' }];
    await db.send(new BatchGetCommand({ RequestItems: { [TABLE]: { Keys, ConsistentRead: true } } }));
    expect(meter.usage()).toMatchObject({ readUnits: 3, calls: { BatchGetItem: 1 } });
    const byTime = { TableName: TABLE, IndexName: 'by_time', KeyConditionExpression: 'tp = :tp' };
    await db.send(new QueryCommand({ ...byTime, ExpressionAttributeValues: { ':tp': key.pk } }));
    expect(meter.usage().readUnits).toBe(3.5);
  });
});

describe('a query that leaves things out', () => {
  const query = (more: object) =>
    db.send(
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': key.pk },
        ConsistentRead: true,
        ...more,
      }),
    );

  it('is counted by all it reads, and answers as it would', async () => {
    for (const [sk, note] of Object.entries({ a: {}, b: { x: true }, c: {} })) {
      const Item = { pk: key.pk, sk, b: blob(3_000), ...note };
      await db.send(new PutCommand({ TableName: TABLE, Item }));
    }
    const before = meter.usage().readUnits;
    expect((await query({ Select: 'COUNT' })).Count).toBe(3);
    expect(meter.usage().readUnits - before).toBe(3);
    const { Items: items = [] } = await query({ FilterExpression: 'attribute_not_exists(x)' });
    expect(items.map(({ sk }) => sk)).toEqual(['a', 'c']);
    expect(meter.usage().readUnits - before).toBe(6);
  });
});

describe('the meter', () => {
  it('keeps labels and tables apart', async () => {
    await put({});
    expect(meter.usage({ label: 'test', table: TABLE }).writeUnits).toBe(1);
    expect(meter.usage({ label: 'other' }).writeUnits).toBe(0);
    expect(meter.usage({ table: 'other' }).writeUnits).toBe(0);
  });

  it('refuses what it cannot price', async () => {
    await expect(
      db.send(new BatchWriteCommand({ RequestItems: { [TABLE]: [{ PutRequest: { Item: key } }] } })),
    ).rejects.toThrow('BatchWriteItem has no price here');
    await expect(
      db.send(new GetCommand({ TableName: TABLE, Key: key, ProjectionExpression: 'pk' })),
    ).rejects.toThrow('ProjectionExpression');
    await put({});
    const projected = (pk: string) =>
      db.send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ProjectionExpression: 'pk',
        }),
      );
    await expect(projected(key.pk)).rejects.toThrow('ProjectionExpression');
    expect((await projected('nobody')).Items).toEqual([]);
    await db.send(new CreateTableCommand(WIDE));
    await expect(db.send(new PutCommand({ TableName: 'wide', Item: key }))).rejects.toThrow('more than keys');
  });
});

const WIDE = {
  TableName: 'wide',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'all',
      KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} as const satisfies ConstructorParameters<typeof CreateTableCommand>[0];

describe('the size of an item', () => {
  it.each([
    ['names count, and text in UTF-8', { näme: 'Zoë' }, 5 + 4],
    ['numbers: a byte for two digits, one for the exponent', { n: 1_795_000_000_001 }, 1 + 1 + 7],
    ['zeros at either end are free', { n: 1_200_000 }, 1 + 1 + 1],
    ['fractions', { n: 0.0125 }, 1 + 1 + 2],
    ['a minus', { n: -5 }, 1 + 1 + 1 + 1],
    ['zero', { n: 0 }, 1 + 1],
    ['true, false, null', { t: true, f: false, n: null }, 3 * (1 + 1)],
    ['bytes as they are', { b: new Uint8Array(32) }, 1 + 32],
    ['lists: three, and one for each element', { l: ['ab', 'c'] }, 1 + 3 + 2 + 3],
    ['maps: three, one for each entry, and names', { m: { a: 'xyz' } }, 1 + 3 + 1 + 1 + 3],
    ['sets: their members', { s: new Set(['ab', 'cd']) }, 1 + 4],
    ['what is undefined is not stored', { u: undefined }, 0],
  ])('%s', (_rule, item, sizeBytes) => {
    expect(itemSizeBytes(item)).toBe(sizeBytes);
  });

  it('is zero for nothing, and refuses what cannot be stored', () => {
    expect(itemSizeBytes(undefined)).toBe(0);
    expect(() => itemSizeBytes({ f: () => 1 })).toThrow('function');
  });
});
