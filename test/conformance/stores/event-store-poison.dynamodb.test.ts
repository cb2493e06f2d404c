import { deflateRawSync } from 'node:zlib';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itemKey } from '#lib/adapters/dynamodb/events/rows/event-item.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { readRawRow } from '#lib/adapters/dynamodb/events/rows/raw-row.ts';
import type { EventKey, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { type EmulatedTable, openTable } from './emulated-table.ts';
import { acceptedRow, freshMerchant } from './event-rows.ts';
import { poisonConformance } from './event-store-poison.suite.ts';

let opened: EmulatedTable;
beforeAll(async () => {
  opened = await openTable('events');
});
afterAll(() => opened.close());

const reported: UnreadableRow[] = [];
const update = (expression: string, values?: Record<string, unknown>) => async (key: EventKey) => {
  await opened.db.send(
    new UpdateCommand({
      TableName: opened.table,
      Key: itemKey(key),
      UpdateExpression: expression,
      ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
    }),
  );
};

/** Format 1 around a JSON text. */
function packed(json: string): Buffer {
  const deflated = deflateRawSync(json);
  return Buffer.concat([Buffer.from([1, 0, deflated.byteLength >> 8, deflated.byteLength & 255]), deflated]);
}

const SPOILERS: Readonly<Record<string, (key: EventKey) => Promise<void>>> = {
  'a format to come': update('SET b = :b', { ':b': Buffer.from([250, 1, 2, 3]) }),
  'garbage bytes': update('SET b = :b', { ':b': Buffer.from([1, 0, 0, 4, 255, 254, 253, 252]) }),
  'no bytes': update('REMOVE b'),
  'a text for bytes': update('SET b = :b', { ':b': 'text' }),
  'JSON that is no event': update('SET b = :b', { ':b': packed('{"h":"","raw":{}}') }),
  'JSON that is nothing': update('SET b = :b', { ':b': packed('null') }),
  'an unknown state': update('SET st = :s', { ':s': 'Z' }),
  'no state': update('REMOVE st'),
  'no payload digest': update('REMOVE ph'),
  'deliveries of another shape': update('SET d = :d', { ':d': { meta: { state: 'D' } } }),
  'a delivery in an unknown state': update('SET d = :d', { ':d': { meta: 'Z1;2;3' } }),
  'a delivery without numbers': update('SET d = :d', { ':d': { meta: 'Dx;y;' } }),
  'no deliveries': update('REMOVE d'),
  'a routing version that is none': update('SET rv = :r', { ':r': 'x' }),
};

poisonConformance('DynamoDB', Object.keys(SPOILERS), () => ({
  store: createEventStore(opened.db, opened.table, (row) => void reported.push(row)),
  spoilers: SPOILERS,
}));

it('shows a row as it lies in the table, with what is read from it or why it cannot be', async () => {
  const store = createEventStore(opened.db, opened.table);
  const row = acceptedRow({ merchantId: freshMerchant(), channel: 'server', eventId: 'e' });
  expect(await readRawRow(opened.db, opened.table, row.key)).toBeNull();
  await store.claim(row);
  expect(await readRawRow(opened.db, opened.table, row.key)).toMatchObject({
    item: { st: 'A' },
    row: { state: 'accepted' },
  });
  await SPOILERS['a format to come']?.(row.key);
  const raw = await readRawRow(opened.db, opened.table, row.key);
  expect(raw).toMatchObject({ item: { ts: row.ingestId }, problem: 'unknown encoding 250' });
  expect(raw?.row).toBeUndefined();
});

it('reports every row it could not read, without a value of it', () => {
  expect(reported.length).toBeGreaterThan(0);
  expect(JSON.stringify(reported)).not.toContain('example.com');
});
