// `npm run show-row` against a table with golden items in it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseItemKey } from '../../../lib/adapters/dynamodb/events/event-item.ts';
import { type EmulatedTable, openTable } from '../stores/emulated-table.ts';
import { goldenFiles } from './golden-files.ts';
import { ACCEPTED, COUNTER_SAMPLES } from './samples.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/show-row.ts', import.meta.url));
let events: EmulatedTable;
let analytics: EmulatedTable;
beforeAll(async () => {
  [events, analytics] = await Promise.all([openTable('events'), openTable('analytics')]);
});
afterAll(() => Promise.all([events.close(), analytics.close()]));

async function put({ db, table }: EmulatedTable, kind: 'events' | 'counters', name: string) {
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
  const { reads } = await put(events, 'events', 'deliveries-every-state');
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
  const held = await put(events, 'events', 'held-browser');
  expect(JSON.parse(await show(events, ...ID, '--channel', 'browser'))).toEqual(held.reads);
  const archived = await put(events, 'events', 'archived');
  const { archivedAs = '' } = parseItemKey(archived.item);
  expect(JSON.parse(await show(events, ...ID, '--archived', archivedAs))).toEqual(archived.reads);
  const slot = await put(analytics, 'counters', 'minute');
  const startMs = COUNTER_SAMPLES.minute?.key.startMs ?? 0;
  const text = await show(analytics, '--slot', new Date(startMs).toISOString());
  expect(JSON.parse(text)).toEqual(slot.reads);
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
