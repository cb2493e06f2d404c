// Items of the tables of the helpdesk. The workspace is in every key; the kind comes first, so that a permission can
// name it.
// Table helpdesk:
//   pk T#<ws>            sk <ticket>      a ticket                      lists T#<ws>#<state> / id, waiting likewise / since#id
//   pk C#<ws>            sk <contact>     a contact                     lists C#<ws> / created#id
//   pk A#<ws>            sk <article>     an article                    lists A#<ws>#<status> / id
//   pk R#<ws>            sk <run>         a run                         lists R#<ws>#<status> / id
//   pk D#<ws>            sk <delivery>    a delivery, kept 30 days      lists D#<ws>#<webhook> / id
//   pk E#<ws>            sk <message>     a mail on its way out
//   pk J#<ws>            sk <job>         a job in steps
//   pk W#<ws>            sk ACCOUNT       the account
//   pk W#<ws>            sk WEBHOOKS      all webhooks
//   pk W#<ws>            sk CODES         n the last number given
//   pk MSG#<ws>#<ticket> sk <message>     m the message: written once
//   pk RT#<ws>#<ticket>  sk <run>         points at a run of the ticket; may point at none: the run itself is the truth
//   pk CT#<ws>#<contact> sk <ticket>      the contact has this ticket
//   pk H#<ws>            sk <webhook>     h what is known of a webhook's receiver
//   pk U#<ws>            sk <slug>        by the article that has the slug
//   pk X#<ws>            sk <digest>      t the ticket of a mail, by SHA-256 of its Message-ID
//   pk Q#<ws>            sk <mail>        q a set-aside mail, kept 30 days
//   pk S#<type>#<ws>#<code point>#<shard> sk <token> <record>
//        found under the token. The partition is of the token's first code point, hexadecimal, and one of a few shards by record,
//        so that no common word heats one partition. v version of the record that wrote it; x removed, and kept
//        for a day so that a late write cannot restore it
// Records (T C A R D E J, ACCOUNT, WEBHOOKS):
//   b  record, o  outbox where there is one; packed: record-codec.ts
//   v  version      w  nonce of the last commit, by which its writer knows it
//   da, dp  due, by group (core/due-index.ts)         ta when it is due for its own sake, ms    ex expiry, seconds (TTL)
//   lp, ls  list and place in it      wp, wa waiting list and place in it
// All others but pointers (RT CT) and CODES, which are their keys:
//   f  number of the format: record-codec.ts
// Table helpdesk-audit:
//   pk <ws>  sk <time>#<id>   e the entry   f format   ex expiry: 400 days
import { hash } from 'node:crypto';
import type { DueKind } from '#lib/helpdesk/domain/account/due-kind.ts';
import type { SearchType } from '#lib/helpdesk/domain/outbox.ts';
import type { ItemKey } from '../core/items/config-item.ts';

/** As in the table: letters before the first `#` of a partition. */
const LETTERS = {
  ticket: 'T',
  contact: 'C',
  article: 'A',
  run: 'R',
  delivery: 'D',
  mail: 'E',
  job: 'J',
} as const satisfies Partial<Record<DueKind, string>>;
const OF_WORKSPACE = { account: 'ACCOUNT', webhooks: 'WEBHOOKS' } as const;

export const isOfWorkspace = (kind: DueKind): kind is 'account' | 'webhooks' =>
  kind === 'account' || kind === 'webhooks';

export function recordKey(kind: DueKind, workspaceId: string, id: string): ItemKey {
  return isOfWorkspace(kind)
    ? { pk: `W#${workspaceId}`, sk: OF_WORKSPACE[kind] }
    : { pk: `${LETTERS[kind]}#${workspaceId}`, sk: id };
}

/** Null if it is not a record. */
export function parseRecordKey({
  pk,
  sk,
}: {
  readonly pk?: unknown;
  readonly sk?: unknown;
}): { readonly kind: DueKind; readonly workspaceId: string; readonly id: string } | null {
  if (typeof pk !== 'string' || typeof sk !== 'string') return null;
  const at = pk.indexOf('#');
  const workspaceId = pk.slice(at + 1);
  const letter = pk.slice(0, at);
  if (letter === 'W') {
    const kind = sk === OF_WORKSPACE.account ? 'account' : sk === OF_WORKSPACE.webhooks ? 'webhooks' : null;
    return kind === null ? null : { kind, workspaceId, id: workspaceId };
  }
  const kind = (Object.keys(LETTERS) as (keyof typeof LETTERS)[]).find((name) => LETTERS[name] === letter);
  return kind === undefined ? null : { kind, workspaceId, id: sk };
}

/** A list of records, in one state or of one owner. */
export const listName = (kind: keyof typeof LETTERS, workspaceId: string, part?: string): string =>
  part === undefined ? `${LETTERS[kind]}#${workspaceId}` : `${LETTERS[kind]}#${workspaceId}#${part}`;

const TIME_DIGITS = 15;
/** A sort key by time, and by id within a millisecond. */
export const timedPlace = (atMs: number, id: string): string =>
  `${String(Math.max(0, atMs)).padStart(TIME_DIGITS, '0')}#${id}`;

export const messagesPartition = (workspaceId: string, ticketId: string): string =>
  `MSG#${workspaceId}#${ticketId}`;
export const ticketRunsPartition = (workspaceId: string, ticketId: string): string =>
  `RT#${workspaceId}#${ticketId}`;
export const contactTicketsPartition = (workspaceId: string, contactId: string): string =>
  `CT#${workspaceId}#${contactId}`;
export const codesKey = (workspaceId: string): ItemKey => ({ pk: `W#${workspaceId}`, sk: 'CODES' });
export const healthKey = (workspaceId: string, webhookId: string): ItemKey => ({
  pk: `H#${workspaceId}`,
  sk: webhookId,
});
export const slugKey = (workspaceId: string, slug: string): ItemKey => ({ pk: `U#${workspaceId}`, sk: slug });
/** Hashed, because a Message-ID has no maximum length. */
export const threadKey = (workspaceId: string, messageId: string): ItemKey => ({
  pk: `X#${workspaceId}`,
  sk: hash('sha256', messageId, 'hex'),
});

export const setAsidePartition = (workspaceId: string): string => `Q#${workspaceId}`;
export const setAsideKey = (workspaceId: string, id: string): ItemKey => ({
  pk: setAsidePartition(workspaceId),
  sk: id,
});

export const TOKEN_SHARDS = 4;

/** `token` is not empty. */
export function tokenPartition(workspaceId: string, type: SearchType, token: string, shard: number): string {
  return `S#${type}#${workspaceId}#${(token.codePointAt(0) ?? 0).toString(16)}#${shard}`;
}

export const auditKey = (workspaceId: string, atMs: number, id: string): ItemKey => ({
  pk: workspaceId,
  sk: timedPlace(atMs, id),
});
