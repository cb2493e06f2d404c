// Prints one stored row as JSON, or its attributes and the problem where nobody can read it.
//
//   npm run show-row -- --merchant <id> --event-id <id>      a row of the server
//     --channel browser                                      of the browser
//     --archived <ingest id>                                 as it was before its id was taken again
//     --batches-table <name>                                 default: BATCHES_TABLE; for what became of a row of a batch
//     --plain                                                with what is personal in an accepted, or an unreadable row
//   npm run show-row -- --merchant <id> --slot 2026-11-21T12:00Z [--grain minute|hour|day]       counters
//   npm run show-row -- --merchant <id> --batch <id> --minute 2026-11-21T12:00Z [--shard <n>]    the manifest of a batch
//     --platform <slug>                                      instead: what became of its rows there
//     --table <name>                                         default: EVENTS_TABLE, ANALYTICS_TABLE of a slot, BATCHES_TABLE
//   npm run show-row -- --merchant <id> --record ticket --id <id>      a record of the helpdesk: contact, article, run, delivery,
//                                                          mail, job, account, webhooks
//   npm run show-row -- --pk <partition> --sk <sort key>   any row of the helpdesk; keys are in helpdesk-item.ts
//     --table <name>                                       default: HELPDESK_TABLE
//     --plain                                              with what customers and agents wrote
//
// Region, credentials and endpoint come from AWS_REGION, AWS_PROFILE, AWS_ENDPOINT_URL as everywhere. Reads only.
// Ends with 1 where there is no such row.
import { parseArgs } from 'node:util';
import { createDocumentClient } from '../lib/adapters/dynamodb/core/client.ts';
import { readRawBatchItem } from '../lib/adapters/dynamodb/events/batches/raw-item.ts';
import { createBatchStore } from '../lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '../lib/adapters/dynamodb/events/counter-store.ts';
import { readRawRow } from '../lib/adapters/dynamodb/events/rows/raw-row.ts';
import { readAnyItemAt } from '../lib/adapters/dynamodb/helpdesk/any-item.ts';
import { isOfWorkspace, recordKey } from '../lib/adapters/dynamodb/helpdesk/helpdesk-item.ts';
import { minuteOf } from '../lib/core/work/time-slot.ts';
import { joinOutcomes } from '../lib/events/pipeline/outcomes-of-batches.ts';
import { DUE_KINDS, type DueKind } from '../lib/helpdesk/domain/account/due-kind.ts';
import { printedBatchItem, printedHelpdeskRow, printedRow } from './show-row/printed-row.ts';

const { values: options } = parseArgs({
  options: {
    merchant: { type: 'string' },
    'event-id': { type: 'string' },
    channel: { type: 'string', default: 'server' },
    archived: { type: 'string' },
    slot: { type: 'string' },
    grain: { type: 'string', default: 'minute' },
    batch: { type: 'string' },
    minute: { type: 'string' },
    shard: { type: 'string', default: '0' },
    platform: { type: 'string' },
    record: { type: 'string' },
    id: { type: 'string' },
    pk: { type: 'string' },
    sk: { type: 'string' },
    'batches-table': { type: 'string' },
    table: { type: 'string' },
    plain: { type: 'boolean', default: false },
  },
});

const db = createDocumentClient();
try {
  const text = await wantedText();
  if (text === null) throw new Error('there is no such row');
  process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  db.destroy();
}

function wantedText(): Promise<string | null> {
  if (options.record !== undefined || options.pk !== undefined) return helpdeskText();
  if (options.batch !== undefined) return batchText(options.batch);
  return options.slot === undefined ? eventText() : slotText(options.slot);
}

async function eventText(): Promise<string | null> {
  const raw = await readRawRow(db, given('table', options.table ?? process.env.EVENTS_TABLE), {
    merchantId: given('merchant', options.merchant),
    channel: oneOf('channel', options.channel, ['server', 'browser']),
    eventId: given('event-id', options['event-id']),
    ...(options.archived === undefined ? {} : { archivedAs: options.archived }),
  });
  if (raw === null) return null;
  const { row } = raw;
  if (row?.state !== 'normalized' || row.place === undefined) return printedRow(raw, options.plain);
  const table = given('batches-table', options['batches-table'] ?? process.env.BATCHES_TABLE);
  const joined = await joinOutcomes([row], createBatchStore(db, table), 'strong');
  return printedRow({ ...raw, row: joined.rows[0] ?? row }, options.plain, joined.unreadable[0]?.problem);
}

async function helpdeskText(): Promise<string | null> {
  const { record, pk } = options;
  const key =
    record === undefined
      ? { pk: given('pk', pk), sk: given('sk', options.sk) }
      : helpdeskKey(oneOf('record', record, DUE_KINDS));
  const table = given('table', options.table ?? process.env.HELPDESK_TABLE);
  const found = await readAnyItemAt(db, table, key);
  return found === null ? null : printedHelpdeskRow(found, options.plain);
}

function helpdeskKey(kind: DueKind) {
  const workspaceId = given('merchant', options.merchant);
  return recordKey(kind, workspaceId, isOfWorkspace(kind) ? workspaceId : given('id', options.id));
}

async function batchText(id: string): Promise<string | null> {
  const shard = Number(options.shard);
  if (!Number.isSafeInteger(shard) || shard < 0) throw new Error('--shard is a number from 0');
  const raw = await readRawBatchItem(
    db,
    given('table', options.table ?? process.env.BATCHES_TABLE),
    {
      merchantId: given('merchant', options.merchant),
      minuteMs: minuteOf(timeOf('minute', given('minute', options.minute))),
      shard,
      id,
    },
    options.platform,
  );
  return raw === null ? null : printedBatchItem(raw, options.plain);
}

async function slotText(slot: string): Promise<string | null> {
  const startMs = timeOf('slot', slot);
  const table = given('table', options.table ?? process.env.ANALYTICS_TABLE);
  const row = await createCounterStore(db, table).read({
    merchantId: given('merchant', options.merchant),
    grain: oneOf('grain', options.grain, ['minute', 'hour', 'day']),
    startMs,
  });
  return row === null ? null : JSON.stringify(row, null, 2);
}

function timeOf(name: string, text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new Error(`--${name} is an ISO time: 2026-11-21T12:00Z`);
  return atMs;
}

function given(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new Error(`--${name} is missing`);
  return value;
}

function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new Error(`--${name} is one of ${words.join(', ')}`);
  return found;
}
