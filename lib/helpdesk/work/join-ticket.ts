// A message with an id of its own joins a ticket once, however often it is delivered or asked for. Guarantees: whether it is there
// is asked after the ticket was read, and the ticket is written only as it was read, so that of two who bring it at once one does.
import type { AccountConfig } from '../domain/account/config.ts';
import { mailContext } from '../domain/mail/messages.ts';
import type { Stored } from '../domain/outbox.ts';
import type { TicketContext, TicketWrite } from '../domain/tickets/change.ts';
import type { Message } from '../domain/tickets/message.ts';
import type { Ticket } from '../domain/tickets/ticket.ts';
import type { HelpdeskStores } from '../ports/stores.ts';
import { change } from './commit.ts';
import type { DrainPorts } from './drain.ts';

export interface TicketKey {
  readonly workspaceId: string;
  readonly ticketId: string;
}

/** Tickets, each of which is read with the message of this id; `joined` is the one that the last read found, or null. */
export function withMessage(
  { tickets, messages }: Pick<HelpdeskStores, 'tickets' | 'messages'>,
  messageId: string,
): { readonly tickets: HelpdeskStores['tickets']; readonly joined: () => Message | null } {
  let found: Message | null = null;
  const read = async (workspaceId: string, id: string): Promise<Stored<Ticket> | null> => {
    const stored = await tickets.read(workspaceId, id);
    found = await messages.readMessage(workspaceId, id, messageId);
    return stored;
  };
  return { tickets: { ...tickets, read }, joined: () => found };
}

/** `decide` null: nothing is written. True where it was written; false where it was there, or nothing was to be done. */
export async function joinTicket(
  { workspaceId, ticketId }: TicketKey,
  messageId: string,
  config: Pick<AccountConfig, 'autoDraft' | 'keepsSnooze'>,
  decide: (stored: Stored<Ticket> | null, context: TicketContext) => TicketWrite | null,
  ports: DrainPorts,
): Promise<boolean> {
  const { stores, clock, random } = ports;
  const { tickets, joined } = withMessage(stores, messageId);
  return await change<Ticket, boolean>(
    tickets,
    { workspaceId, id: ticketId },
    (stored) => {
      const atMs = clock.now();
      const context = mailContext(workspaceId, config, { atMs, newId: () => random.uuidv7(atMs) });
      const write = joined() !== null ? null : decide(stored, context);
      return write === null ? { result: false } : { ...write, result: true };
    },
    ports,
  );
}
