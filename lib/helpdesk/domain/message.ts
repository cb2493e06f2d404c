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
  readonly createdAtMs: number;
  /** Of a message that came or went by e-mail. */
  readonly mail?: MailFacts;
}

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
