// A ticket with its latest messages, in one version. Guarantees: all messages of that version have rows, so that a note that is
// not found was not written by any commit up to it.

import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import type { RunPorts } from './ports.ts';

const LATEST = 30;
const READ_MAX = 100;

export interface Conversation {
  readonly ticket: Ticket;
  readonly version: number;
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly hasNote: boolean;
}

/** Null where the ticket is gone. */
export async function readConversation(run: Run, ports: RunPorts): Promise<Conversation | null> {
  const { stores } = ports;
  const { workspaceId, ticketId, noteId } = run;
  const stored = await stores.tickets.read(workspaceId, ticketId);
  if (stored === null) return null;
  if (stored.outbox.length > 0) await carryOut(stores.tickets, stored, ports);
  const { record: ticket, version } = stored;
  const [messages, note] = await Promise.all([
    latestMessages(ticket, ports),
    stores.messages.readMessage(workspaceId, ticketId, noteId),
  ]);
  return { ticket, version, messages, hasNote: note !== null };
}

async function latestMessages(
  { workspaceId, id, messageCount }: Ticket,
  { stores: { messages } }: RunPorts,
): Promise<readonly Message[]> {
  const offset = Math.max(0, messageCount - LATEST);
  const found = await messages.listMessages(workspaceId, id, { limit: READ_MAX, offset });
  if (found.total <= offset + READ_MAX) return found.messages;
  const later = Math.max(0, found.total - LATEST);
  return (await messages.listMessages(workspaceId, id, { limit: READ_MAX, offset: later })).messages;
}

/** Ids are in the order of time. */
export function newestOfCustomer({ messages }: Conversation): string | null {
  const ids = messages.filter(({ author }) => author.type === 'customer').map(({ id }) => id);
  return ids.reduce<string | null>((newest, id) => (newest === null || id > newest ? id : newest), null);
}
