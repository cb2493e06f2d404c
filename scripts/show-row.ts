// Prints one stored row as JSON, or its attributes and the problem where nobody can read it.
//
//   npm run show-row -- --merchant <id> --event-id <id>      a row of the server
//     --channel browser                                      of the browser
//     --archived <ingest id>                                 as it was before its id was taken again
//     --plain                                                with what is personal in an accepted, or an unreadable row
//   npm run show-row -- --merchant <id> --slot 2026-11-21T12:00Z [--grain minute|hour|day]       counters
//     --table <name>                                         default: EVENTS_TABLE, or ANALYTICS_TABLE of a slot
//
// Region, credentials and endpoint come from AWS_REGION, AWS_PROFILE, AWS_ENDPOINT_URL as everywhere. Reads only.
// Ends with 1 where there is no such row.
import { parseArgs } from 'node:util';
import { createDocumentClient } from '../lib/adapters/dynamodb/core/client.ts';
import { createCounterStore } from '../lib/adapters/dynamodb/events/counter-store.ts';
import { readRawRow } from '../lib/adapters/dynamodb/events/raw-row.ts';
import { printedRow } from './show-row/printed-row.ts';

const { values: options } = parseArgs({
  options: {
    merchant: { type: 'string' },
    'event-id': { type: 'string' },
    channel: { type: 'string', default: 'server' },
    archived: { type: 'string' },
    slot: { type: 'string' },
    grain: { type: 'string', default: 'minute' },
    table: { type: 'string' },
    plain: { type: 'boolean', default: false },
  },
});

const db = createDocumentClient();
try {
  const text = options.slot === undefined ? await eventText() : await slotText(options.slot);
  if (text === null) throw new Error('there is no such row');
  process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  db.destroy();
}

async function eventText(): Promise<string | null> {
  const raw = await readRawRow(db, given('table', options.table ?? process.env.EVENTS_TABLE), {
    merchantId: given('merchant', options.merchant),
    channel: oneOf('channel', options.channel, ['server', 'browser']),
    eventId: given('event-id', options['event-id']),
    ...(options.archived === undefined ? {} : { archivedAs: options.archived }),
  });
  return raw === null ? null : printedRow(raw, options.plain);
}

async function slotText(slot: string): Promise<string | null> {
  const startMs = Date.parse(slot);
  if (Number.isNaN(startMs)) throw new Error('--slot is an ISO time: 2026-11-21T12:00Z');
  const table = given('table', options.table ?? process.env.ANALYTICS_TABLE);
  const row = await createCounterStore(db, table).read({
    merchantId: given('merchant', options.merchant),
    grain: oneOf('grain', options.grain, ['minute', 'hour', 'day']),
    startMs,
  });
  return row === null ? null : JSON.stringify(row, null, 2);
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
