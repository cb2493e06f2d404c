import { BatchWriteCommand, PutCommand, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HELPDESK_FORMAT_1 } from '#lib/adapters/dynamodb/helpdesk/dictionaries/format-1.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { packJson } from '#lib/core/packing/packed-json.ts';
import { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import {
  type FillTickets,
  idAt,
  inChunks,
  messageOf,
  newWorkspace,
  stored,
  ticketOf,
} from '#test/support/helpdesk-records.ts';
import { EMULATOR_ENV } from '../stores/config-table.ts';
import { dueConformance } from './due.suite.ts';
import { type EmulatedHelpdesk, openHelpdeskTables } from './emulated-tables.ts';
import { listsConformance } from './lists.suite.ts';
import { partsConformance } from './parts.suite.ts';
import { recordsConformance } from './records.suite.ts';
import { searchConformance } from './search.suite.ts';
import { fillFound, wordSearchConformance } from './word-search.suite.ts';

let opened: EmulatedHelpdesk | undefined;
const unreadable: UnreadableRecord[] = [];
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  opened = await openHelpdeskTables();
});
afterAll(() => opened?.close());

const tables = (): EmulatedHelpdesk => {
  if (opened === undefined) throw new Error('the tables are not open');
  return opened;
};
const open = async () =>
  createHelpdeskStores(tables().db, tables(), Date.now, (found) => {
    if (found instanceof UnreadableRecord) unreadable.push(found);
  });

/** As the stores write them, in as few requests as DynamoDB takes: its emulator spends its time on requests. */
async function fillBy(write: (stores: HelpdeskStores) => Promise<void>): Promise<void> {
  const { db, table } = tables();
  const items: Record<string, unknown>[] = [];
  const send = async ({ input }: PutCommand | UpdateCommand): Promise<void> => {
    items.push('Item' in input ? (input.Item ?? {}) : { ...('Key' in input ? input.Key : {}), v: 1, f: 1 });
  };
  await write(createHelpdeskStores({ send } as unknown as typeof db, tables(), Date.now, () => undefined));
  const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, i) =>
    items.slice(i * 25, i * 25 + 25),
  );
  await inChunks(batches, (batch) => {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    return db.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  });
}

const fill: FillTickets = (records) =>
  fillBy(async ({ tickets }) => {
    for (const record of records) await tickets.put(record, null);
  });

recordsConformance('DynamoDB', open);
listsConformance('DynamoDB', open, fill);
partsConformance('DynamoDB', open);
searchConformance('DynamoDB', open);
dueConformance('DynamoDB', open, fill);
wordSearchConformance('DynamoDB', 5_000, { open, fill: (ws, found) => fillBy(fillFound(ws, found)) });

it('finds that a write was its own where the answer was lost', async () => {
  const { db, table, auditTable } = tables();
  // The write is done, and done again by the client that heard nothing.
  const send = db.send.bind(db);
  const losing = new Proxy(db, {
    get: (of, name, self) =>
      name === 'send'
        ? async (command: unknown) => {
            if (command instanceof PutCommand) await send(command);
            return await send(command as PutCommand);
          }
        : (Reflect.get(of, name, self) as unknown),
  });
  const { tickets } = createHelpdeskStores(losing, { table, auditTable }, Date.now, () => undefined);
  const ws = newWorkspace();
  expect(await tickets.put(stored(ticketOf(ws, 1)), null)).toBe(true);
  expect(await tickets.put(stored(ticketOf(ws, 1), { version: 2 }), 1)).toBe(true);
  expect(await tickets.put(stored(ticketOf(ws, 1), { version: 2 }), 1)).toBe(false);
});

it('steps over a record of a format it does not know, and says which', async () => {
  const { tickets } = await open();
  const ws = newWorkspace();
  const { db, table } = tables();
  const packed = packJson({ ...HELPDESK_FORMAT_1, format: 9 }, ticketOf(ws, 1));
  const Item = { pk: `T#${ws}`, sk: idAt(1), b: packed, v: 1 };
  await db.send(new PutCommand({ TableName: table, Item }));
  await expect(tickets.read(ws, idAt(1))).rejects.toThrow(
    'a stored ticket cannot be read: unknown encoding 9',
  );
  expect(await tickets.readMany(ws, [idAt(1)])).toEqual([]);
});

it('reads what was written before there were formats, and settles it', async () => {
  const { tickets } = await open();
  const ws = newWorkspace();
  const { db, table } = tables();
  const ticket = ticketOf(ws, 1);
  const outbox = [{ kind: 'message', message: messageOf(ws, ticket.id, 2) }] as const;
  const Item = { pk: `T#${ws}`, sk: idAt(1), record: ticket, v: 3, o: outbox };
  await db.send(new PutCommand({ TableName: table, Item }));
  expect(await tickets.read(ws, ticket.id)).toEqual(stored(ticket, { version: 3, outbox }));
  expect(await tickets.settle(ticket, 3, null)).toBe(true);
  expect(await tickets.read(ws, ticket.id)).toEqual(stored(ticket, { version: 3 }));
});

it.each([
  { record: 'text' },
  { record: { id: 'other', workspaceId: 'other' } },
  { v: 'one' },
  { o: { not: 'a list' } },
  { b: packJson(HELPDESK_FORMAT_1, 'text') },
  { b: packJson(HELPDESK_FORMAT_1, { id: 'other', workspaceId: 'other' }) },
])('steps over a record that cannot be read, and names it: %o', async (spoiled) => {
  const { tickets } = await open();
  const ws = newWorkspace();
  await tickets.put(stored(ticketOf(ws, 1)), null);
  await tickets.put(stored(ticketOf(ws, 2)), null);
  const { db, table } = tables();
  const item = { pk: `T#${ws}`, sk: idAt(1), record: ticketOf(ws, 1), v: 1, o: [] };
  await db.send(new PutCommand({ TableName: table, Item: { ...item, ...spoiled } }));
  await expect(tickets.read(ws, idAt(1))).rejects.toThrow('a stored ticket cannot be read: no valid');
  const read = await tickets.readMany(ws, [idAt(1), idAt(2)]);
  expect(read.map(({ record }) => record.id)).toEqual([idAt(2)]);
  expect(unreadable.at(-1)).toMatchObject({ kind: 'ticket', workspaceId: ws, id: idAt(1) });
});
