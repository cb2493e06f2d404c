// Records as callers see them. Guarantees: pure; the same view in answers and in events; ids, times and texts only: nothing
// that is kept for this service's own work.
import type { Account } from './account/account.ts';
import type { HelpdeskAuditEntry } from './audit/entry.ts';
import type { Contact } from './contacts/contact.ts';
import type { Message } from './tickets/message.ts';
import { conversationStatusOf, ticketStatusOf } from './tickets/status.ts';
import type { Ticket } from './tickets/ticket.ts';

export const PREVIEW_MAX_CHARS = 500;

export const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
const freeForm = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
const freeFormOrNull = (text: string | null) => (text === null ? null : freeForm(text));

/** What both show alike. */
const progressOf = (ticket: Ticket) => ({
  contact_id: ticket.contactId,
  message_count: ticket.messageCount,
  last_message_at: isoOrNull(ticket.lastMessageAtMs),
  waiting_since: isoOrNull(ticket.waitingSinceMs),
  snoozed_until: isoOrNull(ticket.snoozedUntilMs),
  escalated_at: isoOrNull(ticket.escalatedAtMs),
  closed_at: isoOrNull(ticket.closedAtMs),
  close_reason: ticket.closeReason,
});

/** As the older paths show it. */
export function ticketView(ticket: Ticket) {
  return {
    id: ticket.id,
    ticket_code: ticket.code,
    subject: ticket.subject,
    customer_email: ticket.customerEmail,
    customer_name: ticket.customerName,
    status: ticketStatusOf(ticket.state),
    priority: ticket.priority,
    created_at: iso(ticket.createdAtMs),
    updated_at: iso(ticket.updatedAtMs),
    conversation_status: conversationStatusOf(ticket.state),
    channel: ticket.channel,
    ...progressOf(ticket),
  };
}

/** The same record, as v1 shows it. */
export function conversationView(ticket: Ticket) {
  return {
    id: ticket.id,
    ticket_code: ticket.code,
    subject: ticket.subject,
    status: conversationStatusOf(ticket.state),
    ticket_status: ticketStatusOf(ticket.state),
    priority: ticket.priority,
    channel: ticket.channel,
    customer_email: ticket.customerEmail,
    customer_name: ticket.customerName,
    ...progressOf(ticket),
    created_at: iso(ticket.createdAtMs),
    updated_at: iso(ticket.updatedAtMs),
  };
}

export function messageView(message: Message) {
  const { id, ticketId, body, isInternal, direction, author, createdAtMs } = message;
  return {
    id,
    ticket_id: ticketId,
    body,
    internal_note: isInternal,
    direction,
    author: { type: author.type, id: author.id, name: author.name },
    created_at: iso(createdAtMs),
  };
}

/** As events contain it: the text is cut, so that a payload stays small. */
export function messagePreview(message: Message) {
  const { body, ...rest } = messageView(message);
  return { ...rest, body_preview: previewOf(body) };
}

/** Whole characters only. */
export const previewOf = (text: string): string =>
  text.length <= PREVIEW_MAX_CHARS
    ? text
    : [...text.slice(0, PREVIEW_MAX_CHARS * 2)].slice(0, PREVIEW_MAX_CHARS).join('');

export function contactView(contact: Contact) {
  const metadata = freeForm(contact.metadata);
  const stopped = contact.mailStopped ?? null;
  return {
    id: contact.id,
    email: contact.email,
    firstname: contact.firstname,
    lastname: contact.lastname,
    company: contact.company,
    phone: contact.phone,
    name: contact.name,
    metadata,
    custom_fields: metadata,
    mail_stopped: stopped === null ? null : { since: iso(stopped.atMs), reason: stopped.reason },
    created_at: iso(contact.createdAtMs),
    updated_at: iso(contact.updatedAtMs),
  };
}

export function accountView(account: Account) {
  return {
    id: account.id,
    name: account.name,
    default_language: account.defaultLanguage,
    default_timezone: account.defaultTimezone,
    config: freeForm(account.config),
    created_at: iso(account.createdAtMs),
    updated_at: iso(account.updatedAtMs),
  };
}

export function auditView(entry: HelpdeskAuditEntry) {
  const { id, atMs, action, actor, source, resourceType, resourceId, ip, userAgent, requestId } = entry;
  return {
    id,
    created_at: iso(atMs),
    action,
    actor: { type: actor.type, id: actor.id, label: actor.label },
    source,
    resource_type: resourceType,
    resource_id: resourceId,
    changes: freeFormOrNull(entry.changes),
    metadata: freeFormOrNull(entry.metadata),
    ip,
    user_agent: userAgent,
    request_id: requestId,
  };
}
