// What became of a mail to a customer, shown to agents as a message of the ticket. Written once for each mail and word.

import { ACCOUNT_CONFIG_DEFAULT } from '../domain/account/config.ts';
import { derivedUuidv7 } from '../domain/account/derived-id.ts';
import type { OutboundMail } from '../domain/mail/mail.ts';
import { notedByMail } from '../domain/mail/messages.ts';
import type { DrainPorts } from './drain.ts';
import { joinTicket } from './join-ticket.ts';

export type MailWord = 'failed' | 'unknown' | 'suppressed' | 'bounced' | 'complained';

const TEXTS: Readonly<Record<MailWord, string>> = {
  failed: 'The reply above could not be sent by e-mail.',
  unknown:
    'It is not known whether the reply above was sent by e-mail: the mail provider never said. Ask the customer, or write again.',
  suppressed:
    'The reply above was not sent by e-mail: mail to this address is stopped, because an earlier one came back. Allow it again at the contact, then reply.',
  bounced: 'The reply above came back: the customer did not get it by e-mail.',
  complained: 'The customer reported the reply above as spam. Mail to this address is stopped.',
};

/** Words after which it is our turn again. */
const REOPENS: ReadonlySet<MailWord> = new Set(['failed', 'unknown', 'suppressed', 'bounced']);
const REASON_MAX = 500;

/** `atMs`: when it happened, the same at every try. `reason`: what a mail server said about it; null without one. */
export async function noteOfMail(
  mail: OutboundMail,
  word: MailWord,
  { atMs, reason }: { readonly atMs: number; readonly reason: string | null },
  ports: DrainPorts,
): Promise<void> {
  const id = derivedUuidv7(atMs, 'mail note', mail.workspaceId, mail.id, word);
  const said = reason === null ? '' : `\n\n${[...reason.toWellFormed()].slice(0, REASON_MAX).join('')}`;
  const note = { id, text: `${TEXTS[word]}${said}`, reopens: REOPENS.has(word) };
  const key = { workspaceId: mail.workspaceId, ticketId: mail.ticketId };
  await joinTicket(
    key,
    id,
    ACCOUNT_CONFIG_DEFAULT,
    // A ticket that was purged meanwhile gets no message.
    (stored, context) => (stored === null ? null : notedByMail(stored, note, context)),
    ports,
  );
}
