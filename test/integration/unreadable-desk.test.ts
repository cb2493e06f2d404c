// Items of the helpdesk that no release wrote: one of a list leaves the others where they are, no answer is 500, and what a
// webhook that cannot be read is to get waits for it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHelpdeskStores } from '../../lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { packRecord, unpackRecord } from '../../lib/adapters/dynamodb/helpdesk/record-codec.ts';
import type { Unreadable } from '../../lib/core/record/unreadable-item.ts';
import type { WebhookList } from '../../lib/helpdesk/domain/webhooks/webhook.ts';
import { createWebhookStage } from '../../services/helpdesk/webhooks/stage.ts';
import {
  type EmulatedHelpdesk,
  openModelledHelpdeskTables,
} from '../conformance/helpdesk/emulated-tables.ts';
import { EMULATOR_ENV } from '../conformance/stores/config-table.ts';
import { type Desk, MINE, openHelpdesk } from '../contract/helpdesk-host.ts';
import { itemsOfTable, putItem, SHAPES, type StoredItem, withItem } from './unreadable-items.ts';

const HOOKS = ['https://one.example/hook', 'https://two.example/hook'];

let tables: EmulatedHelpdesk;
let desk: Desk;
let ticketId = '';
let hookIds: readonly string[] = [];
const setAside: Unreadable[] = [];

beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  tables = await openModelledHelpdeskTables();
  const nowMs = (): number => desk.clock.now();
  const stores = createHelpdeskStores(tables.db, tables, nowMs, (found) => void setAside.push(found));
  desk = await openHelpdesk({ stores });
  for (const url of HOOKS) {
    const made = await desk.ask('POST', '/api/v1/webhooks', { body: { url, events: ['ticket.replied'] } });
    expect(made.status, made.text).toBe(201);
  }
  ticketId = await desk.ticket();
  await reply('First answer');
  await reply('Second answer');
  const { body } = await desk.ask('GET', '/api/v1/webhooks');
  hookIds = (body as { webhooks: { id: string }[] }).webhooks.map(({ id }) => id);
  for (const id of hookIds) {
    const health = { failingSinceMs: null, lastSuccessAtMs: 1, lastFailureAtMs: null };
    await stores.health.putHealth(MINE, id, health);
  }
});
afterAll(async () => {
  await desk.app.close();
  await tables.close();
});

async function reply(text: string) {
  return await desk.ask('POST', `/api/tickets/${ticketId}/reply`, { body: { body: text } });
}
async function firstOf(table: string, is: (item: StoredItem) => boolean): Promise<StoredItem> {
  const items = (await itemsOfTable(tables.db, table)).filter(is);
  const [first] = items.sort((a, b) => (a.pk + a.sk < b.pk + b.sk ? -1 : 1));
  if (first === undefined) throw new Error('there is no such item');
  return first;
}
const begins =
  (letters: string) =>
  ({ pk }: StoredItem): boolean =>
    pk.startsWith(letters);

const webhooksItem = ({ sk }: StoredItem): boolean => sk === 'WEBHOOKS';

const LISTS: readonly (readonly [
  what: string,
  held: string,
  table: () => string,
  is: (item: StoredItem) => boolean,
  neighbour: string,
  path: () => string,
])[] = [
  [
    'message',
    'm',
    () => tables.table,
    begins('MSG#'),
    'Second answer',
    () => `/api/v1/messages?ticket_id=${ticketId}`,
  ],
  ['health of a webhook', 'h', () => tables.table, begins('H#'), 'two.example', () => '/api/v1/webhooks'],
  ['audit entry', 'e', () => tables.auditTable, () => true, 'ticket.replied', () => '/api/v1/audit-log'],
];

