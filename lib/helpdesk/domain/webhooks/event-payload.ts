// The webhook payload of a record at the moment of an event. Guarantees: the data is fixed as text at the commit, so
// that every attempt, however late, sends the same bytes; the text of a message is cut.
import type { Account } from '../account/account.ts';
import type { Contact } from '../contacts/contact.ts';
import type { HelpdeskEvent, OutboxEntry } from '../outbox.ts';
import type { Message } from '../tickets/message.ts';
import type { Ticket } from '../tickets/ticket.ts';
import { accountView, contactView, iso, messagePreview, ticketView } from '../wire-views.ts';
import type { EventKind } from './event-kind.ts';

type EventEntry = Extract<OutboxEntry, { readonly kind: 'event' }>;

/** Of a commit: its version, its time, and a fresh UUIDv7 for each event. */
export interface Committed {
  readonly version: number;
  readonly atMs: number;
  readonly newId: () => string;
}

/** `message`: the one that came with the change. */
export function ticketEvents(
  kinds: readonly EventKind[],
  of: { readonly ticket: Ticket; readonly message: Message | null },
  at: Committed,
): readonly EventEntry[] {
  const ticket = ticketView(of.ticket);
  const message = of.message === null ? {} : { message: messagePreview(of.message) };
  return kinds.map((kind) => eventEntry(kind, { ticket, ...message }, at));
}

/** Metadata and custom fields of a contact may be anything and large: they are not sent. */
export function contactEvent(kind: EventKind, contact: Contact, at: Committed): EventEntry {
  const { metadata: _metadata, custom_fields: _fields, ...shown } = contactView(contact);
  return eventEntry(kind, { contact: shown }, at);
}

/** The configuration may be anything and large, too. */
export function accountEvent(account: Account, at: Committed): EventEntry {
  const { config: _config, ...shown } = accountView(account);
  return eventEntry('account.updated', { account: shown }, at);
}

export function eventEntry(
  kind: EventKind,
  data: Readonly<Record<string, unknown>>,
  { version, atMs, newId }: Committed,
): EventEntry {
  return { kind: 'event', event: { id: newId(), type: kind, atMs, version, data: JSON.stringify(data) } };
}

/** What is signed and sent. */
export function eventBody(workspaceId: string, event: HelpdeskEvent): string {
  const head = { type: event.type, timestamp: iso(event.atMs), account_id: workspaceId };
  return `${JSON.stringify(head).slice(0, -1)},"data":${event.data},"version":${event.version}}`;
}
