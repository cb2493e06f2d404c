// Tickets, as the older paths show them.
import * as z from 'zod';
import type { ErrorCode } from '../../core/http/errors.ts';
import { defineRoute, type Route } from '../../core/http/route.ts';
import { limitParam, pageParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import { CONVERSATION_STATUSES, TICKET_STATUSES } from '../domain/tickets/status.ts';
import { CHANNELS, PRIORITIES } from '../domain/tickets/ticket.ts';
import { mailFate } from './messages.ts';
import {
  CAPPED,
  count,
  email,
  idParams,
  ifMatch,
  line,
  older,
  openLine,
  reads,
  success,
  successReply,
  text,
  time,
  timeMs,
  timeOrNull,
} from './wire.ts';

/** What tickets and conversations show alike. */
export const ticketProgress = {
  contact_id: z.guid().nullable(),
  message_count: count,
  last_message_at: timeOrNull,
  waiting_since: timeOrNull.meta({ description: 'Since when the customer waits for an answer.' }),
  snoozed_until: timeOrNull,
  escalated_at: timeOrNull,
  closed_at: timeOrNull,
  close_reason: z.string().nullable(),
} as const;

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
    ...ticketProgress,
  })
  .meta({ id: 'Ticket' });

const texts = { not_found: 'Ticket not found' } as const;
const reasonBody = z.strictObject({ reason: text(TEXT_LIMITS.reasonChars).optional() }).optional();
const snoozeBody = z.strictObject({
  snoozed_until: timeMs.meta({
    description:
      'In the future, within 50 years. The ticket wakes at this time or at most two minutes later.',
  }),
});

/** What is done to one ticket, by its older path or by v1: the same but for the credentials and the noun. */
export function actionRoutes<
  const Noun extends string,
  const Path extends string,
  const Shared extends Pick<Route<ErrorCode>, 'part' | 'auth' | 'rateLimit' | 'cors' | 'texts'>,
>(noun: Noun, path: Path, shared: Shared, isClosedHow = '') {
  const it = noun.toLowerCase();
  const acts = {
    ...shared,
    params: idParams,
    headers: ifMatch,
    replies: { 200: successReply },
    errors: ['not_found', 'precondition_failed'],
  } as const;
  return [
    defineRoute({
      ...acts,
      id: `close${noun}`,
      method: 'POST',
      path: `${path}/:id/close`,
      summary: `Close a ${it}${isClosedHow}; one that is closed stays as it is`,
      idempotent: true,
      body: reasonBody,
    }),
    defineRoute({
      ...acts,
      id: `snooze${noun}`,
      method: 'POST',
      path: `${path}/:id/snooze`,
      summary: `Hide a ${it} until a time, or move that time`,
      idempotent: true,
      body: snoozeBody,
    }),
    defineRoute({
      ...acts,
      id: `unsnooze${noun}`,
      method: 'DELETE',
      path: `${path}/:id/snooze`,
      summary: `End a snooze; a ${it} that is not snoozed stays as it is`,
    }),
    defineRoute({
      ...acts,
      id: `reject${noun}`,
      method: 'POST',
      path: `${path}/:id/reject`,
      summary: `Refuse a ${it}, such as spam; the customer’s messages do not reopen it`,
      idempotent: true,
      body: reasonBody,
    }),
    defineRoute({
      ...acts,
      id: `escalate${noun}`,
      method: 'POST',
      path: `${path}/:id/escalate`,
      summary: `Raise a ${it}; a snooze ends with it`,
      idempotent: true,
    }),
  ] as const;
}

export const listTickets = defineRoute({
  ...older('read:tickets'),
  id: 'listTickets',
  method: 'GET',
  path: '/api/tickets',
  summary: 'Tickets, newest first',
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
  ...older('write:tickets'),
  id: 'createTicket',
  method: 'POST',
  path: '/api/tickets',
  summary: 'Open a ticket with what the customer wrote',
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
  ...older('read:tickets'),
  ...reads(z.object({ success, ticket }).meta({ id: 'TicketResponse' })),
  id: 'getTicket',
  path: '/api/tickets/:id',
  summary: 'One ticket',
  texts,
});

const replyTicket = defineRoute({
  ...older('write:tickets'),
  id: 'replyTicket',
  method: 'POST',
  path: '/api/tickets/:id/reply',
  summary: 'Answer the customer, or leave a note for agents; `id` is the message’s',
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: z.strictObject({ body: text(TEXT_LIMITS.bodyChars), public: z.boolean().default(true) }),
  replies: { 200: successReply.extend(mailFate).meta({ id: 'ReplyResponse' }) },
  errors: ['not_found', 'precondition_failed'],
});

export const TICKET_ROUTES = [
  listTickets,
  createTicket,
  getTicket,
  replyTicket,
  ...actionRoutes('Ticket', '/api/tickets', { ...older('write:tickets'), texts }),
] as const;
