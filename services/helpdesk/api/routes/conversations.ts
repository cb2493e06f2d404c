// Conversations: tickets as v1 shows them.
import type { Handlers } from '#lib/core/http/handler.ts';
import type { TicketAction } from '#lib/helpdesk/domain/tickets/change.ts';
import {
  conversationStatusOf,
  statesOfConversationStatus,
  statesOfTicketStatus,
  TRIGGER_OF_STATUS,
} from '#lib/helpdesk/domain/tickets/status.ts';
import { TICKET_STATES, type Ticket, type TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { SilentTrigger } from '#lib/helpdesk/domain/tickets/transition.ts';
import { conversationView } from '#lib/helpdesk/domain/wire-views.ts';
import type { CONVERSATION_ROUTES } from '#lib/helpdesk/routes/conversations.ts';
import { answered, answeredUnlessKnown, listed, shownTicket } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { actOnTicket, openTicket } from '../tickets/act-on-ticket.ts';
import { askedOf, ticketActions } from '../tickets/actions.ts';
import { type CountedTickets, listAndCount, listTickets, type TicketPage } from '../tickets/list.ts';

type Conversations = Handlers<(typeof CONVERSATION_ROUTES)[number]>;
type Wanted = Parameters<Conversations['updateConversation']>[0]['body'];

export function conversationHandlers(ports: HelpdeskApiPorts): Conversations {
  const { stores, clock } = ports;
  const actions = ticketActions(ports);
  return {
    async listConversations({ caller, query }) {
      const { limit, offset, count_to: countTo, status, ticket_status: ticketStatus } = query;
      const { search, orderBy: order } = query;
      const states = statesOfTicketStatus(ticketStatus);
      const asked = {
        states: statesOfConversationStatus(status).filter((state) => states.includes(state)),
        search,
        order,
      };
      const page = { limit, offset, countTo };
      const found: TicketPage & Partial<CountedTickets> =
        query.counts === 'true'
          ? await listAndCount(caller.merchantId, asked, page, ports)
          : await listTickets(caller.merchantId, asked, page, ports);
      const conversations = found.tickets.map(conversationView);
      const body = { conversations, total: found.total, limit, offset };
      return listed(
        found.inStates === undefined ? body : { ...body, counts: countsOf(found.inStates) },
        found,
      );
    },

    async createConversation(call) {
      const { message, subject, priority, channel } = call.body;
      const { customer_email: email = null, customer_name: name } = call.body;
      const draft = { subject, priority, channel, body: message };
      const opened = { ...draft, customerEmail: email, customerName: name || null };
      const { record, etag } = await openTicket(call, opened, ports);
      const headers = { etag, location: `/api/v1/conversations/${record.id}` };
      return { status: 201, body: conversationView(record), headers };
    },

    async getConversation({ caller, params, headers }) {
      const stored = await stores.tickets.read(caller.merchantId, params.id);
      if (stored === null) return { failure: 'not_found' };
      return answeredUnlessKnown(shownTicket(stored, clock.now()), headers, conversationView);
    },

    async updateConversation(call) {
      const acted = await actOnTicket(askedOf(call), (ticket) => actionsOf(ticket, call.body), ports);
      return 'failure' in acted ? acted : answered(acted.ticket, conversationView);
    },

    closeConversation: actions.close,
    snoozeConversation: actions.snooze,
    unsnoozeConversation: actions.unsnooze,
    rejectConversation: actions.reject,
    escalateConversation: actions.escalate,
  };
}

/** A status that it has already is no change: one that was refused, and is resolved by that, stays refused. */
function actionsOf(ticket: Ticket, { status, priority, reason }: Wanted): readonly TicketAction[] {
  const hasStatus = status === undefined || conversationStatusOf(ticket.state) === status;
  return [
    ...(priority === undefined ? [] : [{ kind: 'prioritize', priority } as const]),
    ...(hasStatus ? [] : [{ kind: 'trigger', trigger: triggerOf(status, reason ?? null) } as const]),
  ];
}

const triggerOf = (status: NonNullable<Wanted['status']>, reason: string | null): SilentTrigger =>
  status === 'resolved' ? { kind: 'close', reason } : TRIGGER_OF_STATUS[status];

function countsOf(inStates: Readonly<Record<TicketState, number>>) {
  const { SNOOZED: snoozed, REJECTED: rejected } = inStates;
  const counts = { new: 0, open: 0, pending: 0, resolved: 0, escalated: 0, snoozed, rejected };
  for (const state of TICKET_STATES) counts[conversationStatusOf(state)] += inStates[state];
  return counts;
}
