// Numbers of tickets: one counter for each workspace, moved by one atomic addition. A number whose taker dies is a gap.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem } from '#lib/core/record/stored-item.ts';
import type { TicketCodes } from '#lib/helpdesk/ports/stores.ts';
import { type Db, updatedItem } from '../core/items/commands.ts';
import { codesKey } from './helpdesk-item.ts';

export const TICKET_NUMBER = defineKind({
  what: 'number of tickets',
  table: 'helpdesk',
  key: { pk: 'W#{workspace...}', sk: 'CODES' },
  attribute: null,
  schema: z.looseObject({ n: z.number() }).transform(({ n }) => ({ last: n })),
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'No ticket is opened by hand; mails are brought again.',
});

export function createTicketCodes(db: Db, table: string): TicketCodes {
  return {
    async next(workspaceId) {
      const addOne = { update: 'ADD n :one', values: { ':one': 1 } };
      const counter = await updatedItem({ db, table }, codesKey(workspaceId), addOne, 'UPDATED_NEW');
      return decodeItem(TICKET_NUMBER, { ...codesKey(workspaceId), ...counter }).last;
    },
  };
}
