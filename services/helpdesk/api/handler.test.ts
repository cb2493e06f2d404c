// The function as it is deployed: function URL requests in, the real stores on emulated tables behind it. No queue
// exists: due records are found by the sweep, and callers get no error.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { formatApiKey, hashApiKey } from '#lib/core/tenancy/api-key.ts';
import { HELPDESK_SCOPES } from '#lib/helpdesk/domain/account/scopes.ts';
import { type EmulatedHelpdesk, openHelpdeskTables } from '#test/conformance/helpdesk/emulated-tables.ts';
import { EMULATOR_ENV } from '#test/conformance/stores/config-table.ts';
import { untilActive } from '#test/conformance/stores/emulated-table.ts';
import { createHandler } from './handler.ts';

const WORKSPACE = '33333333-3333-4333-8333-333333333333';
const KEY = formatApiKey('hdk_live', Buffer.alloc(32, 9));
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

let tables: EmulatedHelpdesk;
let folder = '';
let handle: (event: unknown, context?: unknown) => Promise<unknown>;
const environmentOf = () => ({
  HELPDESK_TABLE: tables.table,
  HELPDESK_AUDIT_TABLE: tables.auditTable,
  HELPDESK_DELIVERIES_QUEUE_URL: 'http://127.0.0.1:9/deliveries',
  HELPDESK_RUNS_QUEUE_URL: 'http://127.0.0.1:9/runs',
  HELPDESK_MAILS_QUEUE_URL: 'http://127.0.0.1:9/mails',
  HELPDESK_TASKS_QUEUE_URL: 'http://127.0.0.1:9/tasks',
  CONFIG_TABLE: 'config',
  RATES_TABLE: 'rates',
  VAULT_KEY_FILE: join(folder, 'vault.key'),
  LOG_LEVEL: 'silent',
});

