// The state machine of a ticket, as data: for each state and trigger the next state.
// Guarantees: pure; only this table decides a state; NEW never comes back; a snooze that is over counts as over at
// once, before any process has stored that. Refuses nothing: a trigger without meaning in a state leaves the ticket as
// it is.
import type { EventKind } from '../webhooks/event-kind.ts';
import type { Ticket, TicketState } from './ticket.ts';

export type Trigger =
  /** A public message of ours. */
  | { readonly kind: 'agent_reply' }
  /** Seen by agents only, from any author. */
  | { readonly kind: 'internal_note' }
  /** `keepsSnooze`: the workspace wants a snooze to outlast it. */
  | { readonly kind: 'customer_message'; readonly keepsSnooze?: boolean }
  | { readonly kind: 'snooze'; readonly untilMs: number }
  /** A snooze is ended, by hand. For the timer see `wake`. */
  | { readonly kind: 'wake' }
  | { readonly kind: 'close'; readonly reason: string | null }
  | { readonly kind: 'reject'; readonly reason: string | null }
  | { readonly kind: 'escalate' }
  /** Our turn, set by hand. */
  | { readonly kind: 'open' }
  /** The customer's turn, set by hand. */
  | { readonly kind: 'await_customer' };

export type TriggerKind = Trigger['kind'];

/** A trigger without a message. */
export type SilentTrigger = Exclude<
  Trigger,
  { readonly kind: 'agent_reply' | 'internal_note' | 'customer_message' }
>;

/**
 * A state: the next one. `stays`: the trigger counts and the state stays. `resumed`: ESCALATED if it was raised before
 * it was snoozed, else OPEN. `nothing`: the trigger has no effect at all.
 */
export type Cell = TicketState | 'stays' | 'resumed' | 'nothing';

type Row = Readonly<Record<TriggerKind, Cell>>;

/** What each state says differently is in its own row. */
const USUAL: Row = {
  agent_reply: 'WAITING',
  internal_note: 'stays',
  customer_message: 'stays',
  snooze: 'SNOOZED',
  wake: 'nothing',
  close: 'DONE',
  reject: 'REJECTED',
  escalate: 'ESCALATED',
  open: 'OPEN',
  await_customer: 'WAITING',
};

export const TRANSITIONS: Readonly<Record<TicketState, Row>> = {
  NEW: USUAL,
  OPEN: { ...USUAL, open: 'nothing' },
  ESCALATED: { ...USUAL, escalate: 'nothing' },
  WAITING: { ...USUAL, agent_reply: 'stays', customer_message: 'OPEN', await_customer: 'nothing' },
  SNOOZED: {
    ...USUAL,
    agent_reply: 'stays',
    customer_message: 'resumed',
    snooze: 'stays',
    wake: 'resumed',
    await_customer: 'nothing',
  },
  DONE: { ...USUAL, customer_message: 'OPEN', close: 'nothing' },
  REJECTED: { ...USUAL, reject: 'nothing' },
};

export interface Applied {
  /** The same object if nothing happened. */
  readonly ticket: Ticket;
  /** False: nothing happened, so nothing is written, sent or recorded. */
  readonly changed: boolean;
  /** Events for webhooks, in order, without `ticket.created`. */
  readonly events: readonly EventKind[];
}

/** The ticket after the trigger. A snooze that is already over ends first, and its end is among the events. */
export function applyTrigger(ticket: Ticket, trigger: Trigger, nowMs: number): Applied {
  const woken = wake(ticket, nowMs);
  const before = woken.ticket;
  const next = nextState(before, trigger);
  if (next === null) return woken;
  const counted = hasMessage(trigger) ? withMessage(before, nowMs) : before;
  const after = { ...enter(counted, next, trigger, nowMs), updatedAtMs: nowMs };
  return { ticket: after, changed: true, events: [...woken.events, ...eventsOf(before, after, trigger)] };
}

/** What the timer does: ends a snooze whose time has come. */
export function wake(ticket: Ticket, nowMs: number): Applied {
  const untilMs = ticket.snoozedUntilMs;
  if (ticket.state !== 'SNOOZED' || untilMs === null || untilMs > nowMs)
    return { ticket, changed: false, events: [] };
  const awake = enter(ticket, resumedState(ticket), { kind: 'wake' }, untilMs);
  return { ticket: { ...awake, updatedAtMs: nowMs }, changed: true, events: ['ticket.unsnoozed'] };
}

