// The record and the outbox that a change of a ticket writes.
// Guarantees: pure, except for the ids it is given; one audit entry per change; the same events for a change by mail,
// by a worker or by a caller, since all of them go through here; nothing for a trigger without effect.
import type { AccountConfig } from '../account/config.ts';
import { auditEntry, changesOf, type RequestFacts, type SystemFacts } from '../audit/audit.ts';
import { contactIdOf } from '../contacts/contact-id.ts';
import type { UnmailedReason } from '../mail/mail.ts';
import type { OutboxEntry, Stored } from '../outbox.ts';
import { searchEntries, ticketTokens } from '../search/search-tokens.ts';
import type { EventKind } from '../webhooks/event-kind.ts';
import { ticketEvents } from '../webhooks/event-payload.ts';
import { type Author, idAndTime, type MailFacts, type Message } from './message.ts';
import { conversationStatusOf } from './status.ts';
import type { Channel, Priority, Ticket } from './ticket.ts';
import { applyTrigger, type SilentTrigger, timerOf, wake } from './transition.ts';

export interface TicketContext {
  readonly atMs: number;
  /** A fresh UUIDv7 of `atMs`. */
  readonly newId: () => string;
  readonly by: RequestFacts | SystemFacts;
  /** Needed if the customer writes. */
  readonly config: Pick<AccountConfig, 'autoDraft' | 'keepsSnooze'> &
    Partial<Pick<AccountConfig, 'mailsEveryTicket'>>;
  /** Null if e-mail is not configured. */
  readonly mailDomain: string | null;
}

/** What is written, for `change` to commit. */
export interface TicketWrite {
  readonly record: Ticket;
  readonly outbox: readonly OutboxEntry[];
  readonly dueAtMs: number | null;
  /** The message that came with it; null without one. */
  readonly message: Message | null;
}

export interface TicketDraft {
  readonly id: string;
  readonly workspaceId: string;
  readonly code: string;
  readonly subject: string;
  readonly customerEmail: string | null;
  readonly customerName: string | null;
  readonly priority: Priority;
  readonly channel: Channel;
  /** What the customer wrote. */
  readonly body: string;
  readonly mail?: MailFacts;
  readonly received?: ReceivedAs;
}

/** A customer's message that was received before it is written here, such as a mail. */
export interface ReceivedAs {
  /** Allocated before the first try, so that a second one writes no second message. */
  readonly messageId: string;
  /** The author, who may be another person than the ticket's customer. */
  readonly author: Author;
}

export type TicketAction =
  | { readonly kind: 'trigger'; readonly trigger: SilentTrigger }
  /** An agent or a draft of the assistant writes. */
  | {
      readonly kind: 'write';
      readonly body: string;
      readonly isInternal: boolean;
      readonly author: Author;
      /** Allocated before the first try, so that a second one writes no second message. */
      readonly messageId?: string;
    }
  /** The customer writes. */
  | {
      readonly kind: 'receive';
      readonly body: string;
      readonly mail?: MailFacts;
      readonly received?: ReceivedAs;
      /** As for `write`; a message that was received elsewhere has its id in `received`. */
      readonly messageId?: string;
    }
  | { readonly kind: 'prioritize'; readonly priority: Priority };

