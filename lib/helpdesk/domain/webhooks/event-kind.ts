// The kinds of events that a webhook can receive.

export const EVENT_KINDS = [
  'ticket.created',
  'ticket.updated',
  'ticket.replied',
  'ticket.closed',
  'ticket.reopened',
  'ticket.snoozed',
  'ticket.unsnoozed',
  'ticket.rejected',
  'ticket.escalated',
  'message.created',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'article.created',
  'article.published',
  'run.completed',
  'run.failed',
  'account.updated',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
