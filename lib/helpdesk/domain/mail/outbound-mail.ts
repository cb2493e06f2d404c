// The mail that a customer gets for a public reply.
// Guarantees: an answer to it finds its ticket by the reply address, and if a mail program loses that, by `References`:
// every mail refers to its ticket's own Message-ID, whose MAC only we can compute. Refuses: mails if the workspace, the
// ticket or the customer has no address.

import type { Ticket } from '../tickets/ticket.ts';
import { replyAddress, supportAddress } from './address.ts';
import { type Mailbox, OWN_MAIL_HEADER } from './inbound-mail.ts';

export interface ComposedMail {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: Mailbox;
  readonly subject: string;
  /** These with their angle brackets. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `Date`, ms. */
  readonly atMs: number;
}

/** `References` grows with a thread, and a header line does not: the first and the last of them. */
const REFERENCES_MAX = 20;
const NAME_MAX = 120;
const SUBJECT_MAX = 250;

export interface ReplyParts {
  readonly ticket: Ticket;
  readonly message: { readonly id: string; readonly body: string; readonly createdAtMs: number };
  /** Of the workspace, as customers know it. */
  readonly workspaceName: string;
  readonly domain: string;
  /** Of the ticket's reply text. */
  readonly mac: Uint8Array;
  /** Message-IDs of the ticket's mails before this one, the oldest first. */
  readonly earlier: readonly { readonly messageId: string; readonly isInbound: boolean }[];
}

/** Null if the ticket has no customer address, or the workspace has no address to write from. */
export function replyMail({
  ticket,
  message,
  workspaceName,
  domain,
  mac,
  earlier,
}: ReplyParts): ComposedMail | null {
  const from = supportAddress(ticket.workspaceId, domain);
  const key = { workspaceId: ticket.workspaceId, ticketId: ticket.id };
  const replyTo = replyAddress(key, mac, domain);
  if (from === null || replyTo === null || ticket.customerEmail === null) return null;
  const name = shorten(workspaceName, NAME_MAX);
  const answered = earlier.findLast(({ isInbound }) => isInbound) ?? earlier.at(-1);
  const reference = `<${replyTo}>`;
  const known = earlier.map(({ messageId }) => messageId);
  const inReplyTo = answered?.messageId ?? reference;
  return {
    from: { address: from, name: name === '' ? null : name },
    to: { address: ticket.customerEmail, name: ticket.customerName },
    replyTo: { address: replyTo, name: name === '' ? null : name },
    subject: subjectOf(ticket),
    messageId: messageIdOf(message.id, domain),
    inReplyTo,
    references: [
      reference,
      ...new Set(known.filter((id) => id !== inReplyTo).slice(-REFERENCES_MAX)),
      ...(inReplyTo === reference ? [] : [inReplyTo]),
    ],
    text: message.body,
    headers: { [OWN_MAIL_HEADER]: message.id },
    atMs: message.createdAtMs,
  };
}

/** Our own id; SES replaces it by one of its own. */
export const messageIdOf = (id: string, domain: string): string => `<${id}@${domain}>`;

/** `Re: Broken lamp [TKT-000042]`: as it was, with the code once. */
function subjectOf({ subject, code }: Ticket): string {
  const bare = subject.replaceAll(`[${code}]`, '').replace(/^(?:\s*(?:re|aw|antw|sv|vs|rif|odp)\s*:)+/i, '');
  const text = shorten(bare, SUBJECT_MAX);
  return text === '' ? `Re: [${code}]` : `Re: ${text} [${code}]`;
}

/** One line of at most so many characters. */
function shorten(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}
