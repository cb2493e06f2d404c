import { timeOfUuidv7 } from '../account/derived-id.ts';

/** One message of a ticket. Written once; only erasure changes it. */
export interface Message {
  /** UUIDv7. */
  readonly id: string;
  readonly workspaceId: string;
  readonly ticketId: string;
  readonly body: string;
  /** Seen by agents only. */
  readonly isInternal: boolean;
  readonly direction: 'inbound' | 'outbound' | 'internal';
  readonly author: Author;
  /** The time in its id, by which a ticket's messages are sorted: a thread is in the order of the times it shows. */
  readonly createdAtMs: number;
  /** Of a message that came or went by e-mail. */
  readonly mail?: MailFacts;
}

/** A message's id, and the only time that goes with it, however long after it the message is written. */
export const placeOf = (id: string): Pick<Message, 'id' | 'createdAtMs'> => ({
  id,
  createdAtMs: timeOfUuidv7(id),
});

export interface Author {
  readonly type: 'customer' | 'agent' | 'ai' | 'system';
  /** `user:<sub>`, `key:<key id>`, a contact id or a run id. */
  readonly id: string | null;
  readonly name: string | null;
}

export interface MailFacts {
  /** With its angle brackets, as `Message-ID` and `References` spell it. */
  readonly messageId: string;
  /** Where the original lies; only of what came in. */
  readonly originalKey?: string;
}
