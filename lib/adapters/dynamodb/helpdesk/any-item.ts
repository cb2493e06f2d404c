// Any item of the helpdesk's tables as the code reads it: for a person who has to find out what is stored, and for the test that
// holds stored formats to what they mean. Refuses nothing: of what it cannot read it says why.
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { problemOf } from '../core/unreadable.ts';
import { auditEntryIn } from './audit-trail.ts';
import { type ItemKey, parseRecordKey } from './helpdesk-item.ts';
import { messageIn } from './message-store.ts';
import { mustBeKnown } from './record-codec.ts';
import { decode } from './record-store.ts';

type Item = Readonly<Record<string, unknown>>;

export interface ReadItem {
  /** `ticket`, `message`, `audit`, `token` …; null where no release wrote such a key. */
  readonly what: string | null;
  readonly read?: unknown;
  readonly problem?: string;
}

/** Letters before the first `#` of a partition, of what is no record. */
const OTHERS: Readonly<Record<string, { readonly what: string; readonly read: (item: Item) => unknown }>> = {
  MSG: { what: 'message', read: messageIn },
  RT: { what: 'run of a ticket', read: ({ sk }) => ({ runId: sk }) },
  CT: { what: 'ticket of a contact', read: ({ sk }) => ({ ticketId: sk }) },
  H: { what: 'health of a webhook', read: ({ h }) => h },
  U: { what: 'slug', read: ({ sk, by }) => ({ slug: sk, articleId: by }) },
  X: { what: 'thread of a mail', read: ({ t }) => ({ ticketId: t }) },
  S: { what: 'token', read: tokenIn },
  W: { what: 'number of tickets', read: ({ n }) => ({ last: n }) },
};

export function readAnyItem(item: Item): ReadItem {
  const record = parseRecordKey(item);
  const found = record === null ? otherOf(item) : null;
  const what = record?.kind ?? found?.what ?? null;
  try {
    if (record !== null) return { what, read: decode(record.kind, record, { ...item }) };
    if (found === null) return { what, problem: 'no kind has such a key' };
    mustBeKnown(item);
    return { what, read: found.read(item) };
  } catch (error) {
    return { what, problem: error instanceof Error ? error.message : problemOf(error) };
  }
}

/** Consistent read; null where there is no such item. */
export async function readAnyItemAt(
  db: DynamoDBDocumentClient,
  table: string,
  Key: ItemKey,
): Promise<(ReadItem & { readonly item: Item }) | null> {
  const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return item === undefined ? null : { item, ...readAnyItem(item) };
}

function otherOf(item: Item): { readonly what: string; readonly read: (item: Item) => unknown } | null {
  // Partitions of the audit log are workspaces.
  if (item.e !== undefined) return { what: 'audit', read: auditEntryIn };
  const letters = String(item.pk).split('#')[0] ?? '';
  return Object.hasOwn(OTHERS, letters) ? (OTHERS[letters] ?? null) : null;
}

function tokenIn({ sk, v, x }: Item): unknown {
  const text = String(sk);
  const at = text.lastIndexOf(' ');
  return { token: text.slice(0, at), recordId: text.slice(at + 1), version: v, isThere: x !== true };
}
