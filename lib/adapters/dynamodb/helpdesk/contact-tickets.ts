// Which tickets a contact has: one small item for each, in the order of the tickets' ids.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import type { ContactTickets } from '#lib/helpdesk/ports/stores.ts';
import { type Db, deleteItem, type Item, putItem } from '../core/items/commands.ts';
import { between, decodedItems } from '../core/items/query.ts';
import { contactTicketsPartition } from './helpdesk-item.ts';

export const TICKET_OF_CONTACT = defineKind({
  what: 'ticket of a contact',
  table: 'helpdesk',
  key: { pk: 'CT#{workspace...}#{contact}', sk: '{ticket}' },
  attribute: null,
  schema: z.looseObject({ sk: z.string() }).transform(({ sk }) => ({ ticketId: sk })),
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'It holds nothing but its key.',
});

/** Before every id. */
const FIRST = ' ';

export function createContactTickets(db: Db, table: string): ContactTickets {
  const keyOf = (workspaceId: string, contactId: string, ticketId: string) => ({
    pk: contactTicketsPartition(workspaceId, contactId),
    sk: ticketId,
  });
  const helpdesk = { db, table };
  return {
    async link(workspaceId, contactId, ticketId) {
      await putItem(helpdesk, keyOf(workspaceId, contactId, ticketId));
    },

    tickets: (workspaceId, contactId, limit, after) => {
      const hash = contactTicketsPartition(workspaceId, contactId);
      const partition = after === undefined ? { hash } : { hash, range: between(FIRST, after) };
      const decode = ({ sk }: Item) => String(sk);
      return decodedItems(helpdesk, partition, { limit, forward: false, except: after, decode });
    },

    async unlink(workspaceId, contactId, ticketId) {
      await deleteItem(helpdesk, keyOf(workspaceId, contactId, ticketId));
    },
  };
}
