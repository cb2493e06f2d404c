// A ticket: one record with one internal state. Both public statuses, of tickets and of conversations, are derived from it
// and stored nowhere.

/**
 * `NEW` the customer wrote and no agent has acted, `OPEN` our turn, `ESCALATED` our turn and raised, `WAITING` the
 * customer's turn, `SNOOZED` hidden until a time, `DONE` closed, `REJECTED` refused: spam, never answered.
 */
export const TICKET_STATES = ['NEW', 'OPEN', 'ESCALATED', 'WAITING', 'SNOOZED', 'DONE', 'REJECTED'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const CHANNELS = ['email', 'chat', 'voice', 'api'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Ticket {
  /** UUIDv7; the id of the conversation as well. */
  readonly id: string;
  /** Who owns it: the merchant id of core. */
  readonly workspaceId: string;
  /** `TKT-000042`. Never accepted as an id. */
  readonly code: string;
  readonly subject: string;
  readonly customerEmail: string | null;
  readonly customerName: string | null;
  /** Of the customer's e-mail address, see `contactIdOf`; null without an address. */
  readonly contactId: string | null;
  readonly priority: Priority;
  readonly channel: Channel;
  /**
   * Of another channel than e-mail: replies go by e-mail all the same, because its workspace was configured so when it
   * was opened.
   */
  readonly isAnsweredByMail?: true;
  readonly state: TicketState;
  /** Only while SNOOZED. */
  readonly snoozedUntilMs: number | null;
  /** Since when it is raised; kept while it is snoozed. */
  readonly escalatedAtMs: number | null;
  /** Since when the customer waits for us; null where it is not our turn. */
  readonly waitingSinceMs: number | null;
  readonly closedAtMs: number | null;
  readonly closeReason: string | null;
  readonly messageCount: number;
  readonly lastMessageAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
