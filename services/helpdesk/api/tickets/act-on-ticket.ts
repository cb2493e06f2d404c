// What callers do to a ticket, for older paths and v1 alike: one conditional write, and what follows from it carried out.
// Guarantees: a ticket of another workspace is one that does not exist; what means nothing writes nothing and succeeds; a ticket
// or message of a request that is repeated with its Idempotency-Key is the one that an earlier attempt made, if one did.
import { meetsIfMatch } from '#lib/core/http/etag.ts';
import { actorOf, type Caller } from '#lib/core/tenancy/caller.ts';
import { ACCOUNT_CONFIG_DEFAULT, type AccountConfig } from '#lib/helpdesk/domain/account/config.ts';
import { idOfRequest } from '#lib/helpdesk/domain/account/derived-id.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import {
  bornTicket,
  changedTicket,
  type TicketAction,
  type TicketContext,
  type TicketDraft,
} from '#lib/helpdesk/domain/tickets/change.ts';
import { ticketCodeOf } from '#lib/helpdesk/domain/tickets/code.ts';
import type { Author, Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { withMessage } from '#lib/helpdesk/work/join-ticket.ts';
import { configOf } from '../accounts.ts';
import { type Shown, shownTicket } from '../conditions.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

/** Who asks, from where, and how the log names the request: a call of a handler fits. */
export interface Asked {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string | undefined;
  readonly userAgent?: string | undefined;
  /** What all attempts of a request with an Idempotency-Key have in common. */
  readonly idRoot?: string | undefined;
}

export type Acted =
  | { readonly ok: true; readonly ticket: Shown<Ticket>; readonly message: Message | null }
  | { readonly ok: false; readonly failure: 'not_found' | 'precondition_failed' };

/** Of a call, what the log keeps, and what ties its attempts together. */
export const askedBy = ({ caller, requestId, clientIp, userAgent, idRoot }: Asked): Asked => ({
  caller,
  requestId,
  clientIp,
  userAgent,
  idRoot,
});

/** A key has the name its maker gave it; of a member no name is known, and its address is sealed. */
export const agentOf = (caller: Caller): Author => ({
  type: 'agent',
  id: actorOf(caller),
  name: caller.kind === 'key' ? (caller.name ?? null) : null,
});

export async function openTicket(
  asked: Asked,
  draft: Omit<TicketDraft, 'id' | 'workspaceId' | 'code'>,
  ports: HelpdeskApiPorts,
): Promise<Shown<Ticket>> {
  const { stores, clock, random } = ports;
  const workspaceId = asked.caller.merchantId;
  const [config, number] = await Promise.all([configOf(workspaceId, ports), stores.codes.next(workspaceId)]);
  const id = idOfRequest(asked.idRoot, 'ticket', () => random.uuidv7(clock.now()));
  const code = ticketCodeOf(config.ticketPrefix, number);
  return await change(
    bornIn(stores.tickets),
    { workspaceId, id },
    (stored) => {
      // This very request wrote it and was not told so, or an earlier attempt of it did.
      if (stored !== null) return { result: shownTicket(stored, clock.now()) };
      const context = contextOf(asked, config, ports);
      const write = bornTicket({ ...draft, id, workspaceId, code }, context);
      return { ...write, result: shownAt(write.record, 1, context.atMs) };
    },
    ports,
  );
}

/** Hardly anybody has an id that was made this moment: it is written before it is read. */
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

export interface OnTicket extends Asked {
  readonly id: string;
  readonly ifMatch?: string | undefined;
}

/** `decide`: what is to happen to the ticket as it is shown at that moment; nothing where it is empty. */
export const actOnTicket = (
  asked: OnTicket,
  decide: (ticket: Ticket) => readonly TicketAction[],
  ports: HelpdeskApiPorts,
): Promise<Acted> => act(asked, decide, ACCOUNT_CONFIG_DEFAULT, ports);

/** `action`: of a message with this id. */
export async function writeOnTicket(
  asked: OnTicket,
  action: (messageId: string) => TicketAction,
  ports: HelpdeskApiPorts,
  config: AccountConfig = ACCOUNT_CONFIG_DEFAULT,
): Promise<Acted> {
  const { stores, clock, random } = ports;
  const messageId = idOfRequest(asked.idRoot, 'message', () => random.uuidv7(clock.now()));
  const decide = () => [action(messageId)];
  if (asked.idRoot === undefined) return await act(asked, decide, config, ports);
  const { tickets, joined } = withMessage(stores, messageId);
  return await act(asked, decide, config, { ...ports, stores: { ...stores, tickets } }, joined);
}

async function act(
  asked: OnTicket,
  decide: (ticket: Ticket) => readonly TicketAction[],
  config: AccountConfig,
  ports: HelpdeskApiPorts,
  joined: () => Message | null = () => null,
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
      const message = joined();
      if (message !== null) return { result: { ok: true, ticket: before, message } };
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
