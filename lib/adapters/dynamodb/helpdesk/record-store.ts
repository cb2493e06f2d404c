// Records of one kind on DynamoDB. The layout is in helpdesk-item.ts. Guarantees: each change is one conditional write
// to one item; a writer whose answer was lost recognizes its own version; reads are consistent. Refuses: an unreadable
// item, with `UnreadableRecord`; reads of many report it and leave it out.

import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { DeclaredKind } from '#lib/core/record/define-kind.ts';
import { readBy } from '#lib/core/record/read-by-schema.ts';
import { formatAttribute, upgraded } from '#lib/core/record/stored-item.ts';
import type { DueKind } from '#lib/helpdesk/domain/account/due-kind.ts';
import { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { RecordStore } from '#lib/helpdesk/ports/stores.ts';
import {
  type Db,
  deleteItem,
  getItem,
  type Item,
  ifVersion,
  putItem,
  updateItem,
} from '../core/items/commands.ts';
import { dueEntry, parseDue } from '../core/items/due-index.ts';
import { readItems } from '../core/items/read-items.ts';
import { must, problemOf, valid } from '../core/items/unreadable.ts';
import { recordKey } from './helpdesk-item.ts';
import { packRecord, unpackRecord } from './record-codec.ts';

export interface Named {
  readonly id: string;
  readonly workspaceId: string;
}

/** Shards of the due index: a sweep reads each. */
export const DUE_SHARDS = 8;

export interface RecordKind<R> extends DeclaredKind {
  readonly kind: DueKind;
  readonly schema: z.ZodType<R>;
  /** Its index attributes: `lp`, `ls`, `wp`, `wa`; and `ex`, when it expires. */
  readonly places: (record: R) => Readonly<Record<string, string | number>>;
  /** For a record that is read part by part. */
  readonly codec?: RecordCodec<R>;
}

export interface RecordCodec<R> {
  /** Throws if it is not a record; returns the number of parts that could not be read. */
  readonly read: (value: unknown) => { readonly record: R; readonly unreadable: number };
  readonly written: (record: R) => object;
}

export function createRecordStore<R extends Named>(
  db: Db,
  table: string,
  recordKind: RecordKind<R>,
  quarantine: (found: UnreadableRecord) => void,
): RecordStore<R> {
  const { kind, places } = recordKind;
  const keyOf = ({ workspaceId, id }: Named) => recordKey(kind, workspaceId, id);
  const helpdesk = { db, table };
  const get = (key: Named): Promise<Item | undefined> => getItem(helpdesk, keyOf(key));

  return {
    async read(workspaceId, id) {
      const item = await get({ workspaceId, id });
      return item === undefined ? null : decode<R>(recordKind, { workspaceId, id }, item, quarantine);
    },

    async readMany(workspaceId, ids) {
      const keys = ids.map((id) => keyOf({ workspaceId, id }));
      const items = await readItems(db, table, keys, true);
      const byKey = new Map(items.map((item) => [String(item.sk), item]));
      return ids.flatMap((id) => {
        const item = byKey.get(keyOf({ workspaceId, id }).sk);
        if (item === undefined) return [];
        try {
          return [decode<R>(recordKind, { workspaceId, id }, item, quarantine)];
        } catch (error) {
          if (!(error instanceof UnreadableRecord)) throw error;
          quarantine(error);
          return [];
        }
      });
    },

    async put(stored, expected) {
      const nonce = randomUUID();
      const { record } = stored;
      const item = { ...encode(recordKind, stored), ...places(record), w: nonce };
      const isWritten = await putItem(helpdesk, item, ifVersion(expected));
      // An attempt whose answer was lost may have written it.
      return isWritten || (await get(record))?.w === nonce;
    },

    settle: (key, version, dueAtMs) => {
      const due = dueAttributes(kind, key, dueAtMs);
      return updateItem(helpdesk, keyOf(key), {
        update: due === null ? 'REMOVE o, dp, da' : 'SET dp = :dp, da = :da REMOVE o',
        condition: 'v = :version',
        values: { ':version': version, ...(due === null ? {} : { ':dp': due.dp, ':da': due.da }) },
      });
    },

    remove: (key, version) => deleteItem(helpdesk, keyOf(key), ifVersion(version)),
  };
}

export function dueAttributes(
  kind: DueKind,
  { workspaceId, id }: Named,
  dueAtMs: number | null,
): { readonly dp: string; readonly da: string } | null {
  return dueAtMs === null
    ? null
    : dueEntry({ merchantId: workspaceId }, `${kind}/${id}`, dueAtMs, DUE_SHARDS);
}

function encode<R extends Named>({ kind, codec, upgrades = [] }: RecordKind<R>, stored: Stored<R>): Item {
  const { record, version, outbox, dueAtMs, timerAtMs = null } = stored;
  return {
    ...recordKey(kind, record.workspaceId, record.id),
    ...formatAttribute({ upgrades }),
    ...packRecord(codec?.written(record) ?? record, outbox),
    v: version,
    ...(timerAtMs === null ? {} : { ta: timerAtMs }),
    ...dueAttributes(kind, record, dueAtMs),
  };
}

/** Throws `UnreadableRecord`. */
export function decode<R extends Named>(
  recordKind: Pick<RecordKind<R>, 'kind' | 'codec' | 'schema' | 'upgrades'>,
  key: Named,
  item: Readonly<Item>,
  quarantine: (found: UnreadableRecord) => void = () => {},
): Stored<R> {
  const { kind, codec, schema } = recordKind;
  try {
    const { record: stored, outbox } = unpackRecord(item);
    must(typeof stored === 'object' && stored !== null, 'record');
    const { value } = valid(upgraded(recordKind, item, stored), 'format');
    const { record, unreadable } = codec?.read(value) ?? { record: fitting(schema, value), unreadable: 0 };
    if (unreadable > 0) quarantine(new UnreadableRecord(kind, key, `${unreadable} parts of it`));
    must(record.id === key.id && record.workspaceId === key.workspaceId, 'key');
    must(typeof item.v === 'number', 'version');
    return {
      record,
      version: Number(item.v),
      outbox,
      dueAtMs: parseDue(item.da)?.atMs ?? null,
      ...(typeof item.ta === 'number' ? { timerAtMs: item.ta } : {}),
    };
  } catch (error) {
    throw new UnreadableRecord(kind, key, problemOf(error));
  }
}

/** Errors name the field that does not fit. */
function fitting<R>(schema: z.ZodType<R>, value: unknown): R {
  const found = readBy(schema, value);
  return valid(found.data, String(found.error?.issues[0]?.path[0] ?? 'record'));
}
