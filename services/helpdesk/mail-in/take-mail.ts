// A mail that belongs to a workspace becomes one message of one ticket. Guarantees: the ticket and the message are
// claimed under the mail's identity (its Message-ID, sender, date and text) before anything is written, so that
// repeated and concurrent deliveries do the same; every step can be repeated without harm.
import { createHash } from 'node:crypto';
import { type AccountConfig, accountConfigOf } from '#lib/helpdesk/domain/account/config.ts';
import { derivedUuidv7, timeOfUuidv7 } from '#lib/helpdesk/domain/account/derived-id.ts';
import { type BodyNotes, bodyOf, senderName, subjectOfMail } from '#lib/helpdesk/domain/mail/body.ts';
import { customerOf, isContactAddress, type MailCustomer } from '#lib/helpdesk/domain/mail/customer.ts';
import type { InboundMail, Mailbox } from '#lib/helpdesk/domain/mail/inbound-mail.ts';
import {
  type CustomerMessage,
  joinedByMail,
  type MailTicket,
  openedByMail,
} from '#lib/helpdesk/domain/mail/messages.ts';
import { identityOf } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { ticketCodeOf } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { joinTicket } from '#lib/helpdesk/work/join-ticket.ts';
import { findTicket, type MailRoute } from './find-ticket.ts';
import type { MailInPorts, MailOutcome } from './ports.ts';

export interface TakenMail {
  readonly mail: InboundMail & { readonly from: Mailbox };
  readonly key: string;
  /** In whole seconds, rounded down, as S3 reports it. */
  readonly storedAtMs: number;
}

const SECOND_MS = 1_000;

interface Claim {
  readonly ticketId: string;
  readonly messageId: string;
}

export interface Taken {
  readonly outcome: MailOutcome['outcome'];
  readonly ticketId: string;
}

export async function takeMail(route: MailRoute, taken: TakenMail, ports: MailInPorts): Promise<Taken> {
  const { workspaceId } = route;
  const { mail } = taken;
  const claim = await claimed(route, taken, ports);
  const account = await ports.stores.accounts.read(workspaceId, workspaceId);
  const config = accountConfigOf(account?.record ?? null);
  const existing = await ports.stores.tickets.read(workspaceId, claim.ticketId);
  const customer = existing === null ? customerOf(mail, ports.mailDomain) : null;
  const message = messageOf(workspaceId, claim.messageId, taken, customer);
  const opened = customer === null ? null : await openedAs(customer, workspaceId, claim, mail, config, ports);
  const isWritten = await joinTicket(
    { workspaceId, ticketId: claim.ticketId },
    claim.messageId,
    config,
    (stored, context) => {
      if (stored !== null) return joinedByMail(stored, message, context);
      return opened === null ? null : openedByMail(opened, message, context);
    },
    ports,
  );
  // An earlier mail may have been lost, and so may this one's message: either id leads an answer to the ticket.
  if (mail.messageId !== null)
    await ports.stores.threads.remember(workspaceId, mail.messageId, claim.ticketId);
  const outcome = !isWritten ? 'known' : opened === null ? 'joined' : 'opened';
  return { outcome, ticketId: claim.ticketId };
}

/** The first delivery decides; later ones read its claim. */
async function claimed(route: MailRoute, taken: TakenMail, ports: MailInPorts): Promise<Claim> {
  const { threads } = ports.stores;
  const { workspaceId } = route;
  const { mail, storedAtMs } = taken;
  const name = `<claim:${digestOf(taken, ports)}>`;
  const before = claimOf(await threads.ticketOf(workspaceId, name));
  if (before !== null) return before;
  const ticket = await findTicket(route, mail, ports);
  // After messages that were written here in the same second: a mail sent within that second answers them.
  const receivedAtMs = Math.max(storedAtMs, Math.min(ports.clock.now(), storedAtMs + SECOND_MS - 1));
  const messageId = derivedUuidv7(receivedAtMs, 'mail', workspaceId, name);
  const ticketId = ticket?.id ?? derivedUuidv7(receivedAtMs, 'mail ticket', workspaceId, name);
  await threads.remember(workspaceId, name, `${ticketId} ${messageId}`);
  const after = claimOf(await threads.ticketOf(workspaceId, name));
  if (after === null) throw new Error('a mail was claimed and nobody has the claim');
  return after;
}

function digestOf({ mail }: TakenMail, { mailDomain }: MailInPorts): string {
  const { address, isNamedBySender } = customerOf(mail, mailDomain);
  const identity = identityOf(mail, isNamedBySender ? address : null);
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

function claimOf(text: string | null): Claim | null {
  const [ticketId, messageId] = text?.split(' ') ?? [];
  return ticketId === undefined || messageId === undefined ? null : { ticketId, messageId };
}

/** The ticket as this mail would open it. */
const openedAs = async (
  customer: MailCustomer,
  workspaceId: string,
  { ticketId }: Claim,
  mail: InboundMail,
  { ticketPrefix }: AccountConfig,
  { stores }: MailInPorts,
): Promise<MailTicket> => ({
  id: ticketId,
  workspaceId,
  code: ticketCodeOf(ticketPrefix, await stores.codes.next(workspaceId)),
  subject: subjectOfMail(mail.subject),
  email: isContactAddress(customer.address) ? customer.address : null,
  name: senderName(customer.name),
});

const UNVERIFIED =
  'Be careful: the sender of the message above could not be verified. The domain it claims to come from says that it did not (DMARC).';
const NAMED =
  'The mail above came from another address than the one that answers go to: its sender named that one (Reply-To), as forms and groups do, and nothing proves that it is theirs.';

/** `customer`: of a mail that opens a ticket; null: it joins one as its sender, even if it names other people. */
function messageOf(
  workspaceId: string,
  id: string,
  { mail, key }: TakenMail,
  customer: MailCustomer | null,
): CustomerMessage {
  const warningId = derivedUuidv7(timeOfUuidv7(id) + 1, 'mail warning', workspaceId, id);
  const author = customer ?? { ...mail.from, isNamedBySender: false };
  const warnings = [
    ...(mail.verdicts.sender === 'fail' ? [UNVERIFIED] : []),
    ...(author.isNamedBySender ? [NAMED] : []),
  ];
  const notes: BodyNotes = {
    originalKey: key,
    ...(author.isNamedBySender ? { sentBy: mail.from.address } : {}),
  };
  return {
    id,
    body: bodyOf(mail, customer === null, notes),
    from: { address: author.address, name: senderName(author.name) },
    messageId: mail.messageId ?? `<${id}@invalid>`,
    originalKey: key,
    warning: warnings.length === 0 ? null : { id: warningId, text: warnings.join('\n\n') },
  };
}
