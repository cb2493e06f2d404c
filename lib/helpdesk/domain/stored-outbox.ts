// What must follow a commit, as it is stored in the record. An entry that cannot be read is not skipped: the record waits with it.
import * as z from 'zod';
import { STORED_AUDIT_ENTRY } from './audit/stored-entry.ts';
import type { HelpdeskEvent, OutboxEntry } from './outbox.ts';
import { STORED_MESSAGE } from './tickets/stored-message.ts';
import { EVENT_KINDS } from './webhooks/event-kind.ts';

type Fields<Kind extends OutboxEntry['kind']> = Record<
  keyof Extract<OutboxEntry, { readonly kind: Kind }>,
  z.ZodType
>;

const event = z.looseObject({
  id: z.string(),
  type: z.enum(EVENT_KINDS),
  atMs: z.number(),
  version: z.number(),
  data: z.string(),
} satisfies Record<keyof HelpdeskEvent, z.ZodType>);

const ENTRIES = [
  z.looseObject({ kind: z.literal('message'), message: STORED_MESSAGE } satisfies Fields<'message'>),
  z.looseObject({ kind: z.literal('audit'), entry: STORED_AUDIT_ENTRY } satisfies Fields<'audit'>),
  z.looseObject({
    kind: z.literal('search'),
    type: z.enum(['ticket', 'contact', 'article']),
    recordId: z.string(),
    version: z.number(),
    add: z.array(z.string()),
    remove: z.array(z.string()),
  } satisfies Fields<'search'>),
  z.looseObject({ kind: z.literal('event'), event } satisfies Fields<'event'>),
  z.looseObject({
    kind: z.literal('contact'),
    email: z.string(),
    name: z.string().nullable(),
    ticketId: z.string(),
    atMs: z.number(),
  } satisfies Fields<'contact'>),
  z.looseObject({
    kind: z.literal('run'),
    runId: z.string(),
    noteId: z.string(),
    ticketId: z.string(),
    trigger: z.enum(['message', 'manual']),
    messageId: z.string().nullable(),
    atMs: z.number(),
  } satisfies Fields<'run'>),
  z.looseObject({
    kind: z.literal('mail'),
    messageId: z.string(),
    ticketId: z.string(),
    atMs: z.number(),
  } satisfies Fields<'mail'>),
  z.looseObject({
    kind: z.literal('erase'),
    contactId: z.string(),
    email: z.string(),
    atMs: z.number(),
  } satisfies Fields<'erase'>),
] as const;

export const STORED_OUTBOX: z.ZodType<readonly OutboxEntry[]> = z.array(
  z.discriminatedUnion('kind', ENTRIES),
);
