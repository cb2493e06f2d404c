import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

import { timeOfUuidv7 } from '../account/derived-id.ts';

export const STORED_MESSAGE = z.looseObject({
  /** UUIDv7. */
  id: z.string(),
  workspaceId: z.string(),
  ticketId: z.string(),
  body: z.string(),
  /** Seen by agents only. */
  isInternal: z.boolean(),
  direction: z.enum(['inbound', 'outbound', 'internal']),
  author: z.looseObject({
    type: z.enum(['customer', 'agent', 'ai', 'system']),
    /** `user:<sub>`, `key:<key id>`, a contact id or a run id. */
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  /** The time in its id, by which a ticket's messages are sorted: a thread is in the order of the times it shows. */
  createdAtMs: z.number(),
  /** Of a message that came or went by e-mail. */
  mail: z
    .looseObject({
      /** With its angle brackets, as `Message-ID` and `References` spell it. */
      messageId: z.string(),
      /** Where the original lies; only of what came in. */
      originalKey: z.string().exactOptional(),
    })
    .exactOptional(),
});
/** One message of a ticket. Written once; only erasure changes it. */
export type Message = StoredAs<typeof STORED_MESSAGE>;
export type Author = Message['author'];
export type MailFacts = NonNullable<Message['mail']>;

/** A message's id, and the only time that goes with it, however long after it the message is written. */
export const idAndTime = (id: string): Pick<Message, 'id' | 'createdAtMs'> => ({
  id,
  createdAtMs: timeOfUuidv7(id),
});
