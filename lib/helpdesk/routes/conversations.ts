// Conversations: the same records as tickets, as v1 shows them; and what only the older paths could do to a ticket.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { countToParam, limitParam, offsetParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS, TOTAL_MAX } from '../domain/account/limits.ts';
import { CONVERSATION_STATUSES, TICKET_STATUSES } from '../domain/tickets/status.ts';
import { CHANNELS, PRIORITIES } from '../domain/tickets/ticket.ts';
import { actionErrors, closeBody, snoozeBody } from './tickets.ts';
import {
  byScope,
  CAPPED,
  count,
  ETAG,
  email,
  idParams,
  ifMatch,
  ifNoneMatch,
  line,
  openLine,
  paged,
  success,
  successReply,
  text,
  time,
  timeOrNull,
} from './wire.ts';

export const conversation = z
  .object({
    id: z.guid().meta({ description: 'Also the id of the ticket.' }),
    ticket_code: z.string(),
    subject: z.string(),
    status: z.enum(CONVERSATION_STATUSES),
    ticket_status: z.enum(TICKET_STATUSES),
    priority: z.enum(PRIORITIES),
    channel: z.enum(CHANNELS),
    customer_email: z.string().nullable(),
    customer_name: z.string().nullable(),
    contact_id: z.guid().nullable(),
    message_count: count,
    last_message_at: timeOrNull,
    waiting_since: timeOrNull.meta({ description: 'Since when the customer waits for an answer.' }),
    snoozed_until: timeOrNull,
    escalated_at: timeOrNull,
    closed_at: timeOrNull,
    close_reason: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Conversation' });

export const ORDERS = ['newest', 'longest_waiting'] as const;

const shared = { part: 'helpdesk', rateLimit: { perMinute: 60 }, cors: 'listed' } as const;
const texts = { not_found: 'Conversation not found' } as const;

export const listConversations = defineRoute({
  ...shared,
  id: 'listConversations',
  method: 'GET',
  path: '/api/v1/conversations',
  summary: 'Conversations of the workspace, newest first or the longest waiting first',
  auth: byScope('read:conversations'),
  rateLimit: { perMinute: 100 },
  query: z.strictObject({
    limit: limitParam(20, 100),
    offset: offsetParam(OFFSET_MAX),
    status: z.enum(CONVERSATION_STATUSES).optional(),
    ticket_status: z
      .enum(TICKET_STATUSES)
      .optional()
      .meta({ description: 'Tells those that are snoozed from those that wait for the customer.' }),
    search: searchParam(TEXT_LIMITS.searchChars),
    orderBy: z.enum(ORDERS).default('newest').meta({
      description: '`longest_waiting`: only those whose customer waits for an answer.',
    }),
    counts: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: '`true`: the answer says how many conversations each status has.' }),
    count_to: countToParam(TOTAL_MAX),
  }),
  replies: {
    200: z
      .object({
        success,
        conversations: z.array(conversation),
        ...paged,
        counts: z
          .object({
            new: count,
            open: count,
            pending: count,
            resolved: count,
            escalated: count,
            snoozed: count.meta({ description: 'Among those that are pending.' }),
            rejected: count.meta({ description: 'Among those that are resolved.' }),
          })
          .optional()
          .meta({ description: 'Each state is counted to `count_to`: `pending` and `resolved` have two.' }),
      })
      .meta({ id: 'ConversationListResponse' }),
  },
  replyHeaders: CAPPED,
  errors: [],
});

export const createConversation = defineRoute({
  ...shared,
  id: 'createConversation',
  method: 'POST',
  path: '/api/v1/conversations',
  summary: 'Open a conversation with what the customer wrote',
  auth: byScope('write:conversations'),
  idempotent: true,
  body: z
    .strictObject({
      subject: line(TEXT_LIMITS.subjectChars),
      message: text(TEXT_LIMITS.bodyChars),
      priority: z.enum(PRIORITIES).default('normal'),
      channel: z.enum(CHANNELS).default('api'),
      customer_email: email.optional(),
      customer_name: openLine(TEXT_LIMITS.nameChars).optional(),
    })
    .refine(({ channel, customer_email: address }) => channel !== 'email' || address !== undefined, {
      path: ['customer_email'],
      message: 'is required where the channel is email',
    }),
  replies: { 201: conversation },
  replyHeaders: { ...ETAG, location: 'Path of the conversation.' },
  errors: [],
});

export const getConversation = defineRoute({
  ...shared,
  id: 'getConversation',
  method: 'GET',
  path: '/api/v1/conversations/:id',
  summary: 'One conversation',
  auth: byScope('read:conversations'),
  rateLimit: { perMinute: 100 },
  texts,
  params: idParams,
  headers: ifNoneMatch,
  replies: { 200: conversation, 304: null },
  replyHeaders: ETAG,
  errors: ['not_found'],
});

export const updateConversation = defineRoute({
  ...shared,
  id: 'updateConversation',
  method: 'PATCH',
  path: '/api/v1/conversations/:id',
  summary: 'Set the status or the priority of a conversation by hand',
  auth: byScope('write:conversations'),
  texts,
  params: idParams,
  headers: ifMatch,
  body: z.strictObject({
    status: z
      .enum(['open', 'pending', 'resolved', 'escalated'])
      .optional()
      .meta({ description: 'A conversation is `new` once only.' }),
    priority: z.enum(PRIORITIES).optional(),
    reason: text(TEXT_LIMITS.reasonChars)
      .optional()
      .meta({ description: 'Why it is resolved; left out with any other status.' }),
  }),
  replies: { 200: conversation },
  replyHeaders: ETAG,
  errors: actionErrors,
});

export const closeConversation = defineRoute({
  ...shared,
  id: 'closeConversation',
  method: 'POST',
  path: '/api/v1/conversations/:id/close',
  summary: 'Close a conversation, with a reason; one that is closed stays as it is',
  auth: byScope('write:conversations'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: closeBody,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const snoozeConversation = defineRoute({
  ...shared,
  id: 'snoozeConversation',
  method: 'POST',
  path: '/api/v1/conversations/:id/snooze',
  summary: 'Hide a conversation until a time, or move that time',
  auth: byScope('write:conversations'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: snoozeBody,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const unsnoozeConversation = defineRoute({
  ...shared,
  id: 'unsnoozeConversation',
  method: 'DELETE',
  path: '/api/v1/conversations/:id/snooze',
  summary: 'End a snooze; a conversation that is not snoozed stays as it is',
  auth: byScope('write:conversations'),
  texts,
  params: idParams,
  headers: ifMatch,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const rejectConversation = defineRoute({
  ...shared,
  id: 'rejectConversation',
  method: 'POST',
  path: '/api/v1/conversations/:id/reject',
  summary: 'Refuse a conversation, such as spam; the customer’s messages do not reopen it',
  auth: byScope('write:conversations'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  body: closeBody,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const escalateConversation = defineRoute({
  ...shared,
  id: 'escalateConversation',
  method: 'POST',
  path: '/api/v1/conversations/:id/escalate',
  summary: 'Raise a conversation; a snooze ends with it',
  auth: byScope('write:conversations'),
  texts,
  idempotent: true,
  params: idParams,
  headers: ifMatch,
  replies: { 200: successReply },
  errors: actionErrors,
});

export const CONVERSATION_ROUTES = [
  listConversations,
  createConversation,
  getConversation,
  updateConversation,
  closeConversation,
  snoozeConversation,
  unsnoozeConversation,
  rejectConversation,
  escalateConversation,
] as const;