beforeAll(async () => {
  emulated();
  tables = await openHelpdeskTables();
  folder = await mkdtemp(join(tmpdir(), 'helpdesk-'));
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', tables.endpoint);
  for (const [name, keys] of [
    ['config', ['pk', 'sk']],
    ['rates', ['pk']],
  ] as const) {
    await tables.db.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keys.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      }),
    );
    await untilActive(tables.db, name);
  }
  await createApiKeyStore(tables.db, 'config', systemRandom, 'hdk').putApiKey({
    sha256: hashApiKey(KEY),
    keyId: 'key_1',
    merchantId: WORKSPACE,
    name: 'test',
    prefix: KEY.slice(0, 13),
    scopes: [...HELPDESK_SCOPES],
    createdAtMs: Date.now(),
  });
  handle = await createHandler(environmentOf());
  // The first call settles region, credentials and endpoint.
  await ask('GET', '/api/tickets');
});
afterAll(async () => {
  await tables.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  const text = body === undefined ? undefined : JSON.stringify(body);
  const event = {
    version: '2.0',
    rawPath,
    rawQueryString,
    headers: {
      'x-api-key': KEY,
      'user-agent': 'desk/7',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    requestContext: { requestId: 'request-1', http: { method, path: rawPath, sourceIp: '203.0.113.1' } },
    ...(text === undefined
      ? { isBase64Encoded: false }
      : { body: Buffer.from(text).toString('base64'), isBase64Encoded: true }),
  };
  return (await handle(event, {})) as Answer;
}

const told = ({ body }: Answer): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;

describe('the helpdesk behind a function URL', () => {
  it('carries a ticket from its birth to its end, and everybody reads their own writes', async () => {
    const made = await ask('POST', '/api/tickets', {
      customer_email: 'ada@example.com',
      customer_name: 'Ada Lovelace',
      subject: 'Où est ma commande?',
      body: '😀'.repeat(50_000),
    });
    expect(made.statusCode).toBe(201);
    const id = String(told(made).ticket_id);
    for (const search of ['ou%20est', 'TKT-000001', 'ada%40example.com', 'COMMANDE'])
      expect([search, told(await ask('GET', `/api/tickets?search=${search}`))]).toMatchObject([
        search,
        { tickets: [{ id, status: 'pending' }], pagination: { total: 1 } },
      ]);
    expect(told(await ask('GET', '/api/contacts?search=love'))).toMatchObject({
      total: 1,
      contacts: [{ email: 'ada@example.com' }],
    });
    const reply = await ask('POST', `/api/tickets/${id}/reply`, { body: 'Soon.' });
    const page = told(await ask('GET', `/api/v1/messages?ticket_id=${id}&limit=1&offset=1`));
    expect(page).toMatchObject({ messages: [{ id: told(reply).id, body: 'Soon.' }], total: 2 });
    expect(told(await ask('GET', '/api/tickets?status=sent'))).toMatchObject({ tickets: [{ id }] });
    const listed = told(await ask('GET', '/api/v1/conversations?counts=true&orderBy=longest_waiting'));
    expect(listed).toMatchObject({ conversations: [], counts: { new: 0, pending: 1 } });
    const etag = String((await ask('GET', `/api/tickets/${id}`)).headers.etag);
    expect((await ask('POST', `/api/tickets/${id}/close`, undefined, { 'if-match': etag })).statusCode).toBe(
      200,
    );
    expect((await ask('POST', `/api/tickets/${id}/close`, {}, { 'if-match': etag })).statusCode).toBe(412);
    expect(told(await ask('GET', `/api/tickets/${id}`))).toMatchObject({ ticket: { status: 'closed' } });
    const log = told(await ask('GET', '/api/audit-log'));
    const closed = (log.entries as { action: string }[]).find(({ action }) => action === 'ticket.closed');
    expect(closed).toMatchObject({ ip: '203.0.113.1', user_agent: 'desk/7' });
    expect((log.entries as { action: string }[]).map(({ action }) => action).sort()).toEqual([
      'contact.created',
      'ticket.closed',
      'ticket.created',
      'ticket.replied',
    ]);
  });

  it('has keys and members of its own, and no intent of the log is left behind', async () => {
    const made = await ask('POST', '/api/v1/api-keys', { name: 'Shop', scopes: ['read:runs'] });
    expect(made.statusCode).toBe(201);
    const { id } = told(made).api_key as { id: string };
    const person = { email: 'grace@example.com', role: 'admin' };
    const invited = await ask('POST', '/api/v1/members/invitations', person);
    expect(invited.statusCode).toBe(201);
    const invitation = told(invited).invitation as { id: string };
    expect(told(await ask('GET', '/api/v1/members'))).toMatchObject({
      members: [],
      invitations: [{ id: invitation.id, email: person.email }],
    });
    expect((await ask('DELETE', `/api/v1/members/invitations/${invitation.id}`)).statusCode).toBe(200);
    expect((await ask('DELETE', `/api/v1/api-keys/${id}`)).statusCode).toBe(200);
    const log = told(await ask('GET', '/api/audit-log?limit=4'));
    expect(log.entries).toMatchObject([
      { action: 'api_key.revoked', resource_id: id, ip: '203.0.113.1', user_agent: 'desk/7' },
      { action: 'invitation.withdrawn', resource_id: invitation.id, request_id: 'request-1' },
      { action: 'invitation.created', resource_id: invitation.id },
      { action: 'api_key.created', resource_id: id, actor: { type: 'api_key', id: 'key_1' } },
    ]);
    const { Items = [] } = await tables.db.send(new ScanCommand({ TableName: 'config' }));
    expect(Items.filter(({ sk }) => String(sk).startsWith('DESK_AUDITING#'))).toEqual([]);
    expect(Items.filter(({ sk }) => String(sk).startsWith('AUDIT'))).toEqual([]);
  });

  /** As a client does: so many writers of one record may be asked to come back. */
  async function askAgain(...request: Parameters<typeof ask>): ReturnType<typeof ask> {
    for (;;) {
      const answer = await ask(...request);
      if (answer.statusCode !== 503) return answer;
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  }

  it('makes one contact of many at once, and tells each what became of it', async () => {
    const many = <T>(make: (i: number) => Promise<T>) =>
      Promise.all(Array.from({ length: 24 }, (_, i) => make(i)));
    const made = await many(() => askAgain('POST', '/api/v1/contacts', { email: 'bob@example.com' }));
    const statuses = made.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 23 }, () => 409)]);
    const written = await many((i) =>
      askAgain('POST', '/api/contacts', { email: 'eve@example.com', metadata: { [`key${i}`]: i } }),
    );
    expect(new Set(written.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const { contacts } = told(await ask('GET', '/api/contacts?search=eve')) as {
      contacts: { metadata: Record<string, unknown> }[];
    };
    expect(contacts.map(({ metadata }) => Object.keys(metadata).length)).toEqual([24]);
  });

  it('does once what is asked twice with one Idempotency-Key', async () => {
    const body = { customer_email: 'ida@example.com', subject: 'Order', body: 'a' };
    const headers = { 'idempotency-key': 'one' };
    const [first, again] = [
      await ask('POST', '/api/tickets', body, headers),
      await ask('POST', '/api/tickets', body, headers),
    ];
    expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    const other = await ask('POST', '/api/tickets', { ...body, subject: 'Other' }, headers);
    expect(other.statusCode).toBe(422);
  });

  it('counts calls in the table, whoever answers them', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', tables.endpoint);
    const second = (await createHandler(environmentOf())) as typeof handle;
    const put = { method: 'PUT', path: '/api/v1/accounts' };
    const event = {
      version: '2.0',
      rawPath: put.path,
      rawQueryString: '',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      requestContext: { requestId: 'r', http: { ...put, sourceIp: '203.0.113.1' } },
      body: '{}',
      isBase64Encoded: false,
    };
    const answers: Answer[] = [];
    for (let i = 0; i < 16; i++)
      answers.push(...((await Promise.all([handle(event, {}), second(event, {})])) as Answer[]));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    const taken = answers.filter(({ statusCode }) => statusCode === 200);
    expect([taken.length, refused.length]).toEqual([30, 2]);
    expect(refused[0]?.headers['retry-after']).toMatch(/^\d+$/);
  });
});

it('does not start without its settings, and names what is missing', async () => {
  const { HELPDESK_TABLE: _, ...rest } = environmentOf();
  await expect(createHandler(rest)).rejects.toThrow(/HELPDESK_TABLE/);
});