describe.each(LISTS)('one %s', (what, held, table, is, neighbour, path) => {
  it.each(Object.keys(SHAPES))('%s: the others are served', async (shape) => {
    const item = await firstOf(table(), is);
    const before = await desk.ask('GET', path());
    await withItem(tables.db, table(), item, SHAPES[shape]?.(item, [held]) ?? {}, async () => {
      setAside.length = 0;
      const during = await desk.ask('GET', path());
      expect(during.status, during.text).toBe(200);
      expect(during.text).toContain(neighbour);
      expect(setAside).toContainEqual(expect.objectContaining({ what, key: { pk: item.pk, sk: item.sk } }));
      expect((await reply('Meanwhile')).status).toBe(200);
    });
    const after = (await desk.ask('GET', path())).text;
    for (const id of before.text.match(/"id":"[^"]+"/g) ?? []) expect(after).toContain(id);
  });
});

describe('one webhook of several that cannot be read', () => {
  it.each([
    ['without its kinds', ({ events: _, ...rest }: Record<string, unknown>) => rest],
    ['without secrets', (own: Record<string, unknown>) => ({ ...own, secrets: 7 })],
    ['of a later shape', ({ id }: Record<string, unknown>) => ({ id, f: 2, target: {} })],
  ])('%s: the others are served, it is kept, and its deliveries wait for it', async (_, spoil) => {
    const item = await firstOf(tables.table, webhooksItem);
    const { record } = unpackRecord(item);
    const list = record as WebhookList;
    const bad = list.webhooks[0];
    const spoiled = { ...list, webhooks: [spoil({ ...bad }), ...list.webhooks.slice(1)] };
    const put = async (instead: object) => {
      const now = await firstOf(tables.table, webhooksItem);
      await putItem(tables.db, tables.table, { ...now, ...packRecord(instead, []) });
    };
    await put(spoiled);
    const listed = await desk.ask('GET', '/api/v1/webhooks');
    expect([listed.status, listed.text.includes('two.example')]).toEqual([200, true]);
    // One reply after another: what follows from the first does not stand in the way of the second.
    for (const text of ['one', 'two']) expect((await reply(text)).status).toBe(200);
    const pointers = desk.deliveries.receive(100).map(({ body }) => body.id);
    const eventDeliveries = pointers.filter((id) => id.endsWith(String(hookIds[0])));
    expect(eventDeliveries.length).toBeGreaterThanOrEqual(2);
    const changed = await desk.ask('PATCH', `/api/v1/webhooks/${hookIds[1]}`, { body: { description: 'x' } });
    expect(changed.status, changed.text).toBe(200);
    // Delivered while it cannot be read: it waits, and is not cancelled.
    const sent: string[] = [];
    const stage = createWebhookStage({
      ...desk.ports,
      transport: {
        send: async ({ url }: { readonly url: string }) => {
          sent.push(url);
          return { kind: 'response', status: 200, headers: {}, body: '', latencyMs: 1 } as const;
        },
      },
      countDisabled: () => undefined,
    });
    const messages = [...new Set(eventDeliveries)].map((id) => ({
      body: { workspaceId: MINE, id },
      receiveCount: 1,
      sentAtMs: 0,
    }));
    expect((await stage(messages)).failedIndexes).toHaveLength(messages.length);
    const stored = unpackRecord(await firstOf(tables.table, webhooksItem)).record as WebhookList;
    expect(stored.webhooks).toContainEqual(spoil({ ...bad }));
    await put({ ...stored, webhooks: list.webhooks });
    expect((await stage(messages)).failedIndexes).toEqual([]);
    // Of kinds that it asks for, and of no others.
    const ids = messages.map(({ body: { id } }) => id);
    const rows = (await desk.ports.stores.deliveries.readMany(MINE, ids)).map(({ record }) => record);
    const wanted = rows.filter(({ type }) => type === 'ticket.replied');
    expect(wanted.map(({ status }) => status)).toEqual(wanted.map(() => 'delivered'));
    expect(wanted.length).toBeGreaterThanOrEqual(2);
    expect(sent.length).toBeLessThanOrEqual(wanted.length);
    const others = rows.filter(({ type }) => type !== 'ticket.replied');
    expect(others.map(({ lastError }) => lastError)).toEqual(others.map(() => 'not_subscribed'));
  });
});
