// A ticket as it is stored. A field that comes later has a default here, or an upgrade of its kind: old tickets lack it.
import * as z from 'zod';
import { CHANNELS, PRIORITIES, TICKET_STATES, type Ticket } from './tickets/ticket.ts';

export const STORED_TICKET: z.ZodType<Ticket> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  code: z.string(),
  subject: z.string(),
  customerEmail: z.string().nullable(),
  customerName: z.string().nullable(),
  contactId: z.string().nullable(),
  priority: z.enum(PRIORITIES),
  channel: z.enum(CHANNELS),
  isAnsweredByMail: z.literal(true).exactOptional(),
  state: z.enum(TICKET_STATES),
  snoozedUntilMs: z.number().nullable(),
  escalatedAtMs: z.number().nullable(),
  waitingSinceMs: z.number().nullable(),
  closedAtMs: z.number().nullable(),
  closeReason: z.string().nullable(),
  messageCount: z.number(),
  lastMessageAtMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
} satisfies Record<keyof Ticket, z.ZodType>);
