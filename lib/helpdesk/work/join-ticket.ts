// A message with an id of its own joins a ticket once, however often it is delivered. Guarantees: whether it is there is asked
// after the ticket was read, and the ticket is written only as it was read, so that of two who bring it at once one does.
import type { AccountConfig } from '../domain/account-config.ts';
import { mailContext } from '../domain/mail-messages.ts';
import type { Stored } from '../domain/outbox.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { TicketContext, TicketWrite } from '../domain/ticket-change.ts';
import { change, type DrainPorts } from './commit.ts';

export interface TicketKey {
  readonly workspaceId: string;
  readonly ticketId: string;
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
  let isThere = false;
  const read = async (workspace: string, id: string): Promise<Stored<Ticket> | null> => {
    const stored = await stores.tickets.read(workspace, id);
    isThere = (await stores.messages.readMessage(workspaceId, ticketId, messageId)) !== null;
    return stored;
  };
  return await change<Ticket, boolean>(
    { ...stores.tickets, read },
    { workspaceId, id: ticketId },
    (stored) => {
      const atMs = clock.now();
      const context = mailContext(workspaceId, config, { atMs, newId: () => random.uuidv7(atMs) });
      const write = isThere ? null : decide(stored, context);
      return write === null ? { result: false } : { ...write, result: true };
    },
    ports,
  );
}
