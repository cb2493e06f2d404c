// The two public statuses of the one record: projections of its state, stored nowhere. Guarantees: every value of both is the
// image of a state, and a filter by a value is exactly the states it is the image of.
import { TICKET_STATES, type TicketState } from './ticket.ts';
import type { SilentTrigger } from './transition.ts';

export const TICKET_STATUSES = ['pending', 'sent', 'closed', 'rejected', 'snoozed'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const CONVERSATION_STATUSES = ['new', 'open', 'pending', 'resolved', 'escalated'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

const STATUSES: Readonly<
  Record<TicketState, { readonly ticket: TicketStatus; readonly conversation: ConversationStatus }>
> = {
  NEW: { ticket: 'pending', conversation: 'new' },
  OPEN: { ticket: 'pending', conversation: 'open' },
  ESCALATED: { ticket: 'pending', conversation: 'escalated' },
  WAITING: { ticket: 'sent', conversation: 'pending' },
  SNOOZED: { ticket: 'snoozed', conversation: 'pending' },
  DONE: { ticket: 'closed', conversation: 'resolved' },
  REJECTED: { ticket: 'rejected', conversation: 'resolved' },
};

export const ticketStatusOf = (state: TicketState): TicketStatus => STATUSES[state].ticket;

export const conversationStatusOf = (state: TicketState): ConversationStatus => STATUSES[state].conversation;

/** All states where absent. */
export function statesOfTicketStatus(status: TicketStatus | undefined): readonly TicketState[] {
  return TICKET_STATES.filter((state) => status === undefined || STATUSES[state].ticket === status);
}

/** All states where absent. */
export function statesOfConversationStatus(status: ConversationStatus | undefined): readonly TicketState[] {
  return TICKET_STATES.filter((state) => status === undefined || STATUSES[state].conversation === status);
}

/** The trigger for each conversation status that a caller sets by hand; `new` cannot be set. */
export const TRIGGER_OF_STATUS: Readonly<Record<Exclude<ConversationStatus, 'new'>, SilentTrigger>> = {
  open: { kind: 'open' },
  pending: { kind: 'await_customer' },
  resolved: { kind: 'close', reason: null },
  escalated: { kind: 'escalate' },
};
