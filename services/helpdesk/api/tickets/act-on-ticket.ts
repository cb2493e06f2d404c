// Actions of callers on a ticket, for older paths and v1 alike: one conditional write, then its outbox is drained.
// Guarantees: a ticket of another workspace does not exist; an action without effect writes nothing and succeeds; a
// request repeated with its Idempotency-Key returns the ticket or message that an earlier attempt created.
import { meetsIfMatch } from '#lib/core/http/etag.ts';
import { actorOf, type Caller } from '#lib/core/tenancy/caller.ts';
import { ACCOUNT_CONFIG_DEFAULT, type AccountConfig } from '#lib/helpdesk/domain/account/config.ts';
import { idOfRequest } from '#lib/helpdesk/domain/account/derived-id.ts';
import type { RequestFacts } from '#lib/helpdesk/domain/audit/audit.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import {
  changedTicket,
  createTicket,
  type TicketAction,
  type TicketContext,
  type TicketDraft,
} from '#lib/helpdesk/domain/tickets/change.ts';
import type { Author, Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { ticketCodeOf } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { withMessage } from '#lib/helpdesk/work/join-ticket.ts';
import { configOf } from '../accounts.ts';
import { NOT_FOUND, type Refusal, type Shown, shownTicket } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

/** A call of a handler fits. */
export interface Asked extends RequestFacts {
  /** Shared by all attempts of a request with an Idempotency-Key. */
  readonly idRoot?: string | undefined;
}

export type Acted = { readonly ticket: Shown<Ticket>; readonly message: Message | null } | Refusal;

/** The part of a call that the log keeps, and the root of its attempts. */
export const askedBy = ({ caller, requestId, clientIp, userAgent, idRoot }: Asked): Asked => ({
  caller,
  requestId,
  clientIp,
  userAgent,
  idRoot,
});

/** A key has the name its maker gave it; a member has no known name, and its address is encrypted. */
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
    skipFirstRead(stores.tickets),
    { workspaceId, id },
    (stored) => {
      // An earlier attempt of this request, or a write of this one whose answer was lost.
      if (stored !== null) return { result: shownTicket(stored, clock.now()) };
      const context = contextOf(asked, config, ports);
      const write = createTicket({ ...draft, id, workspaceId, code }, context);
      return { ...write, result: shownAt(write.record, 1, context.atMs) };
    },
    ports,
  );
}

/** Skips the first read: a record with an id made just now almost never exists. */
function skipFirstRead(tickets: HelpdeskStores['tickets']): HelpdeskStores['tickets'] {
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

/** `decide`: the actions on the ticket as it is at that moment; an empty list changes nothing. */
export const actOnTicket = (
  asked: OnTicket,
  decide: (ticket: Ticket) => readonly TicketAction[],
  ports: HelpdeskApiPorts,
): Promise<Acted> => act(asked, decide, ACCOUNT_CONFIG_DEFAULT, ports);

/** `action`: gets the message's id. */
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
      if (stored === null) return { result: NOT_FOUND };
      const context = contextOf(asked, config, ports);
      const before = shownTicket(stored, context.atMs);
      const message = joined();
      if (message !== null) return { result: { ticket: before, message } };
      if (!meetsIfMatch(ifMatch, before.etag)) return { result: { failure: 'precondition_failed' } };
      const write = changedTicket(stored, decide(before.record), context);
      if (write === null) return { result: { ticket: before, message: null } };
      const ticket = shownAt(write.record, stored.version + 1, context.atMs);
      return { ...write, result: { ticket, message: write.message } };
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
