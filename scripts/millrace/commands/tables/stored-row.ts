// One stored row as JSON, or its attributes and the problem where it cannot be read. Reads only.
import type { Db } from '#lib/adapters/dynamodb/core/items/commands.ts';
import { readRawBatchItem } from '#lib/adapters/dynamodb/events/batches/raw-item.ts';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { readRawRow } from '#lib/adapters/dynamodb/events/rows/raw-row.ts';
import { readAnyItemAt } from '#lib/adapters/dynamodb/helpdesk/any-item.ts';
import { isOfWorkspace, recordKey } from '#lib/adapters/dynamodb/helpdesk/helpdesk-item.ts';
import { minuteOf } from '#lib/core/work/time-slot.ts';
import { joinOutcomes } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { DUE_KINDS, type DueKind } from '#lib/helpdesk/domain/account/due-kind.ts';
import { UsageProblem } from '../../command.ts';
import type { Deployment } from '../../deployment.ts';
import { printedBatchItem, printedHelpdeskRow, printedRow } from './printed-row.ts';

type Tables = Deployment['tables'];
/** As the command line has them. */
export type RowOptions = Readonly<Record<string, string | boolean | undefined>> & {
  readonly [Name in
    | 'batch'
    | 'pk'
    | 'record'
    | 'slot'
    | 'sk'
    | 'table'
    | 'merchant'
    | 'event-id'
    | 'channel'
    | 'archived'
    | 'grain'
    | 'minute'
    | 'shard'
    | 'platform'
    | 'id']?: string;
};

interface Reading {
  readonly options: RowOptions;
  readonly tables: Tables;
  readonly db: Db;
}

const isPlain = ({ plain }: RowOptions): boolean => plain === true;

/** `--table` is another one of the same kind: one that was restored. */
function tableOf(kind: string, { table }: RowOptions, tables: Tables): string {
  const name = table ?? tables[kind];
  if (name === undefined)
    throw new UsageProblem(`This deployment has no table of ${kind}: say which with --table.`);
  return name;
}

/** Null where there is no such row. Throws `UsageProblem`. */
export function textOfRow(options: RowOptions, tables: Tables, db: Db): Promise<string | null> {
  const reading = { options, tables, db };
  if (options.record !== undefined || options.pk !== undefined) return helpdeskText(reading);
  if (options.batch !== undefined) return batchText(options.batch, reading);
  return options.slot === undefined ? eventText(reading) : slotText(options.slot, reading);
}

async function eventText({ options, tables, db }: Reading): Promise<string | null> {
  const raw = await readRawRow(db, tableOf('events', options, tables), {
    merchantId: given('merchant', options.merchant),
    channel: oneOf('channel', options.channel ?? 'server', ['server', 'browser']),
    eventId: given('event-id', options['event-id']),
    ...(options.archived === undefined ? {} : { archivedAs: options.archived }),
  });
  if (raw === null) return null;
  const { row } = raw;
  if (row?.state !== 'normalized' || row.place === undefined) return printedRow(raw, isPlain(options));
  const table = tableOf('batches', {}, tables);
  const joined = await joinOutcomes([row], createBatchStore(db, table), 'strong');
  return printedRow({ ...raw, row: joined.rows[0] ?? row }, isPlain(options), joined.unreadable[0]?.problem);
}

async function helpdeskText({ options, tables, db }: Reading): Promise<string | null> {
  const { record, pk } = options;
  const key =
    record === undefined
      ? { pk: given('pk', pk), sk: given('sk', options.sk) }
      : helpdeskKey(oneOf('record', record, DUE_KINDS), options);
  const table = tableOf('helpdesk', options, tables);
  const found = await readAnyItemAt(db, table, key);
  return found === null ? null : printedHelpdeskRow(found, isPlain(options));
}

function helpdeskKey(kind: DueKind, options: RowOptions) {
  const workspaceId = given('merchant', options.merchant);
  return recordKey(kind, workspaceId, isOfWorkspace(kind) ? workspaceId : given('id', options.id));
}

async function batchText(id: string, { options, tables, db }: Reading): Promise<string | null> {
  const shard = Number(options.shard ?? '0');
  if (!Number.isSafeInteger(shard) || shard < 0) throw new UsageProblem('--shard is a number from 0.');
  const raw = await readRawBatchItem(
    db,
    tableOf('batches', options, tables),
    {
      merchantId: given('merchant', options.merchant),
      minuteMs: minuteOf(timeOf('minute', given('minute', options.minute))),
      shard,
      id,
    },
    options.platform,
  );
  return raw === null ? null : printedBatchItem(raw, isPlain(options));
}

async function slotText(slot: string, { options, tables, db }: Reading): Promise<string | null> {
  const startMs = timeOf('slot', slot);
  const table = tableOf('analytics', options, tables);
  const row = await createCounterStore(db, table).read({
    merchantId: given('merchant', options.merchant),
    grain: oneOf('grain', options.grain ?? 'minute', ['minute', 'hour', 'day']),
    startMs,
  });
  return row === null ? null : JSON.stringify(row, null, 2);
}

function timeOf(name: string, text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new UsageProblem(`--${name} is an ISO time: 2026-11-21T12:00Z.`);
  return atMs;
}

function given(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageProblem(`--${name} is missing.`);
  return value;
}

function oneOf<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new UsageProblem(`--${name} is one of ${words.join(', ')}.`);
  return found;
}
