// Mails that became no message, for agents to look through.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX } from '../domain/account/limits.ts';
import { ASIDE_KEPT_DAYS, ASIDE_REASONS } from '../domain/mail/set-aside.ts';
import { CAPPED, idParams, paged, success, successReply, time, v1 } from './wire.ts';

const setAsideMail = z
  .object({
    id: z.guid(),
    reason: z.enum(ASIDE_REASONS).meta({
      description:
        '`bulk`: a newsletter; `auto_reply`: such as out of office; `bounce`: told by a mail server; `loop`: from an address of ours, or one of our own that came back; of what is `too_large` (above 30 MB) or `unreadable` only the head was read.',
    }),
    from: z.object({ email: z.string(), name: z.string().nullable() }).nullable(),
    reply_to: z.string().nullable().meta({
      description: 'Whom a conversation would be with, where the sender named another address for answers.',
    }),
    subject: z.string(),
    received_at: time,
    expires_at: time.meta({ description: 'From then on it is listed no more.' }),
    answers_ticket_id: z
      .guid()
      .nullable()
      .meta({ description: 'The conversation whose reply address it came to.' }),
    acceptable: z.boolean().meta({
      description: 'False where there is nothing to take in, or it would do harm.',
    }),
    ticket_id: z
      .guid()
      .nullable()
      .meta({ description: 'The conversation it became a message of, once it was accepted.' }),
  })
  .meta({ id: 'SetAsideMail' });

export const listSetAsideMail = defineRoute({
  ...v1('read:messages'),
  id: 'listSetAsideMail',
  method: 'GET',
  path: '/api/v1/mail/set-aside',
  summary: `Mails of the last ${ASIDE_KEPT_DAYS} days that became no message, with the reason, newest first`,
  query: z.strictObject({ limit: limitParam(50, 100), offset: offsetParam(OFFSET_MAX) }),
  replies: {
    200: z.object({ success, mails: z.array(setAsideMail), ...paged }).meta({ id: 'SetAsideMailResponse' }),
  },
  replyHeaders: CAPPED,
  errors: [],
});

export const acceptSetAsideMail = defineRoute({
  ...v1('write:messages'),
  id: 'acceptSetAsideMail',
  method: 'POST',
  path: '/api/v1/mail/set-aside/:id/accept',
  summary: 'Have a mail taken in after all; `ticket_id` of the list says when it has been',
  texts: {
    not_found: 'Mail not found',
    conflict: 'This mail cannot be taken in: it holds a virus, has no sender, or was not read',
  },
  params: idParams,
  replies: { 202: successReply },
  errors: ['not_found', 'conflict'],
});

export const MAIL_ROUTES = [listSetAsideMail, acceptSetAsideMail] as const;
