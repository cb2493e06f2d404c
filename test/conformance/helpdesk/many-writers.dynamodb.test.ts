// Goal: on the real table, many who write one record at once all succeed, and what follows from each is there once.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';
import { runSweep } from '#services/helpdesk/sweep/stage.ts';
import { processOf } from '../../simulation/helpdesk-crashes.ts';
import {
  createTicket,
  note,
  receive,
  START_MS,
  snooze,
  TICKET_ID,
  upsertContact,
  WEBHOOKS,
  WS,
} from '../../simulation/helpdesk-world.ts';
import { drainPorts } from '../../support/helpdesk-drain.ts';
import { EMULATOR_ENV } from '../stores/config-table.ts';
import { type EmulatedHelpdesk, openHelpdeskTables } from './emulated-tables.ts';

let opened: EmulatedHelpdesk | undefined;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openHelpdeskTables();
});
afterAll(() => opened?.close());

async function setUp() {
  await opened?.close();
  const tables = await openHelpdeskTables();
  opened = tables;
  const { ports } = drainPorts(START_MS);
  const stores = createHelpdeskStores(tables.db, tables, ports.clock.now, () => undefined);
  const record = { id: WS, workspaceId: WS, webhooks: WEBHOOKS };
  await stores.webhooks.put({ record, version: 1, outbox: [], dueAtMs: null }, null);
  const own = {
    ...ports,
    stores,
    pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  } satisfies DrainPorts;
  return { stores, ports: own };
}

const ALL = { limit: 100, offset: 0 };

it('lets fifteen write one ticket at once', async () => {
  const { stores, ports } = await setUp();
  await createTicket(ports);
  const done = await Promise.all(Array.from({ length: 15 }, (_, i) => (i % 3 === 0 ? receive : note)(ports)));
  expect(done).toEqual(Array.from({ length: 15 }, () => 'done'));
  const ticket = await stores.tickets.read(WS, TICKET_ID);
  expect(ticket).toMatchObject({ version: 16, outbox: [], dueAtMs: null, record: { messageCount: 16 } });
  expect((await stores.messages.listMessages(WS, TICKET_ID, ALL)).total).toBe(16);
  expect(await stores.audit.entries(WS, {}, 100)).toHaveLength(17);
  expect((await stores.lists.runs(WS, { statuses: ['pending'], ticketId: TICKET_ID }, ALL)).total).toBe(1);
  expect((await stores.lists.deliveries(WS, 'some', ALL)).total).toBe(2);
});

it('makes one contact of many', async () => {
  const { stores, ports } = await setUp();
  const upsert = upsertContact({ name: 'Ada' });
  const done = await Promise.all(Array.from({ length: 20 }, () => upsert(ports)));
  expect(done.filter((outcome) => outcome === 'done')).toHaveLength(1);
  expect(await stores.audit.entries(WS, {}, 100)).toHaveLength(1);
  expect((await stores.search.find(WS, 'contact', { text: 'ad', isPrefix: true }, 10)).ids).toEqual([
    contactIdOf(WS, 'ada@example.com'),
  ]);
});

it('is brought to an end by a sweep where its writer died', async () => {
  const { stores, ports } = await setUp();
  await processOf(ports, 'tickets.put', 'kill-after').run(createTicket);
  expect((await stores.messages.listMessages(WS, TICKET_ID, ALL)).total).toBe(0);
  ports.clock.advance(61_000);
  const report = await runSweep({ ...ports, quarantine: () => undefined });
  expect(report).toMatchObject({ drained: 1, failed: 0 });
  expect((await stores.messages.listMessages(WS, TICKET_ID, ALL)).total).toBe(1);
  expect(await snooze(ports)).toBe('done');
  ports.clock.advance(31_000);
  expect((await runSweep({ ...ports, quarantine: () => undefined })).woken).toBe(1);
  expect(await stores.tickets.read(WS, TICKET_ID)).toMatchObject({
    version: 3,
    outbox: [],
    dueAtMs: null,
    record: { state: 'OPEN' },
  });
});
