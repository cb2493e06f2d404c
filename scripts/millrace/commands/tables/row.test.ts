// The command against tables with golden items in them.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseItemKey } from '#lib/adapters/dynamodb/events/rows/event-item.ts';
import { readAnyItem } from '#lib/adapters/dynamodb/helpdesk/any-item.ts';
import type { TableName } from '#lib/core/record/define-kind.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { COUNTER_SAMPLES } from '#test/conformance/formats/counter-samples.ts';
import { goldenFiles } from '#test/conformance/formats/golden-files.ts';
import { ACCEPTED, OUTCOME_SAMPLES } from '#test/conformance/formats/samples.ts';
import { EMULATOR_ENV, type EmulatedTable, openTables } from '#test/conformance/stores/emulated-table.ts';
import { DEPLOYMENT, openTerminal } from '#test/support/terminal.ts';
import { printedHelpdeskRow } from './printed-row.ts';

let events: EmulatedTable;
let analytics: EmulatedTable;
let batches: EmulatedTable;
beforeAll(async () => {
  const opened = await openTables(['events', 'analytics', 'batches'], 'any');
  const at = (table: TableName): EmulatedTable => ({ ...opened, table: opened.nameOf(table) });
  [events, analytics, batches] = [at('events'), at('analytics'), at('batches')];
});
beforeEach(() => {
  noted.length = 0;
  for (const [name, value] of Object.entries({ ...EMULATOR_ENV, AWS_ENDPOINT_URL: events.endpoint }))
    vi.stubEnv(name, value);
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

/** What the function was asked to write down, which is all that it may be asked. */
const noted: unknown[] = [];
let refuses = false;
const ask: Parameters<typeof openTerminal>[0]['ask'] = async <Body>(body: unknown, { path = '' } = {}) => {
  if (path !== 'merchants/row') throw new Error('asked');
  if (refuses) return { status: 500, body: { error: 'not now' } as Body };
  noted.push(JSON.parse(String(body)));
  return { status: 200, body: { success: true, noted: true } as Body };
};
/** In the tables of the deployment; records of the helpdesk lie beside events here. */
async function run(...args: readonly string[]) {
  const [config, helpdesk] = [events.table, events.table];
  const tables = {
    config,
    helpdesk,
    events: events.table,
    analytics: analytics.table,
    batches: batches.table,
  };
  const find = async () => ({ ...DEPLOYMENT, tables });
  return await openTerminal({ ask }, undefined, { find })('row', ...args);
}
async function show(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run('--merchant', ACCEPTED.key.merchantId, ...args);
  expect([code, err]).toEqual([0, '']);
  return out;
}
const refusal = async (...args: readonly string[]) => {
  const { code, err } = await run('--merchant', ACCEPTED.key.merchantId, ...args);
  return [code, err];
};

const ID = ['--event-id', ACCEPTED.key.eventId];
const PERSONAL = /example\.com|650 555|203\.0\.113|Zoë|thank-you|Chrome|1098115397|deep/;

it('prints a normalized row, its personal part still sealed', async () => {
  const { reads } = await put(events, 'events', 'deliveries-every-state-due-by-group');
  const text = await show(...ID);
  expect(JSON.parse(text)).toEqual(reads);
});

it('prints an accepted row without what is personal, unless that is asked for', async () => {
  const { reads } = await put(events, 'events', 'accepted');
  const text = await show(...ID);
  expect(text).not.toMatch(PERSONAL);
  expect(JSON.parse(text)).toMatchObject({
    state: 'accepted',
    body: { event_name: 'Purchase', user_data: '***' },
  });
  expect(noted).toEqual([]);
  expect(JSON.parse(await show(...ID, '--plain'))).toEqual(reads);
  expect(noted).toEqual([{ merchant: ACCEPTED.key.merchantId, row: `event-id ${ACCEPTED.key.eventId}` }]);
});

it('prints nothing personal that the audit log has no entry of', async () => {
  await put(events, 'events', 'accepted');
  refuses = true;
  expect(await run('--merchant', ACCEPTED.key.merchantId, ...ID, '--plain')).toMatchObject({
    ...{ code: 1, out: '', err: expect.stringContaining('not now') },
  });
  refuses = false;
  await refusal('--event-id', 'nobody', '--plain');
  expect(noted).toEqual([]);
  expect((await run('--pk', 'T#x', '--sk', 'y', '--plain')).err).toMatch(/^--plain takes --merchant/);
  const other = ['--pk', `T#x${ACCEPTED.key.merchantId}`, '--sk', 'y', '--plain'];
  expect(await refusal(...other)).toEqual([2, '--pk is of another merchant than --merchant.\n']);
});

it('prints the attributes of a row that nobody can read, and why', async () => {
  const { item } = await put(events, 'events', 'normalized-of-8edfb04');
  const masked = JSON.parse(await show(...ID));
  expect(masked).toMatchObject({
    problem: 'unknown encoding 1 of a normalized event: its personal part is not sealed',
    attributes: { st: 'N', rv: 3, b: { masked: 'bytes', firstByte: 1 } },
  });
  const b = Buffer.from(item.b as Uint8Array).toString('base64');
  expect(JSON.stringify(masked)).not.toContain(b.slice(8, 40));
  expect(JSON.parse(await show(...ID, '--plain'))).toMatchObject({ attributes: { b } });
});

it('finds rows of the browser, archived ones and counters', async () => {
  const held = await put(events, 'events', 'held-browser-due-by-group');
  expect(JSON.parse(await show(...ID, '--channel', 'browser'))).toEqual(held.reads);
  const archived = await put(events, 'events', 'archived');
  const { archivedAs = '' } = parseItemKey(archived.item);
  expect(JSON.parse(await show(...ID, '--archived', archivedAs))).toEqual(archived.reads);
  const slot = await put(analytics, 'counters', 'minute-due-in-32-shards-with-credits-in-iso-digits');
  const startMs = COUNTER_SAMPLES['minute-due-in-32-shards-with-credits-in-iso-digits']?.key.startMs ?? 0;
  const text = await show('--slot', new Date(startMs).toISOString());
  expect(JSON.parse(text)).toEqual(slot.reads);
});

it('prints a row of a batch with what became of it, and says why where that cannot be read', async () => {
  const { reads } = await put(events, 'events', 'normalized-in-batch');
  expect(JSON.parse(await show(...ID))).toEqual(reads);
  const outcomes = await put(batches, 'batches', 'outcomes-over');
  const joined = JSON.parse(await show(...ID));
  expect(joined).toEqual({
    ...(reads as object),
    deliveries: { meta: OUTCOME_SAMPLES['outcomes-over']?.groups[0]?.delivery },
  });
  const broken = { ...outcomes.item, g: new Uint8Array([250, 1, 2, 3]) };
  await batches.db.send(new PutCommand({ TableName: batches.table, Item: broken }));
  expect(JSON.parse(await show(...ID))).toEqual({
    problem: 'what became of it at meta: unknown encoding 250',
    row: reads,
  });
});

it('prints the items of a batch, or the attributes of one that nobody can read', async () => {
  const { batch } = OUTCOME_SAMPLES['outcomes-over'] ?? {};
  if (batch === undefined) throw new Error('no sample');
  const minute = ['--minute', new Date(batch.minuteMs + 1).toISOString(), '--batch', batch.id];
  const manifest = await put(batches, 'batches', 'manifest');
  expect(JSON.parse(await show(...minute))).toEqual(manifest.reads);
  const outcomes = await put(batches, 'batches', 'outcomes-every-state');
  const there = [...minute, '--shard', '40', '--platform', 'google_ads'];
  expect(JSON.parse(await show(...there))).toEqual(outcomes.reads);
  const g = new Uint8Array([250, 1, 2, 3]);
  await batches.db.send(new PutCommand({ TableName: batches.table, Item: { ...outcomes.item, g } }));
  expect(JSON.parse(await show(...there))).toMatchObject({
    problem: 'unknown encoding 250',
    attributes: { v: 5, g: { masked: 'bytes', firstByte: 250 } },
  });
  expect(await refusal(...there, '--shard', 'x')).toEqual([2, '--shard is a number from 0.\n']);
  expect(await refusal(...minute, '--shard', '1')).toEqual([1, 'There is no such row.\n']);
});

it('says what is missing, and that there is no such row', async () => {
  expect(await refusal('--event-id', 'nobody')).toEqual([1, 'There is no such row.\n']);
  expect(await refusal()).toEqual([2, '--event-id is missing.\n']);
  expect(await refusal(...ID, '--channel', 'x')).toEqual([2, '--channel is one of server, browser.\n']);
  expect(await refusal('--table', 'restored', '--slot', 'noon')).toEqual([
    2,
    '--slot is an ISO time: 2026-11-21T12:00Z.\n',
  ]);
  const named = await run('--merchant', 'My Shop', ...ID);
  expect([named.code, named.err]).toEqual([1, expect.stringContaining('asked')]);
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
    const owner = String(item.pk).split('#')[1] ?? '';
    const key = ['--merchant', owner, '--pk', String(item.pk), '--sk', String(item.sk), '--plain'];
    expect(JSON.parse(await show(...key))).toMatchObject(reads as object);
    const ticket = await put(events, 'helpdesk', 'ticket');
    const { workspaceId, id } = (ticket.reads as { read: { record: Ticket } }).read.record;
    const wanted = ['--merchant', workspaceId, '--record', 'ticket', '--id', id];
    expect(JSON.parse(await show(...wanted))).toMatchObject({ what: 'ticket', read: { version: 1 } });
    const b = new Uint8Array([9, 1, 2]);
    await events.db.send(new PutCommand({ TableName: events.table, Item: { ...ticket.item, b } }));
    expect(JSON.parse(await show(...wanted))).toMatchObject({
      what: 'ticket',
      problem: 'a stored ticket cannot be read: unknown encoding 9',
    });
    expect(await refusal('--record', 'nothing')).toEqual([
      2,
      expect.stringContaining('--record is one of ticket, contact'),
    ]);
  });
});
