// The end of a ticket that its workspace keeps no longer. Its row goes first, on the condition that it is as it was looked at, so
// that a ticket that is taken up again in that moment stays whole; what belonged to it follows from a job that was written
// before. Guarantees: a ticket is gone with all that belonged to it, or untouched, wherever a worker dies.
import { newJob, removeJobId } from '#lib/helpdesk/domain/job.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import { ticketTokens } from '#lib/helpdesk/domain/search/search-tokens.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import { OUTBOX_DUE_MS, pendingOf } from '#lib/helpdesk/work/stored-of.ts';
import { eachMessage, forgetMail, removeRuns } from './erase-ticket.ts';
import type { HeldJob } from './job-steps.ts';
import type { TaskPorts } from './ports.ts';

/** True where it is gone. */
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

/** Nothing where the ticket is still there: then its row was not removed, and whoever comes next decides anew. */
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
