// Takes mails in: each joins the ticket it answers, or opens one. Guarantees: a mail that is delivered twice, under one key or
// two, makes one message; the original stays where it lies; what no person wrote is put aside and listed; nothing a mail
// holds makes this throw, so that none stands in the way of others. Refuses: mails above 30 MB, which are listed by their head.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { type InboundMail, screenMail } from '#lib/helpdesk/domain/mail/inbound-mail.ts';
import type { AsideReason } from '#lib/helpdesk/domain/mail/set-aside.ts';
import { type MailRoute, routesOf } from './find-ticket.ts';
import type { MailNews } from './message.ts';
import type { MailInPorts } from './ports.ts';
import { type AsideMail, acceptMail, MAIL_MAX_BYTES, setAside } from './set-aside.ts';
import { takeMail } from './take-mail.ts';

/** In which the head of a mail ends, where it is one. */
const HEAD_MAX_BYTES = 262_144;

// One by one: a mail may be as large as the memory for it.
export const createMailInStage = (ports: MailInPorts): Stage<readonly MailNews[]> =>
  messageStage(1, (body) => takeAll(body, ports), 'a mail was not taken in, and is tried again', ports);

async function takeAll(body: readonly MailNews[], ports: MailInPorts): Promise<void> {
  for (const news of body)
    if ('accepted' in news) await acceptMail(news.accepted, ports);
    else if (news.bucket === ports.bucket) await takeIn(news.key, ports);
}

async function takeIn(key: string, ports: MailInPorts): Promise<void> {
  const found = await readMail(key, ports);
  if (found === null) return ports.noted({ outcome: 'ignored', reason: 'gone', key });
  const { unread, ...stored } = found;
  const { mail } = stored;
  const routes = mail === null ? [] : await routesOf(mail, ports);
  if (mail === null || routes.length === 0)
    return ports.noted(
      unread === null
        ? { outcome: 'ignored', reason: 'no_workspace', key }
        : { outcome: 'quarantined', reason: unread, key },
    );
  for (const route of routes) await takeOrPutAside(route, { ...stored, mail, key }, unread, ports);
}

interface Found {
  /** Of what was not read: its head; null where even that is none. */
  readonly mail: InboundMail | null;
  readonly storedAtMs: number;
  /** Why only the head was read. */
  readonly unread: 'too_large' | 'unreadable' | null;
}

async function readMail(key: string, { objects, parse }: MailInPorts): Promise<Found | null> {
  const object = await objects.read(key, MAIL_MAX_BYTES);
  if (object === null) return null;
  if (object === 'too large') {
    const start = await objects.readStart(key, HEAD_MAX_BYTES);
    if (start === null) return null;
    return { mail: await parse(headOf(start.bytes)), storedAtMs: start.storedAtMs, unread: 'too_large' };
  }
  const { bytes, storedAtMs } = object;
  const mail = await parse(bytes);
  return mail === null
    ? { mail: await parse(headOf(bytes)), storedAtMs, unread: 'unreadable' }
    : { mail, storedAtMs, unread: null };
}

/** Up to its first empty line. */
function headOf(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, HEAD_MAX_BYTES));
  const ends = ['\r\n\r\n', '\n\n'].map((end) => start.indexOf(end)).filter((at) => at >= 0);
  return ends.length === 0 ? start : start.subarray(0, Math.min(...ends));
}

async function takeOrPutAside(
  route: MailRoute,
  found: AsideMail,
  unread: AsideReason | null,
  ports: MailInPorts,
): Promise<void> {
  const { mail, key } = found;
  const screened =
    unread === null
      ? screenMail(mail, ports.mailDomain, route.ticketId !== null)
      : ({ verdict: 'quarantined', reason: unread } as const);
  if (screened.verdict === 'take') {
    const { outcome } = await takeMail(route, { ...found, mail: withSender(mail) }, ports);
    return ports.noted({ outcome, reason: null, key });
  }
  await setAside(route, screened.reason, found, ports);
  ports.noted({ outcome: screened.verdict, reason: screened.reason, key });
}

type Sent = InboundMail & { readonly from: NonNullable<InboundMail['from']> };

/** Screening lets nothing through that has no sender. */
function withSender(mail: InboundMail): Sent {
  if (mail.from === null) throw new TypeError('a mail without a sender was taken');
  return { ...mail, from: mail.from };
}