export function createTicket(draft: TicketDraft, context: TicketContext): TicketWrite {
  const { body, mail, received, ...facts } = draft;
  const { atMs } = context;
  const email = draft.customerEmail?.toLowerCase() ?? null;
  const record: Ticket = {
    ...facts,
    customerEmail: email,
    contactId: email === null ? null : contactIdOf(draft.workspaceId, email),
    ...(context.config.mailsEveryTicket === true && draft.channel !== 'email' && email !== null
      ? { isAnsweredByMail: true as const }
      : {}),
    state: 'NEW',
    snoozedUntilMs: null,
    escalatedAtMs: null,
    waitingSinceMs: atMs,
    closedAtMs: null,
    closeReason: null,
    messageCount: 1,
    lastMessageAtMs: atMs,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
  const message = customersMessage(record, { body, mail, received }, context);
  const { id: recordId, workspaceId: _workspaceId, customerName: name } = record;
  const outbox: OutboxEntry[] = [
    ...followingOf(null, record, message, ['ticket.created', 'message.created'], 1, context),
    ...searchEntries({ type: 'ticket', recordId, version: 1 }, [], ticketTokens(record)),
    ...(email === null ? [] : [{ kind: 'contact', email, name, ticketId: recordId, atMs } as const]),
  ];
  return { record, outbox, dueAtMs: timerOf(record), message };
}

/** Null if nothing changes. */
export function changedTicket(
  { record: before, version }: Stored<Ticket>,
  actions: readonly TicketAction[],
  context: TicketContext,
): TicketWrite | null {
  let ticket = before;
  let message: Message | null = null;
  const kinds: EventKind[] = [];
  for (const action of actions) {
    const written = messageOf(ticket, action, context);
    const applied = appliedTo(ticket, action, context);
    ticket = applied.ticket;
    message = written ?? message;
    kinds.push(...applied.events);
  }
  if (ticket === before) return null;
  const outbox = followingOf(before, ticket, message, kinds, version + 1, context);
  return { record: ticket, outbox, dueAtMs: timerOf(ticket), message };
}

/** The write of the snooze timer; null if it is not time yet, or another process has written it. */
export function wokenTicket(stored: Stored<Ticket>, context: TicketContext): TicketWrite | null {
  const { ticket, changed, events } = wake(stored.record, context.atMs);
  if (!changed) return null;
  const outbox = followingOf(stored.record, ticket, null, events, stored.version + 1, context);
  return { record: ticket, outbox, dueAtMs: timerOf(ticket), message: null };
}

function appliedTo(
  ticket: Ticket,
  action: TicketAction,
  { atMs, config }: TicketContext,
): { readonly ticket: Ticket; readonly events: readonly EventKind[] } {
  switch (action.kind) {
    case 'trigger':
      return applyTrigger(ticket, action.trigger, atMs);
    case 'write':
      return applyTrigger(ticket, { kind: action.isInternal ? 'internal_note' : 'agent_reply' }, atMs);
    case 'receive':
      return applyTrigger(ticket, { kind: 'customer_message', keepsSnooze: config.keepsSnooze }, atMs);
    case 'prioritize':
      return action.priority === ticket.priority
        ? { ticket, events: [] }
        : {
            ticket: { ...ticket, priority: action.priority, updatedAtMs: atMs },
            events: ['ticket.updated'],
          };
  }
}

function messageOf(ticket: Ticket, action: TicketAction, context: TicketContext): Message | null {
  if (action.kind === 'receive') return customersMessage(ticket, action, context);
  if (action.kind !== 'write') return null;
  const { body, isInternal, author, messageId } = action;
  return {
    ...idAndTime(messageId ?? context.newId()),
    workspaceId: ticket.workspaceId,
    ticketId: ticket.id,
    body,
    isInternal,
    direction: isInternal ? 'internal' : 'outbound',
    author,
  };
}

const customersMessage = (
  { id, workspaceId, contactId, customerName }: Ticket,
  {
    body,
    mail,
    received,
    messageId,
  }: {
    readonly body: string;
    readonly mail?: MailFacts | undefined;
    readonly received?: ReceivedAs | undefined;
    readonly messageId?: string | undefined;
  },
  { newId }: TicketContext,
): Message => ({
  ...idAndTime(received?.messageId ?? messageId ?? newId()),
  workspaceId,
  ticketId: id,
  body,
  isInternal: false,
  direction: 'inbound',
  author: received?.author ?? { type: 'customer', id: contactId, name: customerName },
  ...(mail === undefined ? {} : { mail }),
});

function followingOf(
  before: Ticket | null,
  after: Ticket,
  message: Message | null,
  kinds: readonly EventKind[],
  version: number,
  context: TicketContext,
): readonly OutboxEntry[] {
  const { atMs, newId } = context;
  const audit = auditOf(before, after, message, kinds, context);
  return [
    ...(message === null ? [] : [{ kind: 'message', message } as const]),
    { kind: 'audit', entry: audit },
    ...ticketEvents(kinds, { ticket: after, message }, { version, atMs, newId }),
    ...runOf(after, message, context),
    ...mailOf(after, message, context),
  ];
}

/** A customer's message gets a draft, unless the workspace has drafts switched off or the ticket is rejected. */
function runOf(
  ticket: Ticket,
  message: Message | null,
  { config, newId, atMs }: TicketContext,
): readonly OutboxEntry[] {
  if (message?.direction !== 'inbound' || !config.autoDraft || ticket.state === 'REJECTED') return [];
  const ids = { runId: newId(), noteId: newId(), ticketId: ticket.id, messageId: message.id };
  return [{ kind: 'run', ...ids, trigger: 'message', atMs }];
}

function mailOf(
  ticket: Ticket,
  message: Message | null,
  { mailDomain, atMs }: TicketContext,
): readonly OutboxEntry[] {
  if (message === null || !goesByMail(ticket, message, mailDomain)) return [];
  return [{ kind: 'mail', messageId: message.id, ticketId: ticket.id, atMs }];
}

type Addressed = Pick<Ticket, 'channel' | 'customerEmail' | 'isAnsweredByMail'>;

/** `mailDomain`: null where no e-mail is configured. */
const goesByMail = (
  ticket: Addressed,
  { direction }: Pick<Message, 'direction'>,
  mailDomain: string | null,
): boolean => direction === 'outbound' && whyUnmailed(ticket, mailDomain) === null;

export const isMailTicket = ({ channel, isAnsweredByMail }: Addressed): boolean =>
  channel === 'email' || isAnsweredByMail === true;

/** Why a public reply does not go by e-mail; null: it does. */
export function whyUnmailed(ticket: Addressed, mailDomain: string | null): UnmailedReason | null {
  if (ticket.customerEmail === null) return 'no_address';
  if (mailDomain === null) return 'no_mail_domain';
  return isMailTicket(ticket) ? null : 'other_channel';
}

function auditOf(
  before: Ticket | null,
  after: Ticket,
  message: Message | null,
  kinds: readonly EventKind[],
  { by, newId, atMs }: TicketContext,
) {
  return auditEntry(
    by,
    {
      action: kinds.findLast((kind) => kind !== 'message.created') ?? 'message.created',
      resourceType: 'ticket',
      resourceId: after.id,
      changes: changesOf(factsOf(before), factsOf(after), {
        shown: ['status', 'priority', 'snoozedUntilMs'],
        hidden: ['closeReason'],
      }),
      ...(message === null ? {} : { metadata: { message_id: message.id, direction: message.direction } }),
    },
    { id: newId(), atMs },
  );
}

const factsOf = (ticket: Ticket | null) =>
  ticket === null
    ? null
    : {
        status: conversationStatusOf(ticket.state),
        priority: ticket.priority,
        snoozedUntilMs: ticket.snoozedUntilMs,
        closeReason: ticket.closeReason,
      };
