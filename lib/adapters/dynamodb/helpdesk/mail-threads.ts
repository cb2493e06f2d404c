// Which ticket a mail belongs to, by a digest of its Message-ID: the first to say so is believed.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatOf } from '#lib/core/record/stored-item.ts';
import type { MailThreads } from '#lib/helpdesk/ports/stores.ts';
import { type Db, deleteItem, IF_NEW, putItem, readItem } from '../core/items/commands.ts';
import { threadKey } from './helpdesk-item.ts';

export const THREAD = defineKind({
  what: 'thread of a mail',
  table: 'helpdesk',
  key: { pk: 'X#{workspace...}', sk: '{digest}' },
  attribute: null,
  schema: z.looseObject({ t: z.string() }).transform(({ t }) => ({ ticketId: t })),
  personal: ['sk'],
  whenUnreadable: 'wait',
  meaning: 'A mail that answers it is taken in once it can be read: it is brought again.',
});

export function createMailThreads(db: Db, table: string): MailThreads {
  const helpdesk = { db, table };
  return {
    async remember(workspaceId, messageId, ticketId) {
      const item = { ...threadKey(workspaceId, messageId), f: formatOf(THREAD), t: ticketId };
      await putItem(helpdesk, item, IF_NEW);
    },
    ticketOf: async (workspaceId, messageId) =>
      (await readItem(helpdesk, threadKey(workspaceId, messageId), THREAD))?.ticketId ?? null,
    async forget(workspaceId, messageId) {
      await deleteItem(helpdesk, threadKey(workspaceId, messageId));
    },
  };
}
