// Mails to customers as raw MIME, made with nodemailer's composer. Guarantees: plain text that any mail program shows as it was
// written; no text can become a header; nothing is read from files or fetched. Refuses nothing: addresses were checked before.
import MailComposer from 'nodemailer/lib/mail-composer';
import type { ComposedMail } from '../../helpdesk/domain/mail/outbound-mail.ts';

export async function composeMail(mail: ComposedMail): Promise<Uint8Array> {
  const composer = new MailComposer({
    from: addressOf(mail.from),
    to: addressOf(mail.to),
    replyTo: addressOf(mail.replyTo),
    subject: mail.subject,
    messageId: mail.messageId,
    references: [...mail.references],
    ...(mail.inReplyTo === null ? {} : { inReplyTo: mail.inReplyTo }),
    date: new Date(mail.atMs),
    text: mail.text,
    headers: mail.headers,
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

const addressOf = ({ address, name }: ComposedMail['from']): { address: string; name: string } => ({
  address,
  name: name ?? '',
});
