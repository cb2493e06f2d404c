// The mail status of a reply, as the API shows it. Guarantees: a public reply that is not mailed says so, and why.
import type { MailStatus, UnmailedReason } from '#lib/helpdesk/domain/mail/mail.ts';
import { whyUnmailed } from '#lib/helpdesk/domain/tickets/change.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';

export interface MailFate {
  readonly mail_status: MailStatus | 'not_sent' | null;
  readonly mail_reason: UnmailedReason | null;
}

export const NO_MAIL: MailFate = { mail_status: null, mail_reason: null };

/** `status`: of its mail's row; undefined if it has none. */
export function mailFateOf(
  ticket: Ticket,
  { direction }: Message,
  status: MailStatus | undefined,
  mailDomain: string | null,
): MailFate {
  if (direction !== 'outbound') return NO_MAIL;
  if (status !== undefined) return { mail_status: status, mail_reason: null };
  return { mail_status: 'not_sent', mail_reason: whyUnmailed(ticket, mailDomain) };
}

/** For a reply committed just now: its mail's row may not exist yet. */
export const newMailFate = (ticket: Ticket, message: Message, mailDomain: string | null): MailFate =>
  mailFateOf(ticket, message, whyUnmailed(ticket, mailDomain) === null ? 'pending' : undefined, mailDomain);
