// Builds the mail of a reply. Guarantees: all reads happen before the mail is claimed, so a failed read costs nothing;
// erased text is not sent.
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import { REPLY_MAC_CONTEXT, replyText } from '#lib/helpdesk/domain/mail/address.ts';
import type { OutboundMail } from '#lib/helpdesk/domain/mail/mail.ts';
import { type ComposedMail, replyMail } from '#lib/helpdesk/domain/mail/outbound-mail.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { MailOutPorts } from './ports.ts';

export type Prepared =
  | { readonly kind: 'mail'; readonly mail: ComposedMail }
  | { readonly kind: 'suppressed' }
  /** Nothing to send, or no address to send it to. */
  | { readonly kind: 'impossible'; readonly why: string };

/** Earlier messages that are searched for the one this reply answers. */
const EARLIER_MAX = 50;

export async function prepare(pending: OutboundMail, ports: MailOutPorts): Promise<Prepared> {
  const { stores, macs, mailDomain } = ports;
  const { workspaceId, ticketId, id } = pending;
  const stored = await stores.tickets.read(workspaceId, ticketId);
  if (stored === null) return { kind: 'impossible', why: 'the ticket is gone' };
  const { record: ticket } = stored;
  const message =
    pendingMessage(stored, id) ?? (await stores.messages.readMessage(workspaceId, ticketId, id));
  if (message === null || message.isInternal) return { kind: 'impossible', why: 'the message is gone' };
  if (ticket.customerEmail === null) return { kind: 'impossible', why: 'the customer has no e-mail address' };
  const contact = await stores.contacts.read(workspaceId, contactIdOf(workspaceId, ticket.customerEmail));
  if ((contact?.record.mailStopped ?? null) !== null) return { kind: 'suppressed' };
  const mac = await macs.mac(workspaceId, REPLY_MAC_CONTEXT, replyText({ workspaceId, ticketId }), true);
  if (mac === null) throw new Error('a workspace has no key although one was to be made');
  const account = await stores.accounts.read(workspaceId, workspaceId);
  const mail = replyMail({
    ticket,
    message,
    workspaceName: account?.record.name ?? (await ports.workspaceName(workspaceId)),
    domain: mailDomain,
    mac,
    earlier: await earlierMails(ticket, message, ports),
  });
  return mail === null
    ? { kind: 'impossible', why: 'the workspace has no e-mail address' }
    : { kind: 'mail', mail };
}

/** The message may still be in the ticket's outbox. */
function pendingMessage({ outbox }: Stored<Ticket>, id: string): Message | null {
  for (const entry of outbox) if (entry.kind === 'message' && entry.message.id === id) return entry.message;
  return null;
}

async function earlierMails(
  { workspaceId, id: ticketId }: Ticket,
  message: Message,
  { stores }: MailOutPorts,
): Promise<readonly { readonly messageId: string; readonly isInbound: boolean }[]> {
  const { total } = await stores.messages.listMessages(workspaceId, ticketId, { limit: 1, offset: 0 });
  const offset = Math.max(0, total - EARLIER_MAX);
  const { messages } = await stores.messages.listMessages(workspaceId, ticketId, {
    limit: EARLIER_MAX,
    offset,
  });
  const before = messages.filter(({ id, isInternal }) => id < message.id && !isInternal);
  const sent = await stores.mails.readMany(
    workspaceId,
    before.filter(({ direction }) => direction === 'outbound').map(({ id }) => id),
  );
  const sentIds = new Map(sent.map(({ record }) => [record.id, record.messageId]));
  return before.flatMap(({ id, direction, mail }) => {
    const messageId = direction === 'inbound' ? mail?.messageId : sentIds.get(id);
    return messageId === undefined ? [] : [{ messageId, isInbound: direction === 'inbound' }];
  });
}
