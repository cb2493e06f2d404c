// Which tickets a contact has: one small item for each, in the order of the tickets' ids.

import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import type { ContactTickets } from '#lib/helpdesk/ports/stores.ts';
import { contactTicketsPartition } from './helpdesk-item.ts';
import { itemsOf } from './query.ts';

export const TICKET_OF_CONTACT = defineKind({
  what: 'ticket of a contact',
  table: 'helpdesk',
  key: { pk: 'CT#{workspace...}#{contact}', sk: '{ticket}' },
  attribute: null,
  schema: z.looseObject({ sk: z.string() }).transform(({ sk }) => ({ ticketId: sk })),
  expires: null,
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'It holds nothing but its key.',
});

/** Before every id. */
const FIRST = ' ';

export function createContactTickets(db: DynamoDBDocumentClient, table: string): ContactTickets {
  const keyOf = (workspaceId: string, contactId: string, ticketId: string) => ({
    pk: contactTicketsPartition(workspaceId, contactId),
    sk: ticketId,
  });
  return {
    async link(workspaceId, contactId, ticketId) {
      await db.send(new PutCommand({ TableName: table, Item: keyOf(workspaceId, contactId, ticketId) }));
    },

    async tickets(workspaceId, contactId, limit, after) {
      const ids: string[] = [];
      if (limit < 1) return ids;
      const partition = {
        table,
        names: ['pk', 'sk'],
        hash: contactTicketsPartition(workspaceId, contactId),
        ...(after === undefined ? {} : { between: { from: FIRST, to: after } }),
      } as const;
      // BETWEEN takes its end as well.
      for await (const { sk } of itemsOf(db, partition, { forward: false, pageMax: limit + 1 })) {
        if (sk === after) continue;
        if (ids.push(String(sk)) === limit) break;
      }
      return ids;
    },

    async unlink(workspaceId, contactId, ticketId) {
      await db.send(new DeleteCommand({ TableName: table, Key: keyOf(workspaceId, contactId, ticketId) }));
    },
  };
}
