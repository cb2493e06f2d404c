// Records of one kind on DynamoDB. The layout is in helpdesk-item.ts. Guarantees: each change is one conditional write to one
// item; whoever wrote a version and lost the answer finds out that it was the one; reads are consistent.
// Refuses: an item that is none of ours, with `UnreadableRecord`; where many are read it is told and left out.
import { randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { DueKind } from '../../../helpdesk/domain/due-kind.ts';
import type { Stored } from '../../../helpdesk/domain/outbox.ts';
import { UnreadableRecord } from '../../../helpdesk/domain/unreadable-record.ts';
import type { RecordStore } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { dueEntry, parseDue } from '../core/due-index.ts';
import { readItems } from '../core/read-items.ts';
import { must, problemOf } from '../core/unreadable.ts';
import { recordKey } from './helpdesk-item.ts';
import { packRecord, unpackRecord } from './record-codec.ts';

type Item = Record<string, unknown>;

interface Named {
  readonly id: string;
  readonly workspaceId: string;
}

/** Shards of the due index: a sweep looks into each. */
export const DUE_SHARDS = 8;

export interface RecordKind<R> {
  readonly kind: DueKind;
  /** Where lists have it: `lp`, `ls`, `wp`, `wa`; and `ex`, when it expires. */
  readonly places: (record: R) => Readonly<Record<string, string | number>>;
}

export function createRecordStore<R extends Named>(
  db: DynamoDBDocumentClient,
  table: string,
  { kind, places }: RecordKind<R>,
  quarantine: (found: UnreadableRecord) => void,
): RecordStore<R> {
  const keyOf = ({ workspaceId, id }: Named) => recordKey(kind, workspaceId, id);
  const get = async (key: Named): Promise<Item | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: keyOf(key), ConsistentRead: true }))).Item;

  return {
    async read(workspaceId, id) {
      const item = await get({ workspaceId, id });
      return item === undefined ? null : decode<R>(kind, { workspaceId, id }, item);
    },

    async readMany(workspaceId, ids) {
      const keys = ids.map((id) => keyOf({ workspaceId, id }));
      const items = await readItems(db, table, keys, true);
      const byKey = new Map(items.map((item) => [String(item.sk), item]));
      return ids.flatMap((id) => {
        const item = byKey.get(keyOf({ workspaceId, id }).sk);
        if (item === undefined) return [];
        try {
          return [decode<R>(kind, { workspaceId, id }, item)];
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
      const written = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...encode(kind, stored), ...places(record), w: nonce },
            ...(expected === null
              ? { ConditionExpression: 'attribute_not_exists(pk)' }
              : { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': expected } }),
          }),
        ),
      );
      // The write may have been done by an attempt whose answer was lost.
      return written !== null || (await get(record))?.w === nonce;
    },

    async settle({ workspaceId, id }, version, dueAtMs) {
      const due = dueAttributes(kind, { workspaceId, id }, dueAtMs);
      const written = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: keyOf({ workspaceId, id }),
            UpdateExpression: due === null ? 'REMOVE o, dp, da' : 'SET dp = :dp, da = :da REMOVE o',
            ConditionExpression: 'v = :version',
            ExpressionAttributeValues: {
              ':version': version,
              ...(due === null ? {} : { ':dp': due.dp, ':da': due.da }),
            },
          }),
        ),
      );
      return written !== null;
    },

    async remove({ workspaceId, id }, version) {
      const removed = await conditional(
        db.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf({ workspaceId, id }),
            ConditionExpression: 'v = :version',
            ExpressionAttributeValues: { ':version': version },
          }),
        ),
      );
      return removed !== null;
    },
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

function encode<R extends Named>(kind: DueKind, stored: Stored<R>): Item {
  const { record, version, outbox, dueAtMs, timerAtMs = null } = stored;
  return {
    ...recordKey(kind, record.workspaceId, record.id),
    ...packRecord(record, outbox),
    v: version,
    ...(timerAtMs === null ? {} : { ta: timerAtMs }),
    ...dueAttributes(kind, record, dueAtMs),
  };
}

/** Throws `UnreadableRecord`. */
export function decode<R extends Named>(kind: DueKind, key: Named, item: Item): Stored<R> {
  try {
    const { record: value, outbox } = unpackRecord(item);
    const record = value as R;
    must(typeof record === 'object' && record !== null, 'record');
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
