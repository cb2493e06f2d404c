// Events of the mail provider: delivered, bounced, complained. Guarantees: repeated, late or reordered events are
// written once; a mail with an unknown result counts as sent as soon as the provider reports it; an address that takes
// no mail gets none until an agent allows it; agents see what bounced.
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
  const isWritten = await retryConflicts({ what: 'a mail' }, async () => {
    const stored = await stores.mails.read(workspaceId, id);
    if (stored === null) return false;
    const { record, version } = stored;
    const step = await follow(record, event, ports);
    if (step === null) return false;
    await noteEvent(record, event, ports);
    if (event.what === 'bounced' || event.what === 'complained')
      await stopMail(record, event.what, clock.now(), ports);
    const next = { record: step.mail, version: version + 1, outbox: [], dueAtMs: step.dueAtMs };
    return (await stores.mails.put(next, version)) ? true : CONFLICT;
  });
  if (isWritten && event.what === 'bounced') ports.bounced?.();
}

const OPEN: ReadonlySet<OutboundMail['status']> = new Set(['pending', 'sending', 'unknown']);
const TAKEN: ReadonlySet<OutboundMail['status']> = new Set([...OPEN, 'sent']);

/** The mail after the event; null if nothing changes. */
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

/** Lets an answer find its ticket even if the worker that sent the mail crashed before it stored the id. */
async function remembered(mail: OutboundMail, providerId: string, ports: MailEventPorts): Promise<string> {
  const messageId = await ports.sender.messageIdOf(providerId);
  await ports.stores.threads.remember(mail.workspaceId, messageId, mail.ticketId);
  return messageId;
}

/** Before the mail is written: a crash in between must not hide the result from the agents. */
async function noteEvent(
  mail: OutboundMail,
  { what, atMs, reason }: MailEvent,
  ports: MailEventPorts,
): Promise<void> {
  if (what === 'bounced' || what === 'bounced_for_now')
    await noteOfMail(mail, 'bounced', { atMs, reason }, ports);
  if (what === 'complained') await noteOfMail(mail, 'complained', { atMs, reason: null }, ports);
  if (what === 'rejected') await noteOfMail(mail, 'failed', { atMs, reason }, ports);
}

/** Stops mail to this address until an agent allows it again. */
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
