// `npm run show-row` against a table with golden items in it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseItemKey } from '#lib/adapters/dynamodb/events/rows/event-item.ts';
import { readAnyItem } from '#lib/adapters/dynamodb/helpdesk/any-item.ts';
import type { TableName } from '#lib/core/record/define-kind.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { printedHelpdeskRow } from '#scripts/show-row/printed-row.ts';
import { type EmulatedTable, openTables } from '../stores/emulated-table.ts';
import { goldenFiles } from './golden-files.ts';
import { ACCEPTED, COUNTER_SAMPLES, OUTCOME_SAMPLES } from './samples.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/show-row.ts', import.meta.url));
let events: EmulatedTable;
let analytics: EmulatedTable;
let batches: EmulatedTable;
beforeAll(async () => {
  const opened = await openTables(['events', 'analytics', 'batches'], 'any');
  const at = (table: TableName): EmulatedTable => ({ ...opened, table: opened.nameOf(table) });
  [events, analytics, batches] = [at('events'), at('analytics'), at('batches')];
});
afterAll(() => events.close());

async function put(
  { db, table }: EmulatedTable,
  kind: 'events' | 'counters' | 'batches' | 'helpdesk',
  name: string,
) {
  const golden = goldenFiles(kind).find((entry) => entry.name === name);
  if (golden === undefined) throw new Error(`no golden item ${name}`);
  await db.send(new PutCommand({ TableName: table, Item: golden.item }));
  return golden;
}

async function show({ db, table }: EmulatedTable, ...args: string[]): Promise<string> {
  const endpoint = await db.config.endpoint?.();
  if (endpoint === undefined) throw new Error('the table has no endpoint');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [SCRIPT, '--table', table, '--merchant', ACCEPTED.key.merchantId, ...args],
    {
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: `${endpoint.protocol}//${endpoint.hostname}:${endpoint.port}`,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
      },
    },
  );
  return stdout;
}

const ID = ['--event-id', ACCEPTED.key.eventId];
const PERSONAL = /example\.com|650 555|203\.0\.113|Zoë|thank-you|Chrome|1098115397|deep/;

it('prints a normalized row, its personal part still sealed', async () => {
  const { reads } = await put(events, 'events', 'deliveries-every-state-due-by-group');
  const text = await show(events, ...ID);
  expect(JSON.parse(text)).toEqual(reads);
});

it('prints an accepted row without what is personal, unless that is asked for', async () => {
  const { reads } = await put(events, 'events', 'accepted');
  const text = await show(events, ...ID);
  expect(text).not.toMatch(PERSONAL);
  expect(JSON.parse(text)).toMatchObject({
    state: 'accepted',
    body: { event_name: 'Purchase', user_data: '***' },
  });
  expect(JSON.parse(await show(events, ...ID, '--plain'))).toEqual(reads);
});

it('prints the attributes of a row that nobody can read, and why', async () => {
  const { item } = await put(events, 'events', 'normalized-of-8edfb04');
  const masked = JSON.parse(await show(events, ...ID));
  expect(masked).toMatchObject({
    problem: 'unknown encoding 1 of a normalized event: its personal part is not sealed',
    attributes: { st: 'N', rv: 3, b: { masked: 'bytes', firstByte: 1 } },
  });
  const b = Buffer.from(item.b as Uint8Array).toString('base64');
  expect(JSON.stringify(masked)).not.toContain(b.slice(8, 40));
  expect(JSON.parse(await show(events, ...ID, '--plain'))).toMatchObject({ attributes: { b } });
});

it('finds rows of the browser, archived ones and counters', async () => {
  const held = await put(events, 'events', 'held-browser-due-by-group');
  expect(JSON.parse(await show(events, ...ID, '--channel', 'browser'))).toEqual(held.reads);
  const archived = await put(events, 'events', 'archived');
  const { archivedAs = '' } = parseItemKey(archived.item);
  expect(JSON.parse(await show(events, ...ID, '--archived', archivedAs))).toEqual(archived.reads);
  const slot = await put(analytics, 'counters', 'minute-due-in-32-shards-with-credits-in-iso-digits');
  const startMs = COUNTER_SAMPLES['minute-due-in-32-shards-with-credits-in-iso-digits']?.key.startMs ?? 0;
  const text = await show(analytics, '--slot', new Date(startMs).toISOString());
  expect(JSON.parse(text)).toEqual(slot.reads);
});

