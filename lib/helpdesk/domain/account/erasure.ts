// What is left of a record once its customer was erased. Guarantees: pure; done twice it is done once; code, state, priority and
// times stay, for the figures of the workspace. What agents wrote stays: it is the workspace's own. Nothing says who it was.

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
  // Agents write there whom they mean.
  closeReason: ticket.closeReason === null ? null : ERASED,
  updatedAtMs: nowMs,
});

/** The same object where nothing is to be taken out of it. Drafts rest on what the customer wrote. */
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

/** True where a payload tells of the contact or of one of its tickets. */
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

/** What waits is not sent: its receiver would be told what is to be forgotten. */
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

/** The same object where there is nothing to be taken out. A mail that waits has no receiver any more. */
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
