// What remains of a record after its customer was erased. Guarantees: pure and idempotent; code, state, priority and
// times stay, for the figures of the workspace. What agents wrote stays: it belongs to the workspace. Nothing
// identifies the customer.

import type { OutboundMail } from '../mail/mail.ts';
import type { Message } from '../tickets/message.ts';
import type { Ticket } from '../tickets/ticket.ts';
import type { Delivery } from '../webhooks/delivery.ts';

export const ERASED = '[erased]';

export const isErasedTicket = ({ contactId, customerEmail, customerName, subject }: Ticket): boolean =>
  contactId === null && customerEmail === null && customerName === null && subject === ERASED;

export const erasedTicket = (ticket: Ticket, nowMs: number): Ticket => ({
  ...ticket,
  subject: ERASED,
  customerEmail: null,
  customerName: null,
  contactId: null,
  // Agents may name the customer there.
  closeReason: ticket.closeReason === null ? null : ERASED,
  updatedAtMs: nowMs,
});

/** The same object if it has nothing to erase. Drafts are erased too: they rest on what the customer wrote. */
export function erasedMessage(message: Message): Message {
  const { mail, ...rest } = message;
  const { type } = message.author;
  if (type !== 'customer' && type !== 'ai') return mail === undefined ? message : rest;
  const author = type === 'customer' ? { type, id: null, name: null } : message.author;
  const isErased =
    mail === undefined &&
    message.body === ERASED &&
    message.author.id === author.id &&
    message.author.name === author.name;
  return isErased ? message : { ...rest, body: ERASED, author };
}

/** True if a payload contains the contact or one of its tickets. */
export function tellsOf(payload: string, { email, contactId, ticketIds }: ErasedPerson): boolean {
  if (payload.includes(contactId)) return true;
  if (email !== null && payload.toLowerCase().includes(email)) return true;
  return (payload.match(UUIDS) ?? []).some((id) => ticketIds.has(id));
}

export interface ErasedPerson {
  /** Lowercase. */
  readonly email: string | null;
  readonly contactId: string;
  readonly ticketIds: ReadonlySet<string>;
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const NO_PAYLOAD = '{}';

/** A pending delivery is cancelled: sending it would reveal what is to be erased. */
export const erasedDelivery = (delivery: Delivery, nowMs: number): Delivery =>
  delivery.payload === NO_PAYLOAD
    ? delivery
    : {
        ...delivery,
        payload: NO_PAYLOAD,
        ...(delivery.status === 'pending'
          ? { status: 'cancelled', lastError: 'erased', nextAttemptAtMs: null }
          : {}),
        updatedAtMs: nowMs,
      };

/** The same object if it has nothing to erase. A waiting mail has no receiver any more. */
export function erasedMail(mail: OutboundMail, nowMs: number): OutboundMail {
  const waits = mail.status === 'pending' || mail.status === 'unknown';
  if (!waits && mail.providerId === null && mail.messageId === undefined && mail.error === null) return mail;
  const { messageId: _messageId, ...rest } = mail;
  return {
    ...rest,
    providerId: null,
    error: waits ? 'erased' : null,
    ...(waits ? { status: 'failed' } : {}),
    updatedAtMs: nowMs,
  };
}
