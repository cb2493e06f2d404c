// Takes mails in: each joins the ticket it answers, or opens one. Guarantees: a mail that is delivered twice, under one key or
// two, makes one message; the original stays where it lies; what no person wrote is put aside and counted; nothing a mail
// holds makes this throw, so that none stands in the way of others. Refuses: mails above 30 MB.
import type { BatchResult, Received } from '../../../lib/core/ports/queue.ts';
import { type InboundMail, screenMail } from '../../../lib/helpdesk/domain/inbound-mail.ts';
import { placesOf } from './find-ticket.ts';
import type { StoredMail } from './message.ts';
import type { MailInPorts, MailOutcome } from './ports.ts';
import { takeMail } from './take-mail.ts';

/** SES takes 40 MB at most; what is larger than this is mostly attachments, which nobody reads here. */
export const MAIL_MAX_BYTES = 30 * 1_048_576;

export function createMailInStage(
  ports: MailInPorts,
): (messages: readonly Received<readonly StoredMail[]>[]) => Promise<BatchResult> {
  return async (messages) => {
    const failedIndexes: number[] = [];
    // One by one: a mail may be as large as the memory for it.
    for (const [index, { body }] of messages.entries())
      try {
        for (const { bucket, key } of body) if (bucket === ports.bucket) await takeIn(key, ports);
      } catch (error) {
        ports.report('a mail was not taken in, and is tried again', error);
        failedIndexes.push(index);
      }
    return { failedIndexes };
  };
}

async function takeIn(key: string, ports: MailInPorts): Promise<void> {
  const note = (outcome: MailOutcome['outcome'], reason: string | null): void =>
    ports.noted({ outcome, reason, key });
  const object = await ports.objects.read(key, MAIL_MAX_BYTES);
  if (object === null) return note('ignored', 'gone');
  if (object === 'too large') return note('quarantined', 'too_large');
  const mail = await ports.parse(object.bytes);
  if (mail === null) return note('quarantined', 'unreadable');
  const screened = screenMail(mail, ports.mailDomain, true);
  if (screened.verdict !== 'take') return note(screened.verdict, screened.reason);
  const places = await placesOf(mail, ports);
  if (places.length === 0) return note('ignored', 'no_workspace');
  for (const place of places) {
    const again = screenMail(mail, ports.mailDomain, place.ticketId !== null);
    if (again.verdict === 'take')
      note(
        await takeMail(place, { mail: withSender(mail), key, storedAtMs: object.storedAtMs }, ports),
        null,
      );
    else note(again.verdict, again.reason);
  }
}

type Sent = InboundMail & { readonly from: NonNullable<InboundMail['from']> };

/** Screening lets nothing through that has no sender. */
function withSender(mail: InboundMail): Sent {
  if (mail.from === null) throw new TypeError('a mail without a sender was taken');
  return { ...mail, from: mail.from };
}
