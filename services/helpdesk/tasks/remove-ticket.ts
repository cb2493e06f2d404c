// The end of a ticket past its workspace's retention. Its row is deleted first, on the condition that it is unchanged,
// so that a ticket reopened at that moment stays whole; a job, written before, then deletes what belonged to it.
// Guarantees: wherever a worker crashes, a ticket is either untouched or deleted with all that belonged to it.
import { newJob, removeJobId } from '#lib/helpdesk/domain/job.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import { ticketTokens } from '#lib/helpdesk/domain/search/search-tokens.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import { OUTBOX_DUE_MS, pendingOf } from '#lib/helpdesk/work/stored-of.ts';
import { eachMessage, forgetMail, removeRuns } from './erase-ticket.ts';
import type { HeldJob } from './job-steps.ts';
import type { TaskPorts } from './ports.ts';

/** True if it is gone. */
export async function removeTicket(ticket: Stored<Ticket>, ports: TaskPorts): Promise<boolean> {
  const { stores } = ports;
  if (ticket.outbox.length > 0) await carryOut(stores.tickets, ticket, ports);
  const { record, version } = ticket;
  const job = jobOf(ticket, ports.clock.now());
  const found = await stores.jobs.read(record.workspaceId, job.record.id);
  const next = { ...job, version: (found?.version ?? 0) + 1 };
  if (!(await stores.jobs.put(next, found?.version ?? null))) return false;
  const isGone = await stores.tickets.remove(record, version);
  if (isGone) await removeRest(next, ports);
  else await stores.jobs.remove(next.record, next.version);
  return isGone;
}

/** Does nothing if the ticket still exists: its row was not deleted, and the next purge decides again. */
export async function removeRest({ record: job, version }: HeldJob, ports: TaskPorts): Promise<void> {
  const { stores } = ports;
  const { workspaceId, contactId, ticket } = job;
  if (ticket === undefined) throw new Error('a job to remove a ticket names none');
  const one = { workspaceId, ticketId: ticket.id };
  if ((await stores.tickets.read(workspaceId, ticket.id)) === null) {
    await eachMessage(one, ports, async (message) => {
      await forgetMail(message, ports);
      const mail = await stores.mails.read(workspaceId, message.id);
      if (mail === null) return;
      if (mail.record.messageId !== undefined)
        await stores.threads.forget(workspaceId, mail.record.messageId);
      await stores.mails.remove(mail.record, mail.version);
    });
    await removeRuns(one, ports);
    await stores.messages.removeMessages(workspaceId, ticket.id);
    await stores.search.change(workspaceId, {
      type: 'ticket',
      recordId: ticket.id,
      version: ticket.version + 1,
      add: [],
      remove: ticket.tokens,
    });
    if (contactId !== null) await stores.contactTickets.unlink(workspaceId, contactId, ticket.id);
  }
  await stores.jobs.remove(job, version);
}

function jobOf({ record, version }: Stored<Ticket>, nowMs: number): HeldJob {
  const { id, workspaceId, contactId } = record;
  const job = newJob({ id: removeJobId(id), workspaceId, kind: 'remove', contactId, email: null }, nowMs);
  const ticket = { id, version, tokens: ticketTokens(record) };
  return pendingOf({ ...job, leaseUntilMs: nowMs + OUTBOX_DUE_MS, ticket }, nowMs);
}
