// Versions of records as callers name them. Guarantees: what a reader is shown and what If-Match compares is one tag; a ticket
// whose snooze is over has another one than the same row had before, because it is shown otherwise.
import { etagOf } from '#lib/core/http/etag.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { effectiveTicket } from '#lib/helpdesk/domain/tickets/transition.ts';

export interface Shown<R> {
  /** As readers see it at this moment. */
  readonly record: R;
  readonly etag: string;
}

export function shownTicket({ record, version }: Stored<Ticket>, nowMs: number): Shown<Ticket> {
  const ticket = effectiveTicket(record, nowMs);
  return { record: ticket, etag: etagOf(ticket === record ? version : `${version}-awake`) };
}

export const shown = <R>({ record, version }: Stored<R>): Shown<R> => ({ record, etag: etagOf(version) });
