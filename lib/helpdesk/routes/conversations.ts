// Conversations: the same records as tickets, as v1 shows them; and what only the older paths could do to a ticket.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { countToParam, limitParam, offsetParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS, TOTAL_MAX } from '../domain/account/limits.ts';
import { CONVERSATION_STATUSES, TICKET_STATUSES } from '../domain/tickets/status.ts';
import { CHANNELS, PRIORITIES } from '../domain/tickets/ticket.ts';
import { actionRoutes, ticketProgress } from './tickets.ts';
import {
  CAPPED,
  changes,
  count,
  creates,
  email,
  line,
  openLine,
  paged,
  reads,
  success,
  text,
  time,
  v1,
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
    ...ticketProgress,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Conversation' });

export const ORDERS = ['newest', 'longest_waiting'] as const;

const texts = { not_found: 'Conversation not found' } as const;

export const listConversations = defineRoute({
  ...v1('read:conversations', 100),
  id: 'listConversations',
  method: 'GET',
  path: '/api/v1/conversations',
  summary: 'Conversations of the workspace, newest first or the longest waiting first',
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
  ...v1('write:conversations'),
  ...creates(conversation, 'conversation'),
  id: 'createConversation',
  path: '/api/v1/conversations',
  summary: 'Open a conversation with what the customer wrote',
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
  errors: [],
});

const getConversation = defineRoute({
  ...v1('read:conversations', 100),
  ...reads(conversation),
  id: 'getConversation',
  path: '/api/v1/conversations/:id',
  summary: 'One conversation',
  texts,
});

const updateConversation = defineRoute({
  ...v1('write:conversations'),
  ...changes(conversation),
  id: 'updateConversation',
  path: '/api/v1/conversations/:id',
  summary: 'Set the status or the priority of a conversation by hand',
  texts,
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
});

export const CONVERSATION_ROUTES = [
  listConversations,
  createConversation,
  getConversation,
  updateConversation,
  ...actionRoutes(
    'Conversation',
    '/api/v1/conversations',
    { ...v1('write:conversations'), texts },
    ', with a reason',
  ),
] as const;
