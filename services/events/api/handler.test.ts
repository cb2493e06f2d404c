// The function as it is deployed: function URL requests in, the real stores on an emulated table behind it.
import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { formatApiKey, hashApiKey } from '#lib/core/tenancy/api-key.ts';
import { minuteOf } from '#lib/core/work/time-slot.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { batchOf, outcomesOf } from '#test/conformance/stores/batch-items.ts';
import { type ConfigTable, EMULATOR_ENV, openConfigTable } from '#test/conformance/stores/config-table.ts';
import { delivered, retrying } from '#test/conformance/stores/event-rows.ts';
import { acceptedRow, normalizedRow } from '#test/contract/stored-rows.ts';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { createHandler } from './handler.ts';

const MERCHANT = '33333333-3333-4333-8333-333333333333';
const KEY = formatApiKey('evk_live', Buffer.alloc(32, 9));
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Environment is restored after each test; the SDK reads it when it makes its first call.
const emulated = () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
};
beforeEach(emulated);

let table: ConfigTable;
const folder = scratchFolder('api');
let handle: (event: unknown, context?: unknown) => Promise<unknown>;
beforeAll(async () => {
  emulated();
  table = await openConfigTable();
  await table.db.send(indexed('events', 'by_time', 'tp', 'ts'));
  await table.db.send(indexed('batches'));
  await table.db.send(indexed('analytics'));
  await table.db.send(
    new CreateTableCommand({
      TableName: 'rates',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', table.endpoint);
  const now = systemClock.now();
  await createApiKeyStore(table.db, table.table, systemRandom).putApiKey({
    sha256: hashApiKey(KEY),
    keyId: 'key_1',
    merchantId: MERCHANT,
    name: 'test',
    prefix: KEY.slice(0, 13),
    scopes: ['admin'],
    createdAtMs: now,
  });
  const rows = ['order-1', 'order 2/ä'].map((eventId) => ({
    ...acceptedRow({ eventId, merchantId: MERCHANT, receivedAtMs: now - 1_000 }),
    request: { id: REQUEST_ID },
  }));
  for (const row of rows) await createEventStore(table.db, 'events').claim(row);
  handle = await createHandler(environment());
  // The first call settles region, credentials and endpoint.
  await ask('GET', '/v1/platforms');
});
afterAll(() => table.close());

const REQUEST_ID = '4b1c7a52-9c6e-4b07-8a8e-3d3f6f5f0d11';

const environment = () => ({
  EVENTS_TABLE: 'events',
  BATCHES_TABLE: 'batches',
  ANALYTICS_TABLE: 'analytics',
  CONFIG_TABLE: table.table,
  RATES_TABLE: 'rates',
  ACCEPTED_QUEUE_URL: 'http://127.0.0.1:9/accepted',
  REPLAYS_QUEUE_URL: 'http://127.0.0.1:9/replays',
  TASK_WORK_QUEUE_URL: 'http://127.0.0.1:9/task-work',
  VAULT_KEY_FILE: join(folder, 'vault.key'),
  LOG_LEVEL: 'silent',
});

function indexed(name: string, index?: string, hash = 'pk', range = 'sk'): CreateTableCommand {
  const keys = (pk: string, sk: string) => [
    { AttributeName: pk, KeyType: 'HASH' as const },
    { AttributeName: sk, KeyType: 'RANGE' as const },
  ];
  const projected = { KeySchema: keys(hash, range), Projection: { ProjectionType: 'KEYS_ONLY' as const } };
  const names = [...new Set(['pk', 'sk', hash, range])];
  return new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keys('pk', 'sk'),
    ...(index === undefined ? {} : { GlobalSecondaryIndexes: [{ IndexName: index, ...projected }] }),
  });
}

async function ask(method: string, path: string, query = '', body?: string, headers = {}): Promise<Answer> {
  const event = {
    version: '2.0',
    rawPath: path,
    rawQueryString: query,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    // What Lambda makes of the query: decoded, repeated values joined. Not to be relied on.
    queryStringParameters: { limit: 'wrong' },
    requestContext: { requestId: 'request-1', http: { method, path, sourceIp: '203.0.113.1' } },
    ...(body === undefined
      ? { isBase64Encoded: false }
      : { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }),
  };
  return (await handle(event, {})) as Answer;
}

describe('the API behind a function URL', () => {
  it('lists stored events and reads one whose id needs encoding', async () => {
    const list = await ask('GET', '/v1/events', 'limit=10');
    expect(list.statusCode).toBe(200);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect(list.headers).toMatchObject({ 'x-request-id': 'request-1', ...type });
    expect(JSON.parse(list.body)).toMatchObject({ total: 2, total_is_exact: true, next_cursor: null });
    const one = await ask('GET', `/v1/events/${encodeURIComponent('order 2/ä')}`);
    expect(JSON.parse(one.body)).toMatchObject({ event: { event_id: 'order 2/ä', state: 'accepted' } });
    const verdicts = await ask('GET', '/v1/events/order-1/explain');
    expect(JSON.parse(verdicts.body)).toMatchObject({
      ...{ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), request_id: REQUEST_ID },
      verdicts: PLATFORMS.map(({ slug }) => ({ platform: slug, verdict: 'processing' })),
    });
  });

  it('shows of a row of a batch what became of it there, and nothing of the others', async () => {
    const key = { merchantId: MERCHANT, channel: 'server', eventId: 'order-1' } as const;
    const events = createEventStore(table.db, 'events');
    const accepted = await events.read(key);
    if (accepted?.state !== 'accepted') throw new Error('the row is not there');
    const batch = batchOf(MERCHANT, { minuteMs: minuteOf(accepted.receivedAtMs) });
    const { body: _, state: _state, ...base } = accepted;
    const row = normalizedRow({ eventId: 'order-1', merchantId: MERCHANT, connected: ['meta', 'tiktok'] });
    await events.normalize({ ...row, ...base, place: { batch, position: 2 } });
    const atMs = accepted.receivedAtMs + 500;
    const waiting = { positions: [0, 1], delivery: retrying(atMs) };
    const groups = [waiting, { positions: [2], delivery: delivered(atMs) }];
    await createBatchStore(table.db, 'batches').writeOutcomes(outcomesOf(batch, groups), 0);
    const one = await ask('GET', '/v1/events/order-1');
    expect(JSON.parse(one.body)).toMatchObject({
      deliveries: [
        { platform: 'meta', status: 'DELIVERED', delivered_at: new Date(atMs).toISOString(), attempts: 2 },
        { platform: 'tiktok', attempts: 0, history: [] },
      ],
    });
    const list = await ask('GET', '/v1/events', 'limit=10&platform=meta&status=DELIVERED');
    const { events: found } = JSON.parse(list.body) as { events: { event_id: string }[] };
    expect(found.map(({ event_id }) => event_id)).toEqual(['order-1']);
  });

  it('sees a repeated parameter', async () => {
    expect((await ask('GET', '/v1/events', 'limit=10&limit=20')).statusCode).toBe(400);
    expect((await ask('GET', '/v1/events', 'search=a%2Cb')).statusCode).toBe(200);
  });

  it('connects and disconnects a platform, sealed under the key file', async () => {
    const credentials = { pixel_id: '1234567890', access_token: 'geheim-geheim-geheim' };
    const made = await ask('POST', '/v1/platforms', '', JSON.stringify({ platform: 'meta', credentials }));
    expect(made.statusCode).toBe(201);
    const stored = await createConnectionStore(table.db, table.table).connection(MERCHANT, 'meta');
    expect(JSON.stringify(stored)).not.toContain('geheim');
    const list = await ask('GET', '/v1/platforms');
    expect(JSON.parse(list.body)).toMatchObject({ platforms: [{ settings: { pixel_id: '1234567890' } }] });
    expect((await ask('DELETE', `/v1/platforms/${stored?.id}`)).statusCode).toBe(200);
    expect((await ask('DELETE', `/v1/platforms/${stored?.id}`)).statusCode).toBe(404);
  });

  it.each(['overview', 'volume', 'coverage'])('answers %s without a counter', async (name) => {
    expect((await ask('GET', `/v1/analytics/${name}`, 'range=90d')).statusCode).toBe(200);
  });

  it('refuses every session where no identity provider is configured', async () => {
    const headers = { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' };
    expect((await ask('GET', '/v1/events', '', undefined, headers)).statusCode).toBe(401);
  });

  it('answers 503 and stores nothing while the table is away', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1');
    const away = await createHandler({ ...environment(), CONFIG_TABLE: 'config' });
    const answer = (await away({
      rawPath: '/v1/events',
      rawQueryString: '',
      headers: { authorization: `Bearer ${KEY}` },
      requestContext: { requestId: 'r', http: { method: 'GET', sourceIp: '203.0.113.1' } },
      isBase64Encoded: false,
    })) as Answer;
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  it('does not start without a table or a vault key, and says which', async () => {
    await expect(createHandler({})).rejects.toThrow('EVENTS_TABLE');
    const { VAULT_KEY_FILE: _, ...tables } = environment();
    await expect(createHandler(tables)).rejects.toThrow('VAULT_KEY_ARN');
  });
});