/** As readers see it: awake from the end of its snooze on, even if no process has stored that yet. */
export function effectiveTicket(ticket: Ticket, nowMs: number): Ticket {
  const { ticket: awake, changed } = wake(ticket, nowMs);
  return changed ? { ...awake, updatedAtMs: ticket.snoozedUntilMs ?? nowMs } : ticket;
}

/** When the ticket's own timer fires; null if it has none. */
export const timerOf = ({ snoozedUntilMs }: Pick<Ticket, 'snoozedUntilMs'>): number | null => snoozedUntilMs;

/** True while the customer waits for us. */
export const isOurTurn = (state: TicketState): boolean =>
  state === 'NEW' || state === 'OPEN' || state === 'ESCALATED';

function nextState(ticket: Ticket, trigger: Trigger): TicketState | null {
  if (trigger.kind === 'customer_message' && trigger.keepsSnooze === true && ticket.state === 'SNOOZED')
    return 'SNOOZED';
  const cell = TRANSITIONS[ticket.state][trigger.kind];
  if (cell === 'nothing') return null;
  if (cell === 'stays') return ticket.state;
  return cell === 'resumed' ? resumedState(ticket) : cell;
}

const resumedState = ({ escalatedAtMs }: Ticket): TicketState =>
  escalatedAtMs === null ? 'OPEN' : 'ESCALATED';

const hasMessage = ({ kind }: Trigger): boolean =>
  kind === 'agent_reply' || kind === 'internal_note' || kind === 'customer_message';

const withMessage = (ticket: Ticket, nowMs: number): Ticket => ({
  ...ticket,
  messageCount: ticket.messageCount + 1,
  lastMessageAtMs: nowMs,
});

/** Sets each field that depends on the state. */
function enter(ticket: Ticket, state: TicketState, trigger: Trigger, nowMs: number): Ticket {
  const isOver = state === 'DONE' || state === 'REJECTED';
  const isSame = state === ticket.state;
  const reason = trigger.kind === 'close' || trigger.kind === 'reject' ? trigger.reason : null;
  const snoozedUntilMs = trigger.kind === 'snooze' ? trigger.untilMs : ticket.snoozedUntilMs;
  return {
    ...ticket,
    state,
    snoozedUntilMs: state === 'SNOOZED' ? snoozedUntilMs : null,
    escalatedAtMs: escalatedAt(ticket, state, nowMs),
    waitingSinceMs: isOurTurn(state) ? (ticket.waitingSinceMs ?? nowMs) : null,
    closedAtMs: isOver ? (isSame ? ticket.closedAtMs : nowMs) : null,
    closeReason: isOver ? (isSame ? ticket.closeReason : reason) : null,
  };
}

function escalatedAt({ escalatedAtMs }: Ticket, state: TicketState, nowMs: number): number | null {
  if (state === 'ESCALATED') return escalatedAtMs ?? nowMs;
  return state === 'SNOOZED' ? escalatedAtMs : null;
}

const OVER: ReadonlySet<TicketState> = new Set(['DONE', 'REJECTED']);

/** The events of a change, the same for every channel it can come by. */
function eventsOf(before: Ticket, after: Ticket, trigger: Trigger): readonly EventKind[] {
  const events: EventKind[] = [];
  const moved = before.state !== after.state;
  if (hasMessage(trigger)) events.push('message.created');
  if (trigger.kind === 'agent_reply') events.push('ticket.replied');
  if (trigger.kind === 'snooze') events.push('ticket.snoozed');
  if (moved && after.state === 'DONE') events.push('ticket.closed');
  if (moved && after.state === 'REJECTED') events.push('ticket.rejected');
  if (moved && trigger.kind === 'escalate') events.push('ticket.escalated');
  const lives = !OVER.has(after.state) && after.state !== 'SNOOZED';
  if (before.state === 'SNOOZED' && lives) events.push('ticket.unsnoozed');
  if (OVER.has(before.state) && lives) events.push('ticket.reopened');
  const isTold = events.some((kind) => kind !== 'message.created');
  if (moved && !isTold) events.push('ticket.updated');
  return events;
}
