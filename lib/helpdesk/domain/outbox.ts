// What must follow a commit, stored in the record that was committed. Each entry's effect is idempotent by the ids in
// it: any process that finds an entry may carry it out, any number of times, and then removes it.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { STORED_AUDIT_ENTRY } from './audit/entry.ts';
import { STORED_MESSAGE } from './tickets/message.ts';
import { EVENT_KINDS } from './webhooks/event-kind.ts';

const STORED_EVENT = z.looseObject({
  /** UUIDv7. */
  id: z.string(),
  type: z.enum(EVENT_KINDS),
  atMs: z.number(),
  /** Of the record in the event: receivers drop events older than what they have. */
  version: z.number(),
  /** As sent: `{"ticket":{…}}`, JSON text. */
  data: z.string(),
});
export type HelpdeskEvent = StoredAs<typeof STORED_EVENT>;

/** An entry that cannot be read is not skipped: the record waits with it. */
export const STORED_OUTBOX = z.array(
  z.discriminatedUnion('kind', [
    /** The message's row is put. */
    z.looseObject({ kind: z.literal('message'), message: STORED_MESSAGE }),
    z.looseObject({ kind: z.literal('audit'), entry: STORED_AUDIT_ENTRY }),
    /** The record is found under these tokens and no longer under those; `version` is the record's. */
    z.looseObject({
      kind: z.literal('search'),
      type: z.enum(['ticket', 'contact', 'article']),
      recordId: z.string(),
      version: z.number(),
      add: z.array(z.string()),
      remove: z.array(z.string()),
    }),
    /** A delivery for each webhook that wants this kind. */
    z.looseObject({ kind: z.literal('event'), event: STORED_EVENT }),
    /** The contact exists from then on, and lists the ticket. */
    z.looseObject({
      kind: z.literal('contact'),
      email: z.string(),
      name: z.string().nullable(),
      ticketId: z.string(),
      atMs: z.number(),
    }),
    /** A run is made, and earlier ones that wait are superseded. */
    z.looseObject({
      kind: z.literal('run'),
      runId: z.string(),
      noteId: z.string(),
      ticketId: z.string(),
      trigger: z.enum(['message', 'manual']),
      messageId: z.string().nullable(),
      atMs: z.number(),
    }),
    /** The message goes out to the customer. */
    z.looseObject({
      kind: z.literal('mail'),
      messageId: z.string(),
      ticketId: z.string(),
      atMs: z.number(),
    }),
    /** All that is kept of the contact goes. */
    z.looseObject({
      kind: z.literal('erase'),
      contactId: z.string(),
      email: z.string(),
      atMs: z.number(),
    }),
  ]),
);
export type OutboxEntry = StoredAs<typeof STORED_OUTBOX>[number];

export type SearchEntry = Extract<OutboxEntry, { kind: 'search' }>;
export type SearchType = SearchEntry['type'];

/** A record as it is stored: with its outbox, and the time at which a sweep must look at it again. */
export interface Stored<R> {
  readonly record: R;
  /** 1 when created, plus one with each commit. */
  readonly version: number;
  readonly outbox: readonly OutboxEntry[];
  /** When a sweep has to look at it; null if nothing is due. */
  readonly dueAtMs: number | null;
  /** When it is due for its own sake, such as the end of a snooze; what `dueAtMs` becomes once its outbox is empty. */
  readonly timerAtMs?: number | null;
}
