// Messages of a conversation. Guarantees: an author reads a new message at once, from its row or from the ticket's
// outbox; none is listed twice.
import type { Handlers } from '#lib/core/http/handler.ts';
import type { MailStatus } from '#lib/helpdesk/domain/mail/mail.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import { isMailTicket } from '#lib/helpdesk/domain/tickets/change.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { messageView } from '#lib/helpdesk/domain/wire-views.ts';
import type { HelpdeskStores, Page } from '#lib/helpdesk/ports/stores.ts';
import type { MESSAGE_ROUTES } from '#lib/helpdesk/routes/messages.ts';
import { configOf } from '../accounts.ts';
import { NOT_FOUND } from '../answers.ts';
import { type MailFate, mailFateOf, NO_MAIL, newMailFate } from '../mail-fate.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { agentOf, askedBy, writeOnTicket } from '../tickets/act-on-ticket.ts';

export function messageHandlers(ports: HelpdeskApiPorts): Handlers<(typeof MESSAGE_ROUTES)[number]> {
  return {
    async listMessages({ caller, query }) {
      const { ticket_id: ticketId, limit, offset } = query;
      const found = await readMessages(caller.merchantId, ticketId, { limit, offset }, ports);
      const messages = found.messages.map((message) => ({
        ...messageView(message),
        ...found.fateOf(message),
      }));
      return { status: 200, body: { success: true, messages, total: found.total, limit, offset } };
    },

    async createMessage(call) {
      const { caller } = call;
      const { ticket_id: id, body, internal_note: isInternal, author } = call.body;
      const isCustomers = author === 'customer';
      const config = isCustomers ? await configOf(caller.merchantId, ports) : undefined;
      const action = isCustomers
        ? ({ kind: 'receive', body } as const)
        : ({ kind: 'write', body, isInternal, author: agentOf(caller) } as const);
      const acted = await writeOnTicket(
        { ...askedBy(call), id, ifMatch: call.headers['if-match'] },
        (messageId) => ({ ...action, messageId }),
        ports,
        config,
      );
      if ('failure' in acted) return acted;
      if (acted.message === null) return NOT_FOUND;
      const fate = newMailFate(acted.ticket.record, acted.message, ports.mailDomain);
      return { status: 201, body: { ...messageView(acted.message), ...fate } };
    },
  };
}

interface MessagePage {
  readonly messages: readonly Message[];
  readonly fateOf: (message: Message) => MailFate;
  readonly total: number;
}

/** Oldest first. Empty if there is no such ticket. */
export async function readMessages(
  workspaceId: string,
  ticketId: string,
  page: Page,
  { stores, mailDomain }: Pick<HelpdeskApiPorts, 'stores' | 'mailDomain'>,
): Promise<MessagePage> {
  // The ticket first: a message that leaves its outbox after this read is among the rows in the next one.
  const stored = await stores.tickets.read(workspaceId, ticketId);
  if (stored === null) return { messages: [], fateOf: () => NO_MAIL, total: 0 };
  const { messages, total } = await stores.messages.listMessages(workspaceId, ticketId, page);
  const pending = stored.outbox.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []));
  const rows = await Promise.all(
    pending.map(
      ({ id }) =>
        messages.some((message) => message.id === id) ||
        stores.messages.readMessage(workspaceId, ticketId, id),
    ),
  );
  const unwritten = pending.filter((_message, i) => rows[i] === null);
  const from = Math.max(0, page.offset - total);
  const more = unwritten.slice(from, from + page.limit - messages.length);
  const shown = [...messages, ...more];
  const mails = await mailsOf(stored, shown, stores);
  return {
    messages: shown,
    fateOf: (message) => mailFateOf(stored.record, message, mails.get(message.id), mailDomain),
    total: total + unwritten.length,
  };
}

/** One read for a whole page; no read if no message went out by mail. */
async function mailsOf(
  { record, outbox }: Stored<Ticket>,
  messages: readonly Message[],
  { mails }: Pick<HelpdeskStores, 'mails'>,
): Promise<ReadonlyMap<string, MailStatus>> {
  const { workspaceId } = record;
  const sent = isMailTicket(record) ? messages.filter(({ direction }) => direction === 'outbound') : [];
  if (sent.length === 0) return new Map();
  const rows = await mails.readMany(
    workspaceId,
    sent.map(({ id }) => id),
  );
  const about = outbox.flatMap((entry) =>
    entry.kind === 'mail' ? [[entry.messageId, 'pending'] as const] : [],
  );
  return new Map([...about, ...rows.map(({ record: { id, status } }) => [id, status] as const)]);
}
