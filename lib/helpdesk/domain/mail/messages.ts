// A ticket's messages that come by e-mail or report on one: what is written to the ticket and what follows from it.
// Guarantees: pure, except for the ids that are passed in; the same rules as for messages of other channels.
import type { AccountConfig } from '../account/config.ts';
import { contactIdOf } from '../contacts/contact-id.ts';
import type { Stored } from '../outbox.ts';
import { changedTicket, createTicket, type TicketContext, type TicketWrite } from '../tickets/change.ts';
import { type Author, idAndTime, type Message } from '../tickets/message.ts';
import type { Ticket } from '../tickets/ticket.ts';
import { applyTrigger } from '../tickets/transition.ts';
import type { Mailbox } from './inbound-mail.ts';

/** `email` null: the sender's address does not fit a contact. */
export interface MailTicket {
  readonly id: string;
  readonly workspaceId: string;
  readonly code: string;
  readonly subject: string;
  readonly email: string | null;
  readonly name: string | null;
}

export interface CustomerMessage {
  readonly id: string;
  readonly body: string;
  readonly from: Mailbox;
  readonly messageId: string;
  readonly originalKey: string;
  /** Shown to agents with the message; null: no warning. */
  readonly warning: { readonly id: string; readonly text: string } | null;
}

/** Of a worker of the mails. */
export function mailContext(
  workspaceId: string,
  config: Pick<AccountConfig, 'autoDraft' | 'keepsSnooze'>,
  at: { readonly atMs: number; readonly newId: () => string },
): TicketContext {
  return { ...at, by: { workspaceId, system: 'mail' }, config, mailDomain: null };
}

/** A ticket that a customer opens by writing. */
export function openedByMail(
  facts: MailTicket,
  message: CustomerMessage,
  context: TicketContext,
): TicketWrite {
  const { email, name, ...ticket } = facts;
  const created = createTicket(
    {
      ...ticket,
      customerEmail: email,
      customerName: name,
      priority: 'normal',
      channel: 'email',
      ...receivedOf(facts.workspaceId, message),
    },
    context,
  );
  return withWarning(created, message, context.atMs);
}

/** A customer's message that joins a ticket. */
export function joinedByMail(
  stored: Stored<Ticket>,
  message: CustomerMessage,
  context: TicketContext,
): TicketWrite | null {
  const received = receivedOf(stored.record.workspaceId, message);
  const write = changedTicket(stored, [{ kind: 'receive', ...received }], context);
  return write === null ? null : withWarning(write, message, context.atMs);
}

export interface MailNote {
  readonly id: string;
  readonly text: string;
  /** The customer did not get our reply: it is our turn again. */
  readonly reopens: boolean;
}

const SYSTEM: Author = { type: 'system', id: 'mail', name: 'E-mail' };

/** A message to the agents about what happened to a mail. */
export function notedByMail(
  stored: Stored<Ticket>,
  note: MailNote,
  context: TicketContext,
): TicketWrite | null {
  const { id: messageId, text: body, reopens } = note;
  const write = { kind: 'write', body, isInternal: true, author: SYSTEM, messageId } as const;
  const isTheirTurn =
    applyTrigger(stored.record, { kind: 'internal_note' }, context.atMs).ticket.state === 'WAITING';
  const turn = { kind: 'trigger', trigger: { kind: 'open' } } as const;
  return changedTicket(stored, reopens && isTheirTurn ? [write, turn] : [write], context);
}

function receivedOf(workspaceId: string, message: CustomerMessage) {
  const { id, body, from, messageId, originalKey } = message;
  const author: Author = {
    type: 'customer',
    id: contactIdOf(workspaceId, from.address),
    name: from.name ?? from.address,
  };
  return { body, mail: { messageId, originalKey }, received: { messageId: id, author } };
}

function withWarning(write: TicketWrite, { warning }: CustomerMessage, nowMs: number): TicketWrite {
  if (warning === null) return write;
  const { ticket: record } = applyTrigger(write.record, { kind: 'internal_note' }, nowMs);
  const message: Message = {
    ...idAndTime(warning.id),
    workspaceId: record.workspaceId,
    ticketId: record.id,
    body: warning.text,
    isInternal: true,
    direction: 'internal',
    author: SYSTEM,
  };
  return { ...write, record, outbox: [...write.outbox, { kind: 'message', message }] };
}
