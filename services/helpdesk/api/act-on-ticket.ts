// What callers do to a ticket, for older paths and v1 alike: one conditional write, and what follows from it carried out.
// Guarantees: a ticket of another workspace is one that does not exist; what means nothing writes nothing and succeeds.
import { meetsIfMatch } from '../../../lib/core/http/etag.ts';
import { actorOf, type Caller } from '../../../lib/core/tenancy/caller.ts';
import { ACCOUNT_CONFIG_DEFAULT, type AccountConfig } from '../../../lib/helpdesk/domain/account-config.ts';
import type { Author, Message } from '../../../lib/helpdesk/domain/message.ts';
import type { Stored } from '../../../lib/helpdesk/domain/outbox.ts';
import type { Ticket } from '../../../lib/helpdesk/domain/ticket.ts';
import {
  bornTicket,
  changedTicket,
  type TicketAction,
  type TicketContext,
  type TicketDraft,
} from '../../../lib/helpdesk/domain/ticket-change.ts';
import { ticketCodeOf } from '../../../lib/helpdesk/domain/ticket-code.ts';
import type { HelpdeskStores } from '../../../lib/helpdesk/ports/stores.ts';
import { change } from '../../../lib/helpdesk/work/commit.ts';
import { configOf } from './accounts.ts';
import { type Shown, shownTicket } from './conditions.ts';
import type { HelpdeskApiPorts } from './ports.ts';

/** Who asks, from where, and how the log names the request: a call of a handler fits. */
export interface Asked {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string | undefined;
  readonly userAgent?: string | undefined;
}

export type Acted =
  | { readonly ok: true; readonly ticket: Shown<Ticket>; readonly message: Message | null }
  | { readonly ok: false; readonly failure: 'not_found' | 'precondition_failed' };

/** Of a call, what the log keeps. */
export const askedBy = ({ caller, requestId, clientIp, userAgent }: Asked): Asked => ({
  caller,
  requestId,
  clientIp,
  userAgent,
});

export const agentOf = (caller: Caller): Author => ({ type: 'agent', id: actorOf(caller), name: null });

export async function openTicket(
  asked: Asked,
  draft: Omit<TicketDraft, 'id' | 'workspaceId' | 'code'>,
  ports: HelpdeskApiPorts,
): Promise<Shown<Ticket>> {
  const { stores, clock, random } = ports;
  const workspaceId = asked.caller.merchantId;
  const [config, number] = await Promise.all([configOf(workspaceId, ports), stores.codes.next(workspaceId)]);
  const id = random.uuidv7(clock.now());
  const code = ticketCodeOf(config.ticketPrefix, number);
  return await change(
    bornIn(stores.tickets),
    { workspaceId, id },
    (stored) => {
      // This very request wrote it, and was not told so.
      if (stored !== null) return { result: shownTicket(stored, clock.now()) };
      const context = contextOf(asked, config, ports);
      const write = bornTicket({ ...draft, id, workspaceId, code }, context);
      return { ...write, result: shownAt(write.record, 1, context.atMs) };
    },
    ports,
  );
}

/** Nobody has an id that was made this moment: it is written before it is read. */
function bornIn(tickets: HelpdeskStores['tickets']): HelpdeskStores['tickets'] {
  let isFirst = true;
  return {
    ...tickets,
    read: async (workspaceId, id) => {
      if (!isFirst) return await tickets.read(workspaceId, id);
      isFirst = false;
      return null;
    },
  };
}

/** `decide`: what is to happen to the ticket as it is shown at that moment; nothing where it is empty. */
export async function actOnTicket(
  asked: Asked & { readonly id: string; readonly ifMatch?: string | undefined },
  decide: (ticket: Ticket) => readonly TicketAction[],
  ports: HelpdeskApiPorts,
  config: AccountConfig = ACCOUNT_CONFIG_DEFAULT,
): Promise<Acted> {
  const { id, ifMatch, caller } = asked;
  const workspaceId = caller.merchantId;
  return await change<Ticket, Acted>(
    ports.stores.tickets,
    { workspaceId, id },
    (stored) => {
      if (stored === null) return { result: { ok: false, failure: 'not_found' } };
      const context = contextOf(asked, config, ports);
      const before = shownTicket(stored, context.atMs);
      if (!meetsIfMatch(ifMatch, before.etag))
        return { result: { ok: false, failure: 'precondition_failed' } };
      const write = changedTicket(stored, decide(before.record), context);
      if (write === null) return { result: { ok: true, ticket: before, message: null } };
      const ticket = shownAt(write.record, stored.version + 1, context.atMs);
      return { ...write, result: { ok: true, ticket, message: write.message } };
    },
    ports,
  );
}

const shownAt = (record: Ticket, version: number, nowMs: number): Shown<Ticket> =>
  shownTicket({ record, version, outbox: [], dueAtMs: null } satisfies Stored<Ticket>, nowMs);

function contextOf(
  by: Asked,
  config: AccountConfig,
  { clock, random, mailDomain }: HelpdeskApiPorts,
): TicketContext {
  const atMs = clock.now();
  return { atMs, newId: () => random.uuidv7(atMs), by: askedBy(by), config, mailDomain };
}
