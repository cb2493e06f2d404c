// What must follow a commit, stored in the record that was committed. Each entry's effect is idempotent by the ids in
// it: any process that finds an entry may carry it out, any number of times, and then removes it.
import type { HelpdeskAuditEntry } from './audit/entry.ts';
import type { Message } from './tickets/message.ts';
import type { EventKind } from './webhooks/event-kind.ts';

export type OutboxEntry =
  /** The message's row is put. */
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'audit'; readonly entry: HelpdeskAuditEntry }
  /** The record is found under these tokens and no longer under those; `version` is the record's. */
  | {
      readonly kind: 'search';
      readonly type: SearchType;
      readonly recordId: string;
      readonly version: number;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  /** A delivery for each webhook that wants this kind. */
  | { readonly kind: 'event'; readonly event: HelpdeskEvent }
  /** The contact exists from then on, and lists the ticket. */
  | {
      readonly kind: 'contact';
      readonly email: string;
      readonly name: string | null;
      readonly ticketId: string;
      readonly atMs: number;
    }
  /** A run is made, and earlier ones that wait are superseded. */
  | {
      readonly kind: 'run';
      readonly runId: string;
      readonly noteId: string;
      readonly ticketId: string;
      readonly trigger: 'message' | 'manual';
      readonly messageId: string | null;
      readonly atMs: number;
    }
  /** The message goes out to the customer. */
  | { readonly kind: 'mail'; readonly messageId: string; readonly ticketId: string; readonly atMs: number }
  /** All that is kept of the contact goes. */
  | { readonly kind: 'erase'; readonly contactId: string; readonly email: string; readonly atMs: number };

export type SearchType = 'ticket' | 'contact' | 'article';

export interface HelpdeskEvent {
  /** UUIDv7. */
  readonly id: string;
  readonly type: EventKind;
  readonly atMs: number;
  /** Of the record in the event: receivers drop events older than what they have. */
  readonly version: number;
  /** As sent: `{"ticket":{…}}`, JSON text. */
  readonly data: string;
}

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
