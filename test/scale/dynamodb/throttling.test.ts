// How the modelled DynamoDB throttles: by key and second, by index, as a whole, and over half hours.
import { describe, expect, it } from 'vitest';
import type { TableSpec } from '#services/local/stack/topology.ts';
import { DYNAMODB } from '../aws/quotas.ts';
import { createCapacity } from './capacity.ts';
import { createDatabase, type Database } from './database.ts';

const TABLE: TableSpec = {
  name: 'events',
  attributes: ['pk', 'sk', 'tp', 'ts'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  indexes: [
    {
      IndexName: 'by_time',
      KeySchema: [
        { AttributeName: 'tp', KeyType: 'HASH' },
        { AttributeName: 'ts', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};
const START_MS = 1_800_000_000_000;

function open(warm = { writeUnits: 1e6, readUnits: 1e6 }): { database: Database; clock: { nowMs: number } } {
  const clock = { nowMs: START_MS };
  const database = createDatabase({
    tables: [TABLE],
    now: () => clock.nowMs,
    later: (show) => show(),
    capacity: () => ({ warm }),
  });
  return { database, clock };
}

const put = (database: Database, item: Record<string, unknown>) =>
  database.execute('PutCommand', { TableName: 'events', Item: { sk: '~', ...item } });
const get = (database: Database, pk: string, ConsistentRead = true) =>
  database.execute('GetCommand', { TableName: 'events', Key: { pk, sk: '~' }, ConsistentRead });
const reportOf = (database: Database, name: string) =>
  database.report().find((report) => report.name === name);
/** How many of `wanted` calls are taken before the first is refused. */
function takenOf(wanted: number, call: (index: number) => unknown): number {
  for (let index = 0; index < wanted; index++) {
    try {
      call(index);
    } catch (error) {
      expect((error as Error).name).toBe('ProvisionedThroughputExceededException');
      return index;
    }
  }
  return wanted;
}

describe('a partition key', () => {
  it('takes 1,000 write units a second, and as many in the next', () => {
    const { database, clock } = open();
    const write = (): number => takenOf(1_500, () => put(database, { pk: 'hot' }));
    expect(write()).toBe(1_000);
    clock.nowMs += 999;
    expect(write()).toBe(0);
    clock.nowMs += 1;
    expect(write()).toBe(1_000);
  });

  it('counts units, not calls: 10 KB are ten', () => {
    const { database } = open();
    expect(takenOf(500, () => put(database, { pk: 'hot', b: new Uint8Array(9_900) }))).toBe(100);
  });

  it('takes 3,000 strong or 6,000 eventual reads of small items', () => {
    const { database, clock } = open();
    put(database, { pk: 'hot' });
    expect(takenOf(9_000, () => get(database, 'hot'))).toBe(3_000);
    clock.nowMs += 1_000;
    expect(takenOf(9_000, () => get(database, 'hot', false))).toBe(6_000);
  });

  it('leaves the others alone', () => {
    const { database } = open();
    takenOf(1_500, () => put(database, { pk: 'hot' }));
    expect(takenOf(10, (i) => put(database, { pk: `other-${i}` }))).toBe(10);
    expect(reportOf(database, 'events')).toMatchObject({
      hottestWrite: { key: 'hot', units: 1_000, atMs: START_MS },
      throttledByKey: 1,
      throttledAsWhole: 0,
    });
  });
});

describe('an index', () => {
  it('that is throttled throttles the put on the table, which then changes nothing', () => {
    const { database } = open();
    const item = (i: number) => ({
      pk: `event-${i}`,
      tp: 'merchant day',
      ts: `id-${String(i).padStart(5, '0')}`,
    });
    expect(takenOf(2_000, (i) => put(database, item(i)))).toBe(1_000);
    expect(get(database, 'event-1000').output).toEqual({});
    expect(reportOf(database, 'events/by_time')).toMatchObject({ throttledByKey: 1, writeUnits: 1_000 });
    expect(reportOf(database, 'events')).toMatchObject({ throttledByKey: 0, writeUnits: 1_000 });
  });

  it('costs an update nothing that leaves its entry as it is, and two units where the entry moves', () => {
    const { database } = open();
    put(database, { pk: 'a', tp: 'day', ts: '1' });
    const update = (expression: string, value: unknown): number =>
      database.execute('UpdateCommand', {
        TableName: 'events',
        Key: { pk: 'a', sk: '~' },
        UpdateExpression: expression,
        ExpressionAttributeValues: { ':v': value },
      }).writeUnits;
    expect(update('SET note = :v', 'x')).toBe(1);
    expect(update('SET ts = :v', '2')).toBe(3);
  });
});

describe('a table as a whole', () => {
  it('that is new takes 4,000 write units a second, whatever the keys', () => {
    const { database } = open({ writeUnits: DYNAMODB.startWriteUnits, readUnits: DYNAMODB.startReadUnits });
    expect(takenOf(9_000, (i) => put(database, { pk: `event-${i}` }))).toBe(4_000);
    expect(reportOf(database, 'events')).toMatchObject({ throttledByKey: 0, throttledAsWhole: 1 });
  });

  it('takes twice its peak after half an hour, and no more until the next', () => {
    const capacity = createCapacity({ name: 'events', warm: { writeUnits: 100, readUnits: 100 } });
    const take = (nowMs: number): number => {
      let taken = 0;
      while (taken < 10_000 && capacity.admits(`${taken}`, 'write', 1, nowMs)) {
        capacity.consume(`${taken}`, 'write', 1, nowMs);
        taken += 1;
      }
      return taken;
    };
    const half = DYNAMODB.doublesEveryMs;
    const from = Math.ceil(START_MS / half) * half;
    expect(take(from)).toBe(100);
    expect(take(from + 60_000)).toBe(100);
    expect(take(from + half)).toBe(200);
    expect(take(from + half + 1_000)).toBe(200);
    expect(take(from + 2 * half)).toBe(400);
  });

  it('counts a sample for what it stands for, while a key of the sample counts once', () => {
    const capacity = createCapacity({
      name: 'events',
      warm: { writeUnits: 1_000, readUnits: 1 },
      standsFor: 100,
    });
    for (let i = 0; i < 10; i++) capacity.consume(`${i}`, 'write', 1, START_MS);
    expect(capacity.admits('11', 'write', 1, START_MS)).toBe(false);
    expect(capacity.report()).toMatchObject({ writePeak: 10, hottestWrite: { units: 1 } });
  });
});

describe('batches and pages', () => {
  it('leave the keys of a hot partition unprocessed, and answer the others', () => {
    const { database } = open();
    put(database, { pk: 'hot' });
    put(database, { pk: 'cold' });
    takenOf(9_000, () => get(database, 'hot'));
    const Keys = [
      { pk: 'hot', sk: '~' },
      { pk: 'cold', sk: '~' },
    ];
    const request = { RequestItems: { events: { Keys, ConsistentRead: true } } };
    expect(database.execute('BatchGetCommand', request).output).toMatchObject({
      Responses: { events: [{ pk: 'cold' }] },
      UnprocessedKeys: { events: { Keys: [{ pk: 'hot', sk: '~' }] } },
    });
    const alone = { RequestItems: { events: { Keys: Keys.slice(0, 1), ConsistentRead: true } } };
    expect(takenOf(1, () => database.execute('BatchGetCommand', alone))).toBe(0);
  });

  it('refuse more than a hundred keys, and keys that are there twice', () => {
    const { database } = open();
    const batch = (pks: readonly string[]) => () =>
      database.execute('BatchGetCommand', {
        RequestItems: { events: { Keys: pks.map((pk) => ({ pk, sk: '~' })) } },
      });
    expect(batch(Array.from({ length: 101 }, (_, i) => `${i}`))).toThrow('Too many items');
    expect(batch(['a', 'a'])).toThrow('duplicates');
  });

  it('end with the item that fills a megabyte, and go on behind it', () => {
    const { database, clock } = open();
    for (let i = 0; i < 30; i++) {
      clock.nowMs += 1_000;
      database.execute('PutCommand', {
        TableName: 'events',
        Item: { pk: 'p', sk: `${100 + i}`, b: new Uint8Array(100_000) },
      });
    }
    clock.nowMs += 1_000;
    const page = (after?: unknown) =>
      database.execute('QueryCommand', {
        TableName: 'events',
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': 'p' },
        ...(after === undefined ? {} : { ExclusiveStartKey: after }),
      }).output as { Items: { sk: string }[]; LastEvaluatedKey?: unknown };
    const first = page();
    expect(first.Items).toHaveLength(11);
    clock.nowMs += 1_000;
    expect(page(first.LastEvaluatedKey).Items[0]?.sk).toBe('111');
  });

  it('read backwards what they read forwards', () => {
    const { database } = open();
    for (const ts of ['3', '1', '2', '4']) put(database, { pk: `e${ts}`, tp: 'day', ts });
    const times = (ScanIndexForward: boolean, Limit?: number) =>
      (
        database.execute('QueryCommand', {
          TableName: 'events',
          IndexName: 'by_time',
          KeyConditionExpression: 'tp = :d AND ts BETWEEN :a AND :b',
          ExpressionAttributeValues: { ':d': 'day', ':a': '2', ':b': '4' },
          ScanIndexForward,
          ...(Limit === undefined ? {} : { Limit }),
        }).output as { Items: { ts: string }[] }
      ).Items.map(({ ts }) => ts);
    expect(times(true)).toEqual(['2', '3', '4']);
    expect(times(false)).toEqual(['4', '3', '2']);
    expect(times(false, 2)).toEqual(['4', '3']);
  });
});

describe('what DynamoDB refuses', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an item over 400 KB', { pk: 'a', b: new Uint8Array(409_700) }],
    ['an empty key', { pk: '' }],
    ['a key over 2 KB', { pk: 'x'.repeat(2_049) }],
    ['a key of an index of another type', { pk: 'a', tp: 5, ts: '1' }],
  ])('%s', (_what, item) => {
    const { database } = open();
    expect(() => put(database, item)).toThrow(expect.objectContaining({ name: 'ValidationException' }));
  });

  it.each([
    ['a value that no expression mentions', { ':a': 1, ':b': 2 }, {}],
    ['a name that no expression mentions', { ':a': 1 }, { '#n': 'note' }],
    ['a value that is missing', {}, {}],
  ])('%s', (_what, values, names) => {
    const { database } = open();
    const update = () =>
      database.execute('UpdateCommand', {
        TableName: 'events',
        Key: { pk: 'a', sk: '~' },
        UpdateExpression: 'SET note = :a',
        ExpressionAttributeValues: values,
        ExpressionAttributeNames: names,
      });
    expect(update).toThrow(expect.objectContaining({ name: 'ValidationException' }));
  });
});
