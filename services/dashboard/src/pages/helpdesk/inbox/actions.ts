// An agent's actions on a ticket: in words, as the ticket looks before the helpdesk has answered, and as calls.
// Guarantees: a repetition has the same idempotency key; a change of state has the version the agent saw.
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import { versioned } from '../versioned.ts';
import type { Conversation, Ticket } from './conversation.ts';

export type Action =
  | { readonly kind: 'message'; readonly body: string; readonly isNote: boolean; readonly thenClose: boolean }
  | { readonly kind: 'close' | 'reject'; readonly reason: string }
  | { readonly kind: 'snooze'; readonly until: string }
  | { readonly kind: 'wake' | 'escalate' };

export function wordsOf(action: Action): string {
  if (action.kind === 'message')
    return `${action.isNote ? 'Note' : 'Reply'}${action.thenClose ? ', then close' : ''}`;
  return { close: 'Close', reject: 'Reject', snooze: 'Snooze', wake: 'Wake', escalate: 'Raise' }[action.kind];
}

type Shown = Pick<Conversation, 'status' | 'ticket_status' | 'snoozed_until' | 'close_reason'>;

/** The ticket after the action. */
export function after<T extends Conversation>(ticket: T, action: Action): T {
  return { ...ticket, ...changeOf(ticket, action) };
}

function changeOf(ticket: Conversation, action: Action): Partial<Shown> {
  switch (action.kind) {
    case 'message':
      if (action.thenClose) return { status: 'resolved', ticket_status: 'closed' };
      return action.isNote ? {} : { status: 'pending', ticket_status: 'sent', snoozed_until: null };
    case 'close':
      return { status: 'resolved', ticket_status: 'closed', close_reason: action.reason || null };
    case 'reject':
      return { status: 'resolved', ticket_status: 'rejected', close_reason: action.reason || null };
    case 'snooze':
      return { status: 'pending', ticket_status: 'snoozed', snoozed_until: action.until };
    case 'escalate':
      return { status: 'escalated', ticket_status: 'pending', snoozed_until: null };
    case 'wake':
      return ticket.ticket_status === 'snoozed'
        ? { status: 'open', ticket_status: 'pending', snoozed_until: null }
        : {};
  }
}

interface Sent {
  readonly ticket: Ticket;
  readonly action: Action;
  /** The same for the first try and every repetition. */
  readonly key: string;
  /** The version that the change applies to. */
  readonly ifMatch: string;
}

/**
 * Resolves to the version after it; null if another person changed the ticket as well, and the agent has not seen that.
 */
export async function send(
  helpdesk: HelpdeskClient,
  { ticket, action, key, ifMatch }: Sent,
): Promise<string | null> {
  const params = { id: ticket.id };
  const headers = { 'if-match': ifMatch, 'idempotency-key': key };
  const reasonOf = (reason: string) => (reason.trim() === '' ? {} : { reason });
  switch (action.kind) {
    case 'message':
      return await say(helpdesk, { ticket, action, key, ifMatch });
    case 'close':
      await helpdesk.closeConversation({ params, headers, body: reasonOf(action.reason) });
      break;
    case 'reject':
      await helpdesk.rejectConversation({ params, headers, body: reasonOf(action.reason) });
      break;
    case 'snooze':
      await helpdesk.snoozeConversation({ params, headers, body: { snoozed_until: action.until } });
      break;
    case 'escalate':
      await helpdesk.escalateConversation({ params, headers });
      break;
    case 'wake':
      await helpdesk.unsnoozeConversation({ params, headers: { 'if-match': ifMatch } });
      break;
  }
  return (await versionOf(helpdesk, ticket.id)).etag;
}

/**
 * Messages never conflict with each other; whether the ticket may be closed with one depends on the version the agent
 * saw.
 */
async function say(helpdesk: HelpdeskClient, { ticket, action, key, ifMatch }: Sent): Promise<string | null> {
  if (action.kind !== 'message') return null;
  const { body } = await helpdesk.createMessage({
    headers: { 'idempotency-key': key },
    body: { ticket_id: ticket.id, body: action.body, internal_note: action.isNote },
  });
  const now = await versionOf(helpdesk, ticket.id);
  const seen = await helpdesk.listMessages({
    query: { ticket_id: ticket.id, limit: 100, offset: ticket.message_count },
  });
  const isAlone = seen.body.messages.every(({ id }) => id === body.id);
  if (action.thenClose) {
    const match = isAlone ? now.etag : ifMatch;
    const headers = { 'if-match': match, 'idempotency-key': `${key}-${match.replaceAll(/\W/g, '')}` };
    await helpdesk.closeConversation({ params: { id: ticket.id }, headers, body: {} });
    return (await versionOf(helpdesk, ticket.id)).etag;
  }
  return isAlone ? now.etag : null;
}

export async function versionOf(helpdesk: HelpdeskClient, id: string, signal?: AbortSignal): Promise<Ticket> {
  return versioned(
    await helpdesk.getConversation({ params: { id } }, signal === undefined ? {} : { signal }),
  );
}
