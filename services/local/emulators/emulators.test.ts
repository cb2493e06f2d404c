// Goal: tables survive a restart and an ungraceful end, queues need not; the emulators behave where the pipeline relies on them.
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepared } from '#lib/adapters/aws-sdk/made-clients.ts';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { repairIndexes } from '../repair-indexes.ts';
import { REGION } from '../stack/references.ts';
import { createTables } from '../stack/resources.ts';
import type { TableSpec } from '../stack/topology.ts';
import { type Emulators, startEmulators } from './start.ts';

const DUE_KEYS: TableSpec['keySchema'] = [
  { AttributeName: 'dp', KeyType: 'HASH' },
  { AttributeName: 'da', KeyType: 'RANGE' },
];
const TABLE: TableSpec = {
  name: 'Rows',
  attributes: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'dp', AttributeType: 'S' },
    { AttributeName: 'da', AttributeType: 'N' },
  ],
  keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  indexes: [{ IndexName: 'due', KeySchema: DUE_KEYS, Projection: { ProjectionType: 'KEYS_ONLY' } }],
};

let folder: string;
let emulators: Emulators | undefined;
beforeEach(() => {
  folder = scratchFolder('emulators');
});
afterEach(async () => {
  await emulators?.close();
  emulators = undefined;
});

async function start(): Promise<DynamoDBClient> {
  await emulators?.close();
  const options = { tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 };
  emulators = await startEmulators(options);
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return new DynamoDBClient({ endpoint: emulators.dynamodbUrl, region: REGION, credentials });
}

const put = (db: DynamoDBClient, pk: string, da?: string) =>
  db.send(
    new PutItemCommand({
      TableName: 'Rows',
      Item: { pk: { S: pk }, ...(da && { dp: { S: '0' }, da: { N: da } }) },
    }),
  );

async function due(db: DynamoDBClient): Promise<string[]> {
  const { Items: items = [] } = await db.send(
    new QueryCommand({
      TableName: 'Rows',
      IndexName: 'due',
      KeyConditionExpression: 'dp = :dp',
      ExpressionAttributeValues: { ':dp': { S: '0' } },
    }),
  );
  return items.map(({ pk }) => pk?.S ?? '');
}

it('end no connection by a timer, which would cut a request that is on its way', async () => {
  await start();
  for (const url of [emulators?.dynamodbUrl ?? '', emulators?.sqsUrl ?? ''])
    expect((await fetch(url, { method: 'POST', body: '{}' })).headers.get('keep-alive')).toBeNull();
});

it('keeps tables over a restart, and does not touch them when asked to create them again', async () => {
  let db = await start();
  await createTables(db, [TABLE], folder);
  await put(db, 'a', '5');
  db = await start();
  await createTables(db, [TABLE], folder);
  const { Item: item } = await db.send(new GetItemCommand({ TableName: 'Rows', Key: { pk: { S: 'a' } } }));
  expect(item).toEqual({ pk: { S: 'a' }, dp: { S: '0' }, da: { N: '5' } });
  expect(await due(db)).toEqual(['a']);
});

it('refuses a table of another shape, saying what to do', async () => {
  const db = await start();
  await createTables(db, [{ ...TABLE, indexes: [], attributes: TABLE.attributes.slice(0, 1) }], folder);
  const advice = 'delete that folder, or set MILLRACE_DATA_DIR';
  await expect(createTables(db, [TABLE], folder)).rejects.toThrow(advice);
});

it('says which port is busy', async () => {
  const busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const { port } = busy.address() as { port: number };
  const options = { tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: port };
  const said = `Port ${port} of 127.0.0.1, meant for sqs`;
  await expect(startEmulators(options)).rejects.toThrow(said);
  busy.close();
});

it('repairs an index that lost an entry, changing nothing else', async () => {
  let db = await start();
  await createTables(db, [TABLE], folder);
  await put(db, 'lost', '1');
  await put(db, 'kept', '2');
  await put(db, 'never');
  await emulators?.close();
  emulators = undefined;
  await removeIndexEntry('1');
  db = await start();
  expect(await due(db)).toEqual(['kept']);
  expect(await repairIndexes(db, [TABLE])).toBe(1);
  expect(await due(db)).toEqual(['lost', 'kept']);
  expect(await repairIndexes(db, [TABLE])).toBe(0);
  const removal = { Key: { pk: { S: 'lost' } }, UpdateExpression: 'REMOVE dp, da' };
  await db.send(new UpdateItemCommand({ TableName: 'Rows', ...removal }));
  expect(await due(db)).toEqual(['kept']);
});

/** As a kill between the emulator's two writes leaves it. */
async function removeIndexEntry(da: string): Promise<void> {
  const { Level } = createRequire(createRequire(import.meta.url).resolve('dynalite'))('level') as {
    Level: new (path: string, options: object) => LevelDb;
  };
  const db = new Level(join(folder, 'tables'), { valueEncoding: 'json' });
  let removed = 0;
  for await (const [key, value] of db.iterator()) {
    if (!key.includes('index') || (value as { da?: { N: string } }).da?.N !== da) continue;
    await db.del(key);
    removed += 1;
  }
  await db.close();
  expect(removed).toBe(1);
}

interface LevelDb {
  iterator(): AsyncIterable<[string, unknown]>;
  del(key: string): Promise<void>;
  close(): Promise<void>;
}

it.each([
  ['by calls in this process', true],
  ['by sockets', false],
])(
  'answers or refuses what it is asked %s while it closes, and reads in no closed table',
  async (_, isNear) => {
    const far = await start();
    await createTables(far, [TABLE], folder);
    const db = isNear ? prepared(far) : far;
    await put(db, 'one');
    const asked = Array.from({ length: 300 }, (_row, i) =>
      i % 2 === 0 ? put(db, `row ${i % 7}`, `${i}`) : due(db),
    );
    const ends = Promise.allSettled(asked);
    // So that they are on their way.
    await pause(20);
    await emulators?.close();
    emulators = undefined;
    // None waits for ever; what a closed table threw would fail the run.
    const answered = (await ends).filter(({ status }) => status === 'fulfilled');
    if (isNear) expect(answered.length).toBeGreaterThan(0);
  },
);
