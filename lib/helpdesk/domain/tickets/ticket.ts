// A ticket: one record with one internal state. Both public statuses, of tickets and of conversations, are derived from it
// and stored nowhere. A field that comes later has a default here, or an upgrade of its kind: old tickets lack it.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
/**
 * `NEW` the customer wrote and no agent has acted, `OPEN` our turn, `ESCALATED` our turn and raised, `WAITING` the
 * customer's turn, `SNOOZED` hidden until a time, `DONE` closed, `REJECTED` refused: spam, never answered.
 */
export const TICKET_STATES = ['NEW', 'OPEN', 'ESCALATED', 'WAITING', 'SNOOZED', 'DONE', 'REJECTED'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const CHANNELS = ['email', 'chat', 'voice', 'api'] as const;
export type Channel = (typeof CHANNELS)[number];

export const STORED_TICKET = z.looseObject({
  /** UUIDv7; the id of the conversation as well. */
  id: z.string(),
  /** Who owns it: the merchant id of core. */
  workspaceId: z.string(),
  /** `TKT-000042`. Never accepted as an id. */
  code: z.string(),
  subject: z.string(),
  customerEmail: z.string().nullable(),
  customerName: z.string().nullable(),
  /** Of the customer's e-mail address, see `contactIdOf`; null without an address. */
  contactId: z.string().nullable(),
  priority: z.enum(PRIORITIES),
  channel: z.enum(CHANNELS),
  /**
   * Of another channel than e-mail: replies go by e-mail all the same, because its workspace was configured so when it
   * was opened.
   */
  isAnsweredByMail: z.literal(true).exactOptional(),
  state: z.enum(TICKET_STATES),
  /** Only while SNOOZED. */
  snoozedUntilMs: z.number().nullable(),
  /** Since when it is raised; kept while it is snoozed. */
  escalatedAtMs: z.number().nullable(),
  /** Since when the customer waits for us; null where it is not our turn. */
  waitingSinceMs: z.number().nullable(),
  closedAtMs: z.number().nullable(),
  closeReason: z.string().nullable(),
  messageCount: z.number(),
  lastMessageAtMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type Ticket = StoredAs<typeof STORED_TICKET>;

const DIGITS_MIN = 6;

/** What people call a ticket: `TKT-000042`. Longer where the number is. */
export const ticketCodeOf = (prefix: string, number: number): string =>
  `${prefix}-${String(number).padStart(DIGITS_MIN, '0')}`;
