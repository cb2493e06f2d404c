// What the mail provider tells of the mails it took, came back with or heard complaints of. Guarantees: told twice, or late, or
// out of order, it is written once; a mail whose fate was unknown is sent as soon as the provider says so; an address that
// takes no mail is not written to again until an agent allows it; agents see what came back.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { auditEntry } from '#lib/helpdesk/domain/audit/audit.ts';
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import type { OutboundMail } from '#lib/helpdesk/domain/mail/mail.ts';
import { accepted, ended, type MailStep } from '#lib/helpdesk/domain/mail/transition.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { noteOfMail } from '#lib/helpdesk/work/mail-note.ts';
import type { MailEvent } from './message.ts';
import type { MailEventPorts } from './ports.ts';

export const createMailEventStage = (ports: MailEventPorts): Stage<MailEvent | null> =>
  messageStage(
    Number.POSITIVE_INFINITY,
    async (body) => (body === null ? undefined : await listen(body, ports)),
    'what a mail provider told was not written, and is read again',
    ports,
  );

async function listen(event: MailEvent, ports: MailEventPorts): Promise<void> {
  const { stores, clock } = ports;
  const { workspaceId, id } = event;
  await retryConflicts({ what: 'a mail' }, async () => {
    const stored = await stores.mails.read(workspaceId, id);
    if (stored === null) return undefined;
    const { record, version } = stored;
    const step = await follow(record, event, ports);
    if (step === null) return undefined;
    await tell(record, event, ports);
    if (event.what === 'bounced' || event.what === 'complained')
      await stopMail(record, event.what, clock.now(), ports);
    const next = { record: step.mail, version: version + 1, outbox: [], dueAtMs: step.dueAtMs };
    return (await stores.mails.put(next, version)) ? undefined : CONFLICT;
  });
}

const OPEN: ReadonlySet<OutboundMail['status']> = new Set(['pending', 'sending', 'unknown']);
const TAKEN: ReadonlySet<OutboundMail['status']> = new Set([...OPEN, 'sent']);

/** The mail as the event leaves it; null where it changes nothing. */
async function follow(mail: OutboundMail, event: MailEvent, ports: MailEventPorts): Promise<MailStep | null> {
  const nowMs = ports.clock.now();
  const { what, providerId, reason } = event;
  if (what === 'other') return null;
  if (what === 'taken') {
    if (!OPEN.has(mail.status)) return null;
    return accepted(mail, { providerId, messageId: await remembered(mail, providerId, ports) }, nowMs);
  }
  const said = reason ?? what;
  if (what === 'complained')
    return mail.status === 'complained' ? null : ended({ ...mail, providerId }, 'complained', said, nowMs);
  if (!TAKEN.has(mail.status)) return null;
  return ended({ ...mail, providerId }, what === 'rejected' ? 'failed' : 'bounced', said, nowMs);
}

/** So that an answer to it finds its ticket, although the worker that sent it died before it could say so. */
async function remembered(mail: OutboundMail, providerId: string, ports: MailEventPorts): Promise<string> {
  const messageId = await ports.sender.messageIdOf(providerId);
  await ports.stores.threads.remember(mail.workspaceId, messageId, mail.ticketId);
  return messageId;
}

/** Before it is written, so that nobody who dies in between keeps it from the agents. */
async function tell(
  mail: OutboundMail,
  { what, atMs, reason }: MailEvent,
  ports: MailEventPorts,
): Promise<void> {
  if (what === 'bounced' || what === 'bounced_for_now')
    await noteOfMail(mail, 'bounced', { atMs, reason }, ports);
  if (what === 'complained') await noteOfMail(mail, 'complained', { atMs, reason: null }, ports);
  if (what === 'rejected') await noteOfMail(mail, 'failed', { atMs, reason }, ports);
}

/** Nobody is written to at this address until an agent allows it. */
async function stopMail(
  mail: OutboundMail,
  reason: 'bounced' | 'complained',
  nowMs: number,
  ports: MailEventPorts,
): Promise<void> {
  const ticket = await ports.stores.tickets.read(mail.workspaceId, mail.ticketId);
  const contactId = ticket?.record.contactId ?? null;
  if (contactId === null) return;
  const { workspaceId } = mail;
  await change<Contact, null>(
    ports.stores.contacts,
    { workspaceId, id: contactId },
    (stored) => {
      if (stored === null || (stored.record.mailStopped ?? null) !== null) return { result: null };
      const record = { ...stored.record, mailStopped: { atMs: nowMs, reason }, updatedAtMs: nowMs };
      const entry = auditEntry(
        { workspaceId, system: 'mail' },
        {
          action: 'contact.mail_stopped',
          resourceType: 'contact',
          resourceId: contactId,
          metadata: { reason, mail_id: mail.id },
        },
        { id: ports.random.uuidv7(nowMs), atMs: nowMs },
      );
      return { record, outbox: [{ kind: 'audit', entry }], result: null };
    },
    ports,
  );
}
