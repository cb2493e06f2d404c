// Set-aside mails, in the order they came. Guarantees: an expired mail is not listed, even if the table has not deleted
// it yet; a mail that is delivered again changes nothing.

import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatOf, type Item } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { derivedUuidv7 } from '#lib/helpdesk/domain/account/derived-id.ts';
import { ASIDE_KEPT_MS, type SetAsideMail, STORED_SET_ASIDE } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { type SetAsideMails, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import { type Db, deleteItem, IF_NEW, putItem, readItem } from '../core/items/commands.ts';
import { between, countedPage } from '../core/items/query.ts';
import { setAsideKey, setAsidePartition } from './helpdesk-item.ts';

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
  db: Db,
  table: string,
  nowMs: () => number,
  quarantine: ItemQuarantine,
): SetAsideMails {
  const helpdesk = { db, table };
  const itemOf = (mail: SetAsideMail) => ({
    ...setAsideKey(mail.workspaceId, mail.id),
    f: formatOf(SET_ASIDE),
    q: mail,
    ex: Math.ceil((mail.receivedAtMs + ASIDE_KEPT_MS) / 1_000),
  });
  return {
    async put(mail) {
      await putItem(helpdesk, itemOf(mail), IF_NEW);
    },

    async read(workspaceId, id) {
      const mail = await readItem(helpdesk, setAsideKey(workspaceId, id), SET_ASIDE);
      return mail === null || mail.receivedAtMs <= nowMs() - ASIDE_KEPT_MS ? null : mail;
    },

    async list(workspaceId, { limit, offset }) {
      const range = between(firstIdAt(nowMs() - ASIDE_KEPT_MS), LAST);
      const kept = { hash: setAsidePartition(workspaceId), range };
      const decode = (item: Item) => decodeOrSetAside(SET_ASIDE, item, quarantine);
      const page = { limit, offset, forward: false, pageMax: PAGE_MAX, totalMax: TOTAL_MAX, decode };
      const { found, total } = await countedPage(helpdesk, kept, page);
      return { mails: found, total };
    },

    async replace(mail) {
      await putItem(helpdesk, itemOf(mail), { condition: 'attribute_exists(pk)' });
    },

    async remove({ workspaceId, id }) {
      await deleteItem(helpdesk, setAsideKey(workspaceId, id));
    },
  };
}

/** Sorts before every id of this time. */
const firstIdAt = (atMs: number): string => derivedUuidv7(Math.max(0, atMs)).slice(0, 13);
