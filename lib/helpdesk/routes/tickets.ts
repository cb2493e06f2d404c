// Tickets, as the older paths show them.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, pageParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import { CONVERSATION_STATUSES, TICKET_STATUSES } from '../domain/tickets/status.ts';
import { CHANNELS, PRIORITIES } from '../domain/tickets/ticket.ts';
import { mailFate } from './messages.ts';
import {
  byKey,
  CAPPED,
  count,
  ETAG,
  email,
  idParams,
  ifMatch,
  ifNoneMatch,
  line,
  openLine,
  success,
  successReply,
  text,
  time,
  timeMs,
  timeOrNull,
} from './wire.ts';

export const ticket = z
  .object({
    id: z.guid(),
    ticket_code: z.string().nullable(),
    subject: z.string(),
    customer_email: z.string().nullable(),
    customer_name: z.string().nullable(),
    status: z.enum(TICKET_STATUSES),
    priority: z.enum(PRIORITIES).nullable(),
    created_at: time,
    updated_at: timeOrNull,
    conversation_status: z.enum(CONVERSATION_STATUSES),
    channel: z.enum(CHANNELS),
    contact_id: z.guid().nullable(),
    message_count: count,
    last_message_at: timeOrNull,
    waiting_since: timeOrNull.meta({ description: 'Since when the customer waits for an answer.' }),
    snoozed_until: timeOrNull,
    escalated_at: timeOrNull,
    closed_at: timeOrNull,
    close_reason: z.string().nullable(),
  })
  .meta({ id: 'Ticket' });

const shared = { part: 'helpdesk', rateLimit: { perMinute: 60 } } as const;
const texts = { not_found: 'Ticket not found' } as const;

/** What the older paths and their v1 twins take alike. */
export const closeBody = z.strictObject({ reason: text(TEXT_LIMITS.reasonChars).optional() }).optional();
export const snoozeBody = z.strictObject({
  snoozed_until: timeMs.meta({
    description:
      'In the future, within 50 years. The ticket wakes at this time or at most two minutes later.',
  }),
});
export const actionErrors = ['not_found', 'precondition_failed'] as const;

export const listTickets = defineRoute({
  ...shared,
  id: 'listTickets',
  method: 'GET',
  path: '/api/tickets',
  summary: 'Tickets, newest first',
  auth: byKey('read:tickets'),
  query: z.strictObject({
    page: pageParam(OFFSET_MAX),
    limit: limitParam(50, 100),
    status: z.enum(TICKET_STATUSES).optional(),
    search: searchParam(TEXT_LIMITS.searchChars),
  }),
  replies: {
    200: z
      .object({
        success,
        tickets: z.array(ticket),
        pagination: z.object({ page: count, limit: count, total: count, totalPages: count }),
      })
      .meta({ id: 'TicketListResponse' }),
  },
  replyHeaders: CAPPED,
  errors: [],
});

export const createTicket = defineRoute({
  ...shared,
  id: 'createTicket',
  method: 'POST',
  path: '/api/tickets',
  summary: 'Open a ticket with what the customer wrote',
  auth: byKey('write:tickets'),
  idempotent: true,
  body: z.strictObject({
    customer_email: email,
    subject: line(TEXT_LIMITS.subjectChars),
    body: text(TEXT_LIMITS.bodyChars),
    customer_name: openLine(TEXT_LIMITS.nameChars).optional(),
    priority: z.enum(PRIORITIES).default('normal'),
  }),
  replies: {
    201: z
      .object({ success, ticket_id: z.guid(), ticket_code: z.string() })
      .meta({ id: 'CreateTicketResponse' }),
  },
  replyHeaders: { location: 'Path of the ticket.' },
  errors: [],
});

export const getTicket = defineRoute({
  ...shared,
  id: 'getTicket',
  method: 'GET',
  path: '/api/tickets/:id',
  summary: 'One ticket',
  auth: byKey('read:tickets'),
  texts,
  params: idParams,
  headers: ifNoneMatch,
  replies: { 200: z.object({ success, ticket }).meta({ id: 'TicketResponse' }), 304: null },
  replyHeaders: ETAG,
  errors: ['not_found'],
});

export const replyTicket = defineRoute({
  ...shared,
  id: 'replyTicket',
  method: 'POST',
  path: '/api/tickets/:id/reply',
  summary: 'Answer the customer, or leave a note for agents; `id` is the message’s',
  auth: byKey('write:tickets'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: z.strictObject({ body: text(TEXT_LIMITS.bodyChars), public: z.boolean().default(true) }),
  replies: { 200: successReply.extend(mailFate).meta({ id: 'ReplyResponse' }) },
  errors: actionErrors,
});

export const closeTicket = defineRoute({
  ...shared,
  id: 'closeTicket',
  method: 'POST',
  path: '/api/tickets/:id/close',
  summary: 'Close a ticket; one that is closed stays as it is',
  auth: byKey('write:tickets'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: closeBody,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const snoozeTicket = defineRoute({
  ...shared,
  id: 'snoozeTicket',
  method: 'POST',
  path: '/api/tickets/:id/snooze',
  summary: 'Hide a ticket until a time, or move that time',
  auth: byKey('write:tickets'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: snoozeBody,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const unsnoozeTicket = defineRoute({
  ...shared,
  id: 'unsnoozeTicket',
  method: 'DELETE',
  path: '/api/tickets/:id/snooze',
  summary: 'End a snooze; a ticket that is not snoozed stays as it is',
  auth: byKey('write:tickets'),
  texts,
  params: idParams,
  headers: ifMatch,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const rejectTicket = defineRoute({
  ...shared,
  id: 'rejectTicket',
  method: 'POST',
  path: '/api/tickets/:id/reject',
  summary: 'Refuse a ticket, such as spam; the customer’s messages do not reopen it',
  auth: byKey('write:tickets'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: closeBody,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const escalateTicket = defineRoute({
  ...shared,
  id: 'escalateTicket',
  method: 'POST',
  path: '/api/tickets/:id/escalate',
  summary: 'Raise a ticket; a snooze ends with it',
  auth: byKey('write:tickets'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const TICKET_ROUTES = [
  listTickets,
  createTicket,
  getTicket,
  replyTicket,
  closeTicket,
  snoozeTicket,
  unsnoozeTicket,
  rejectTicket,
  escalateTicket,
] as const;
