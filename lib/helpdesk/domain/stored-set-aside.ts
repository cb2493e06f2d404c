// A mail that was put aside, as it is stored.
import * as z from 'zod';
import type { Mailbox } from './mail/inbound-mail.ts';
import { ASIDE_REASONS, type SetAsideMail } from './mail/set-aside.ts';

export const STORED_SET_ASIDE: z.ZodType<SetAsideMail> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  reason: z.enum(ASIDE_REASONS),
  from: z
    .looseObject({
      address: z.string(),
      name: z.string().nullable(),
    } satisfies Record<keyof Mailbox, z.ZodType>)
    .nullable(),
  customerEmail: z.string().nullable(),
  subject: z.string(),
  receivedAtMs: z.number(),
  originalKey: z.string(),
  answersTicketId: z.string().nullable(),
  ticketId: z.string().nullable(),
} satisfies Record<keyof SetAsideMail, z.ZodType>);
