// Tickets, as the older paths show them.
import type { Handlers } from '#lib/core/http/handler.ts';
import { statesOfTicketStatus } from '#lib/helpdesk/domain/tickets/status.ts';
import { ticketView } from '#lib/helpdesk/domain/wire-views.ts';
import type { TICKET_ROUTES } from '#lib/helpdesk/routes/tickets.ts';
import { answeredUnlessKnown, listed, shownTicket, tooFar } from '../answers.ts';
import { NO_MAIL, newMailFate } from '../mail-fate.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { agentOf, openTicket, writeOnTicket } from '../tickets/act-on-ticket.ts';
import { askedOf, done, ticketActions } from '../tickets/actions.ts';
import { isBeyond, listTickets } from '../tickets/list.ts';

export function ticketHandlers(ports: HelpdeskApiPorts): Handlers<(typeof TICKET_ROUTES)[number]> {
  const actions = ticketActions(ports);
  return {
    async listTickets({ caller, query }) {
      const { page, limit, status, search } = query;
      if (isBeyond(page, limit)) return tooFar('page');
      const asked = { states: statesOfTicketStatus(status), search, order: 'newest' } as const;
      const found = await listTickets(caller.merchantId, asked, { limit, offset: (page - 1) * limit }, ports);
      const { total } = found;
      const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
      return listed({ tickets: found.tickets.map(ticketView), pagination }, found);
    },

    async createTicket(call) {
      const { body, subject, priority, customer_email: email, customer_name: name } = call.body;
      const draft = { body, subject, priority, channel: 'api', customerEmail: email } as const;
      const { record } = await openTicket(call, { ...draft, customerName: name || null }, ports);
      return {
        status: 201,
        body: { success: true, ticket_id: record.id, ticket_code: record.code },
        headers: { location: `/api/tickets/${record.id}` },
      };
    },

    async getTicket({ caller, params, headers }) {
      const stored = await ports.stores.tickets.read(caller.merchantId, params.id);
      if (stored === null) return { failure: 'not_found' };
      return answeredUnlessKnown(shownTicket(stored, ports.clock.now()), headers, (ticket) => ({
        success: true as const,
        ticket: ticketView(ticket),
      }));
    },

    async replyTicket(call) {
      const { body, public: isPublic } = call.body;
      const author = agentOf(call.caller);
      const action = { kind: 'write', body, isInternal: !isPublic, author } as const;
      const acted = await writeOnTicket(askedOf(call), (messageId) => ({ ...action, messageId }), ports);
      if ('failure' in acted) return acted;
      const { ticket, message } = acted;
      const { status, body: success } = done(message?.id ?? ticket.record.id);
      const fate = message === null ? NO_MAIL : newMailFate(ticket.record, message, ports.mailDomain);
      return { status, body: { ...success, ...fate } };
    },

    closeTicket: actions.close,
    snoozeTicket: actions.snooze,
    unsnoozeTicket: actions.unsnooze,
    rejectTicket: actions.reject,
    escalateTicket: actions.escalate,
  };
}
