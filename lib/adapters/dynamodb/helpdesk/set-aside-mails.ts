// Set-aside mails, in the order they came. Guarantees: an expired mail is not listed, even if the table has not deleted
// it yet; a mail that is delivered again changes nothing.

import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside, formatOf } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { derivedUuidv7 } from '#lib/helpdesk/domain/account/derived-id.ts';
import { ASIDE_KEPT_MS, type SetAsideMail, STORED_SET_ASIDE } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { type SetAsideMails, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import { conditional } from '../core/items/conditional.ts';
import { setAsideKey, setAsidePartition } from './helpdesk-item.ts';
import { countOf, itemsOf } from './query.ts';

/** Sorts after every id. */
const LAST = 'g';
const PAGE_MAX = 200;

export const SET_ASIDE = defineKind<SetAsideMail>({
  what: 'mail put aside',
  table: 'helpdesk',
  key: { pk: 'Q#{workspace...}', sk: '{mail}' },
  attribute: 'q',
  schema: STORED_SET_ASIDE,
  expires: 'ex',
  personal: ['from', 'customerEmail', 'subject'],
  whenUnreadable: 'left out',
  meaning: 'It is left out of the list, and goes after its 30 days.',
});

export function createSetAsideMails(
  db: DynamoDBDocumentClient,
  table: string,
  nowMs: () => number,
  quarantine: ItemQuarantine,
): SetAsideMails {
  const itemOf = (mail: SetAsideMail) => ({
    ...setAsideKey(mail.workspaceId, mail.id),
    f: formatOf(SET_ASIDE),
    q: mail,
    ex: Math.ceil((mail.receivedAtMs + ASIDE_KEPT_MS) / 1_000),
  });
  const keptOf = (workspaceId: string) => ({
    table,
    names: ['pk', 'sk'] as const,
    hash: setAsidePartition(workspaceId),
    between: { from: firstIdAt(nowMs() - ASIDE_KEPT_MS), to: LAST },
  });
  return {
    async put(mail) {
      const Item = itemOf(mail);
      await conditional(
        db.send(new PutCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' })),
      );
    },

    async read(workspaceId, id) {
      const Key = setAsideKey(workspaceId, id);
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      const mail = item === undefined ? null : decodeItem(SET_ASIDE, item);
      return mail === null || mail.receivedAtMs <= nowMs() - ASIDE_KEPT_MS ? null : mail;
    },

    async list(workspaceId, { limit, offset }) {
      const kept = keptOf(workspaceId);
      const counting = countOf(db, kept, TOTAL_MAX);
      const mails: SetAsideMail[] = [];
      let seen = 0;
      for await (const item of itemsOf(db, kept, {
        forward: false,
        pageMax: Math.min(PAGE_MAX, offset + limit),
      })) {
        seen += 1;
        if (seen <= offset) continue;
        const mail = decodeOrSetAside(SET_ASIDE, item, quarantine);
        if (mail !== undefined) mails.push(mail);
        if (seen === offset + limit) break;
      }
      return { mails, total: await counting };
    },

    async replace(mail) {
      await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: itemOf(mail),
            ConditionExpression: 'attribute_exists(pk)',
          }),
        ),
      );
    },

    async remove({ workspaceId, id }) {
      await db.send(new DeleteCommand({ TableName: table, Key: setAsideKey(workspaceId, id) }));
    },
  };
}

/** Sorts before every id of this time. */
const firstIdAt = (atMs: number): string => derivedUuidv7(Math.max(0, atMs)).slice(0, 13);
