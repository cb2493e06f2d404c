// Messages of a conversation, in reading order.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import { MAIL_STATUSES, UNMAILED_REASONS } from '../domain/mail/mail.ts';
import { id, ifMatch, paged, success, text, time, v1 } from './wire.ts';

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

/** What is said of the mail of any message. */
export const mailFate = {
  mail_status: z
    .enum([...MAIL_STATUSES, 'not_sent'])
    .nullable()
    .meta({
      description:
        'What became of the mail of a reply; null of notes and of what customers wrote. `not_sent`: no mail goes out for it, `mail_reason` says why. `suppressed`: the address is sent no mail. `unknown`: the provider did not say; it is asked once more.',
    }),
  mail_reason: z.enum(UNMAILED_REASONS).nullable().meta({
    description:
      'Why a reply is `not_sent`. `no_address`: the conversation has none. `other_channel`: it did not come by e-mail, and `reply_by_mail` of the workspace was not `every_ticket` when it was opened. `no_mail_domain`: this deployment has no e-mail. Null where it is not known, and of everything else.',
  }),
} as const;

export const message = messageFields.extend(mailFate).meta({ id: 'Message' });

export const listMessages = defineRoute({
  ...v1('read:messages', 120),
  id: 'listMessages',
  method: 'GET',
  path: '/api/v1/messages',
  summary: 'Messages of a conversation, oldest first; none where there is no such conversation',
  query: z.strictObject({ ticket_id: id, limit: limitParam(50, 100), offset: offsetParam(OFFSET_MAX) }),
  replies: {
    200: z.object({ success, messages: z.array(message), ...paged }).meta({ id: 'MessageListResponse' }),
  },
  errors: [],
});

export const createMessage = defineRoute({
  ...v1('write:messages'),
  id: 'createMessage',
  method: 'POST',
  path: '/api/v1/messages',
  summary:
    'Write to the customer, leave a note for agents, or take down what the customer wrote; `If-Match`: the version of the conversation that it answers',
  texts: { not_found: 'Conversation not found' },
  idempotent: true,
  headers: ifMatch,
  body: z
    .strictObject({
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
  errors: ['not_found', 'precondition_failed'],
});

export const MESSAGE_ROUTES = [listMessages, createMessage] as const;
