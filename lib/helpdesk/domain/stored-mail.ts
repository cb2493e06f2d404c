// A mail on its way out as it is stored.
import * as z from 'zod';
import { MAIL_STATUSES, type OutboundMail } from './mail/mail.ts';

export const STORED_MAIL: z.ZodType<OutboundMail> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  ticketId: z.string(),
  status: z.enum(MAIL_STATUSES),
  attempts: z.number(),
  providerId: z.string().nullable(),
  error: z.string().nullable(),
  leaseUntilMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  messageId: z.string().exactOptional(),
  unknownSinceMs: z.number().exactOptional(),
  repeats: z.number().exactOptional(),
} satisfies Record<keyof OutboundMail, z.ZodType>);
