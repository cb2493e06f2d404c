// Erases a contact's data from one of its tickets. Guarantees: the ticket is committed first, so that a concurrent
// change finds another version and decides again; idempotent; a ticket of another contact is left as it is.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import {
  erasedMail,
  erasedMessage,
  erasedTicket,
  isErasedTicket,
} from '#lib/helpdesk/domain/account/erasure.ts';
import { type Job, NO_JOB_COUNTS } from '#lib/helpdesk/domain/job.ts';
import { RUN_STATUSES } from '#lib/helpdesk/domain/runs/run.ts';
import { searchEntries, ticketTokens } from '#lib/helpdesk/domain/search/search-tokens.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { timerOf } from '#lib/helpdesk/domain/tickets/transition.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { replaced } from '#lib/helpdesk/work/stored-of.ts';
import type { TaskPorts } from './ports.ts';

const MESSAGES_AT_ONCE = 50;
const RUNS_AT_ONCE = 100;
const TRIES_MAX = 5;

interface OneTicket {
  readonly workspaceId: string;
  readonly ticketId: string;
}

export interface Erasing {
  readonly workspaceId: string;
  readonly contactId: string;
  /** Tickets created after this belong to a person who came back. */
  readonly untilMs: number;
}

export async function eraseTicket(
  ticketId: string,
  { workspaceId, contactId, untilMs }: Erasing,
  ports: TaskPorts,
): Promise<Job['counts']> {
  const done = await change<Ticket, 'erased' | 'before' | 'other'>(
    ports.stores.tickets,
    { workspaceId, id: ticketId },
    (stored) => {
      if (stored === null) return { result: 'other' };
      const { record, version } = stored;
      if (isErasedTicket(record)) return { result: 'before' };
      if (record.contactId !== contactId || record.createdAtMs > untilMs) return { result: 'other' };
      const ticket = erasedTicket(record, ports.clock.now());
      const index = { type: 'ticket', recordId: ticketId, version: version + 1 } as const;
      const outbox = searchEntries(index, ticketTokens(record), ticketTokens(ticket));
      return { record: ticket, outbox, dueAtMs: timerOf(ticket), result: 'erased' };
    },
    ports,
  );
  if (done === 'other') return NO_JOB_COUNTS;
  const one = { workspaceId, ticketId };
  const { messages, mails } = await eraseMessages(one, ports);
  const runs = await removeRuns(one, ports);
  return { ...NO_JOB_COUNTS, tickets: done === 'erased' ? 1 : 0, messages, mails, runs };
}

async function eraseMessages(
  one: OneTicket,
  ports: TaskPorts,
): Promise<{ readonly messages: number; readonly mails: number }> {
  let [messages, mails] = [0, 0];
  await eachMessage(one, ports, async (message) => {
    if (message.mail !== undefined || message.direction === 'outbound') {
      await forgetMail(message, ports);
      if (await eraseMail(message, ports)) mails++;
    }
    const erased = erasedMessage(message);
    if (erased === message) return;
    await ports.stores.messages.replaceMessage(erased);
    messages++;
  });
  return { messages, mails };
}

export async function eachMessage(
  { workspaceId, ticketId }: OneTicket,
  { stores }: Pick<TaskPorts, 'stores'>,
  work: (message: Message) => Promise<void>,
): Promise<void> {
  for (let offset = 0; ; offset += MESSAGES_AT_ONCE) {
    const page = { limit: MESSAGES_AT_ONCE, offset };
    const { messages, total } = await stores.messages.listMessages(workspaceId, ticketId, page);
    for (const message of messages) await work(message);
    // A page may lack messages that cannot be read, and `total` is capped.
    if (messages.length < MESSAGES_AT_ONCE && offset + MESSAGES_AT_ONCE >= total) return;
  }
}

/** First, what can be found only through the message. */
export async function forgetMail(
  { workspaceId, mail }: Message,
  { stores, originals }: TaskPorts,
): Promise<void> {
  if (mail === undefined) return;
  if (mail.originalKey !== undefined) {
    if (originals === null)
      throw new Error('the original of a mail cannot be removed: no e-mail is configured');
    await originals.remove(mail.originalKey);
  }
  await stores.threads.forget(workspaceId, mail.messageId);
}

async function eraseMail({ workspaceId, id }: Message, { stores, clock }: TaskPorts): Promise<boolean> {
  return await retryConflicts({ what: 'a mail' }, async () => {
    const stored = await stores.mails.read(workspaceId, id);
    if (stored === null) return false;
    if (stored.record.messageId !== undefined)
      await stores.threads.forget(workspaceId, stored.record.messageId);
    const record = erasedMail(stored.record, clock.now());
    if (record === stored.record) return false;
    const isOver = record.status !== 'sending';
    const written = await replaced(stores.mails, stored, record, isOver ? null : stored.dueAtMs);
    return written !== null || CONFLICT;
  });
}

export async function removeRuns(
  { workspaceId, ticketId }: OneTicket,
  { stores }: Pick<TaskPorts, 'stores'>,
): Promise<number> {
  const query = { statuses: RUN_STATUSES, ticketId };
  let removed = 0;
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const { ids } = await stores.lists.runs(workspaceId, query, { limit: RUNS_AT_ONCE, offset: 0 });
    if (ids.length === 0) return removed;
    for (const { record, version } of await stores.runs.readMany(workspaceId, ids))
      if (await stores.runs.remove(record, version)) removed++;
  }
  const { ids } = await stores.lists.runs(workspaceId, query, { limit: 1, offset: 0 });
  if (ids.length > 0) throw new Error('runs of a ticket could not all be removed yet');
  return removed;
}