it('prints a row of a batch with what became of it, and says why where that cannot be read', async () => {
  const { reads } = await put(events, 'events', 'normalized-in-batch');
  const batchesTable = ['--batches-table', batches.table];
  expect(JSON.parse(await show(events, ...ID, ...batchesTable))).toEqual(reads);
  const outcomes = await put(batches, 'batches', 'outcomes-over');
  const joined = JSON.parse(await show(events, ...ID, ...batchesTable));
  expect(joined).toEqual({
    ...(reads as object),
    deliveries: { meta: OUTCOME_SAMPLES['outcomes-over']?.groups[0]?.delivery },
  });
  const broken = { ...outcomes.item, g: new Uint8Array([250, 1, 2, 3]) };
  await batches.db.send(new PutCommand({ TableName: batches.table, Item: broken }));
  expect(JSON.parse(await show(events, ...ID, ...batchesTable))).toEqual({
    problem: 'what became of it at meta: unknown encoding 250',
    row: reads,
  });
  await expect(show(events, ...ID)).rejects.toMatchObject({ stderr: '--batches-table is missing\n' });
});

it('prints the items of a batch, or the attributes of one that nobody can read', async () => {
  const { batch } = OUTCOME_SAMPLES['outcomes-over'] ?? {};
  if (batch === undefined) throw new Error('no sample');
  const minute = ['--minute', new Date(batch.minuteMs + 1).toISOString(), '--batch', batch.id];
  const manifest = await put(batches, 'batches', 'manifest');
  expect(JSON.parse(await show(batches, ...minute))).toEqual(manifest.reads);
  const outcomes = await put(batches, 'batches', 'outcomes-every-state');
  const there = [...minute, '--shard', '40', '--platform', 'google_ads'];
  expect(JSON.parse(await show(batches, ...there))).toEqual(outcomes.reads);
  const g = new Uint8Array([250, 1, 2, 3]);
  await batches.db.send(new PutCommand({ TableName: batches.table, Item: { ...outcomes.item, g } }));
  expect(JSON.parse(await show(batches, ...there))).toMatchObject({
    problem: 'unknown encoding 250',
    attributes: { v: 5, g: { masked: 'bytes', firstByte: 250 } },
  });
  await expect(show(batches, ...there, '--shard', 'x')).rejects.toMatchObject({
    stderr: '--shard is a number from 0\n',
  });
  await expect(show(batches, ...minute, '--shard', '1')).rejects.toMatchObject({
    stderr: 'there is no such row\n',
  });
});

it('says what is missing, and that there is no such row', async () => {
  await expect(show(events, '--event-id', 'nobody')).rejects.toMatchObject({
    code: 1,
    stderr: 'there is no such row\n',
  });
  await expect(show(events)).rejects.toMatchObject({ stderr: '--event-id is missing\n' });
  await expect(show(events, ...ID, '--channel', 'x')).rejects.toMatchObject({
    stderr: '--channel is one of server, browser\n',
  });
});

describe('a row of the helpdesk', () => {
  const WRITTEN = /\bada\b|lovelace|päckchen|(my|an) order|30 days|203\.0\.113|7946|@/i;

  it.each(goldenFiles('helpdesk').map((golden) => [golden.name, golden] as const))(
    '%s is printed as it is read, without what people wrote unless asked for',
    (_, { item, reads }) => {
      const found = { item, ...readAnyItem(item) };
      const text = printedHelpdeskRow(found, false);
      expect(JSON.parse(text)).toMatchObject({ what: found.what });
      expect(text).not.toMatch(WRITTEN);
      expect(JSON.parse(printedHelpdeskRow(found, true))).toMatchObject(reads as object);
    },
  );

  it('is found by its key, or by its kind and id, and shown by its attributes where nobody can read it', async () => {
    const { item, reads } = await put(events, 'helpdesk', 'message');
    const key = ['--pk', String(item.pk), '--sk', String(item.sk), '--plain'];
    expect(JSON.parse(await show(events, ...key))).toMatchObject(reads as object);
    const ticket = await put(events, 'helpdesk', 'ticket');
    const { workspaceId, id } = (ticket.reads as { read: { record: Ticket } }).read.record;
    const wanted = ['--merchant', workspaceId, '--record', 'ticket', '--id', id];
    expect(JSON.parse(await show(events, ...wanted))).toMatchObject({ what: 'ticket', read: { version: 1 } });
    const b = new Uint8Array([9, 1, 2]);
    await events.db.send(new PutCommand({ TableName: events.table, Item: { ...ticket.item, b } }));
    expect(JSON.parse(await show(events, ...wanted))).toMatchObject({
      what: 'ticket',
      problem: 'a stored ticket cannot be read: unknown encoding 9',
    });
    await expect(show(events, '--record', 'nothing')).rejects.toMatchObject({
      stderr: expect.stringContaining('--record is one of ticket, contact'),
    });
  });
});
