// A mail that becomes no message is listed with its reason, and taken in after all where an agent says so. Guarantees: brought
// again it is listed once; taken in again it is one message.
import { createHash } from 'node:crypto';
import { derivedUuidv7 } from '#lib/helpdesk/domain/account/derived-id.ts';
import { senderName, subjectOfMail } from '#lib/helpdesk/domain/mail/body.ts';
import { customerOf } from '#lib/helpdesk/domain/mail/customer.ts';
import type { InboundMail } from '#lib/helpdesk/domain/mail/inbound-mail.ts';
import { type AsideReason, canBeAccepted, identityOf } from '#lib/helpdesk/domain/mail/set-aside.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import type { MailRoute } from './find-ticket.ts';
import type { MailInPorts } from './ports.ts';
import { takeMail } from './take-mail.ts';

/** SES takes 40 MB at most; what is larger than this is mostly attachments. */
export const MAIL_MAX_BYTES = 30 * 1_048_576;

export interface AsideMail {
  readonly mail: InboundMail;
  readonly key: string;
  readonly storedAtMs: number;
}

export async function setAside(
  { workspaceId, ticketId }: MailRoute,
  reason: AsideReason,
  { mail, key, storedAtMs }: AsideMail,
  ports: Pick<MailInPorts, 'stores' | 'mailDomain'>,
): Promise<void> {
  const { from } = mail;
  const customer = from === null ? null : customerOf({ ...mail, from }, ports.mailDomain);
  const customerEmail = customer?.isNamedBySender === true ? customer.address : null;
  const digest = createHash('sha256')
    .update(JSON.stringify(identityOf(mail, customerEmail)))
    .digest('hex');
  await ports.stores.setAside.put({
    id: derivedUuidv7(storedAtMs, 'mail aside', workspaceId, digest),
    workspaceId,
    reason,
    from: from === null ? null : { address: from.address, name: senderName(from.name) },
    customerEmail,
    subject: subjectOfMail(mail.subject),
    receivedAtMs: storedAtMs,
    originalKey: key,
    answersTicketId: ticketId,
    ticketId: null,
  });
}

/** An agent says that a person wrote it. Nothing where it is gone, or is taken in already. */
export async function acceptMail({ workspaceId, id }: Pointer, ports: MailInPorts): Promise<void> {
  const { stores, objects } = ports;
  const aside = await stores.setAside.read(workspaceId, id);
  if (aside === null || aside.ticketId !== null || !canBeAccepted(aside)) return;
  const { originalKey: key, answersTicketId: ticketId } = aside;
  const object = await objects.read(key, MAIL_MAX_BYTES);
  const mail = object === null || object === 'too large' ? null : await ports.parse(object.bytes);
  if (object === null || object === 'too large' || mail?.from == null)
    return ports.noted({ outcome: 'ignored', reason: 'gone', key });
  const taken = { mail: { ...mail, from: mail.from }, key, storedAtMs: object.storedAtMs };
  const { outcome, ticketId: joined } = await takeMail({ workspaceId, ticketId }, taken, ports);
  await stores.setAside.replace({ ...aside, ticketId: joined });
  ports.noted({ outcome, reason: 'accepted', key });
}
