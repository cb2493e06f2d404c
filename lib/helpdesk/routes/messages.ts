// Messages of a conversation, in reading order.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/limits.ts';
import { MAIL_STATUSES } from '../domain/mail.ts';
import { byScope, id, paged, success, text, time } from './wire.ts';

const messageFields = z.object({
  id: z.guid(),
  ticket_id: z.guid(),
  body: z.string(),
  internal_note: z.boolean(),
  direction: z.enum(['inbound', 'outbound', 'internal']),
  author: z.object({
    type: z.enum(['customer', 'agent', 'ai', 'system']),
    id: z.string().nullable().meta({
      description:
        'Of an agent `user:<subject>` or `key:<id>`, of a customer the contact, of a draft the run.',
    }),
    name: z.string().nullable(),
  }),
  created_at: time,
});

/** As it is exported. */
export const plainMessage = messageFields.meta({ id: 'PlainMessage' });

export const message = messageFields
  .extend({
    mail_status: z.enum(MAIL_STATUSES).nullable().meta({
      description:
        'What became of its mail; null of what did not go by mail. `suppressed`: the address is sent no mail. `unknown`: the provider did not say; it is asked once more.',
    }),
  })
  .meta({ id: 'Message' });

const shared = { part: 'helpdesk', cors: 'listed' } as const;

export const listMessages = defineRoute({
  ...shared,
  id: 'listMessages',
  method: 'GET',
  path: '/api/v1/messages',
  summary: 'Messages of a conversation, oldest first; none where there is no such conversation',
  auth: byScope('read:messages'),
  rateLimit: { perMinute: 120 },
  query: z.object({ ticket_id: id, limit: limitParam(50, 100), offset: offsetParam(OFFSET_MAX) }),
  replies: {
    200: z.object({ success, messages: z.array(message), ...paged }).meta({ id: 'MessageListResponse' }),
  },
  errors: [],
});

export const createMessage = defineRoute({
  ...shared,
  id: 'createMessage',
  method: 'POST',
  path: '/api/v1/messages',
  summary: 'Write to the customer, leave a note for agents, or take down what the customer wrote',
  auth: byScope('write:messages'),
  rateLimit: { perMinute: 60 },
  texts: { not_found: 'Conversation not found' },
  idempotent: true,
  body: z
    .object({
      ticket_id: id,
      body: text(TEXT_LIMITS.bodyChars),
      internal_note: z.boolean().default(false),
      author: z.enum(['agent', 'customer']).default('agent').meta({
        description: '`customer`: the message came from the customer, by a channel of yours.',
      }),
    })
    .refine(({ author, internal_note: isInternal }) => author === 'agent' || !isInternal, {
      path: ['internal_note'],
      message: 'must be false for a message of a customer',
    }),
  replies: { 201: message },
  errors: ['not_found'],
});

export const MESSAGE_ROUTES = [listMessages, createMessage] as const;
