// A message of a ticket as it is stored.
import * as z from 'zod';
import type { Author, MailFacts, Message } from './message.ts';

export const STORED_MESSAGE: z.ZodType<Message> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  ticketId: z.string(),
  body: z.string(),
  isInternal: z.boolean(),
  direction: z.enum(['inbound', 'outbound', 'internal']),
  author: z.looseObject({
    type: z.enum(['customer', 'agent', 'ai', 'system']),
    id: z.string().nullable(),
    name: z.string().nullable(),
  } satisfies Record<keyof Author, z.ZodType>),
  createdAtMs: z.number(),
  mail: z
    .looseObject({
      messageId: z.string(),
      originalKey: z.string().exactOptional(),
    } satisfies Record<keyof MailFacts, z.ZodType>)
    .exactOptional(),
} satisfies Record<keyof Message, z.ZodType>);
