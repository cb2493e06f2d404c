// What several routes answer alike. Guarantees: what a reader is shown and what If-Match compares is one tag; a ticket whose
// snooze is over has another one than the same row had before, because it is shown otherwise; a total that is not exact says so.
import { etagOf, hasCopy } from '#lib/core/http/etag.ts';
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

export const answered = <R, Body>({ record, etag }: Shown<R>, bodyOf: (record: R) => Body) =>
  ({ status: 200, body: bodyOf(record), headers: { etag } }) as const;

/** 304 where the caller has it already. */
export function answeredUnlessKnown<R, Body>(
  found: Shown<R>,
  headers: { readonly 'if-none-match'?: string | undefined },
  bodyOf: (record: R) => Body,
) {
  const { etag } = found;
  if (!hasCopy(headers['if-none-match'], etag)) return answered(found, bodyOf);
  return { status: 304, body: undefined, headers: { etag } } as const;
}

/** A page of a list; a header comes with a total that is not exact. */
export const listed = <Body extends object>(body: Body, { isCapped }: { readonly isCapped: boolean }) => ({
  status: 200 as const,
  body: { success: true as const, ...body },
  headers: isCapped ? { 'x-total-capped': 'true' } : {},
});

export const NOT_FOUND = { failure: 'not_found' } as const;

/** Of a change of one record. */
export interface Refusal {
  readonly failure: 'not_found' | 'precondition_failed';
}

export const invalid = (path: string, message: string) =>
  ({ failure: 'invalid_request', details: [{ path, message }] }) as const;

export const tooFar = (path: string) => invalid(path, 'must not lie beyond the first 10000 records');
