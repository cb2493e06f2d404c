// Goal: every cell of the table of transitions, against a table of its own; then every sequence of six triggers from a
// ticket's birth: no reply lost, no timer after a close, each fact where its state says.
import { describe, expect, it } from 'vitest';
import { BORN_AT_MS, newTicket } from '#test/support/helpdesk-ticket.ts';
import {
  CONVERSATION_STATUSES,
  conversationStatusOf,
  statesOfConversationStatus,
  statesOfTicketStatus,
  TICKET_STATUSES,
  TRIGGER_OF_STATUS,
  ticketStatusOf,
} from './status.ts';
import { TICKET_STATES, type Ticket, type TicketState } from './ticket.ts';
import {
  applyTrigger,
  effectiveTicket,
  isOurTurn,
  TRANSITIONS,
  type Trigger,
  type TriggerKind,
  timerOf,
  wake,
} from './transition.ts';

// `=` stays, `-` nothing happens, `A/B` A, or B where it was raised before the snooze.
const TABLE = `
from      reply    note customer       snooze  wake           close reject   escalate  open wait
NEW       WAITING  =    =              SNOOZED -              DONE  REJECTED ESCALATED OPEN WAITING
OPEN      WAITING  =    =              SNOOZED -              DONE  REJECTED ESCALATED -    WAITING
ESCALATED WAITING  =    =              SNOOZED -              DONE  REJECTED -         OPEN WAITING
WAITING   =        =    OPEN           SNOOZED -              DONE  REJECTED ESCALATED OPEN -
SNOOZED   =        =    OPEN/ESCALATED =       OPEN/ESCALATED DONE  REJECTED ESCALATED OPEN -
DONE      WAITING  =    OPEN           SNOOZED -              -     REJECTED ESCALATED OPEN WAITING
REJECTED  WAITING  =    =              SNOOZED -              DONE  -        ESCALATED OPEN WAITING
`;
const NOW_MS = BORN_AT_MS + 3_600_000;
const LATER_MS = NOW_MS + 1_000;

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  reply: { kind: 'agent_reply' },
  note: { kind: 'internal_note' },
  customer: { kind: 'customer_message' },
  snooze: { kind: 'snooze', untilMs: LATER_MS + 60_000 },
  wake: { kind: 'wake' },
  close: { kind: 'close', reason: 'done' },
  reject: { kind: 'reject', reason: 'spam' },
  escalate: { kind: 'escalate' },
  open: { kind: 'open' },
  wait: { kind: 'await_customer' },
};

const IN_STATE: Readonly<Record<TicketState, Partial<Ticket>>> = {
  NEW: {},
  OPEN: {},
  ESCALATED: { escalatedAtMs: NOW_MS },
  WAITING: { waitingSinceMs: null },
  SNOOZED: { waitingSinceMs: null, snoozedUntilMs: LATER_MS + 1 },
  DONE: { waitingSinceMs: null, closedAtMs: NOW_MS, closeReason: 'before' },
  REJECTED: { waitingSinceMs: null, closedAtMs: NOW_MS, closeReason: 'before' },
};

interface TableCell {
  readonly from: TicketState;
  readonly column: string;
  readonly expected: string;
}

function cells(): TableCell[] {
  const [head, ...rows] = TABLE.trim().split('\n');
  const columns = head?.split(/\s+/).slice(1) ?? [];
  return rows.flatMap((row) => {
    const [from, ...values] = row.split(/\s+/);
    return columns.map((column, i) => ({ from: from as TicketState, column, expected: values[i] ?? '' }));
  });
}

const triggerOf = (column: string): Trigger => {
  const trigger = TRIGGERS[column];
  if (trigger === undefined) throw new Error(`no trigger ${column}`);
  return trigger;
};

const TRIGGER_KINDS = Object.keys(TRANSITIONS.NEW) as readonly TriggerKind[];

describe('the table of transitions', () => {
  it('has a row for every state and a column for every trigger', () => {
    expect(Object.keys(TRANSITIONS)).toEqual([...TICKET_STATES]);
    for (const row of Object.values(TRANSITIONS)) expect(Object.keys(row)).toEqual([...TRIGGER_KINDS]);
    expect(cells()).toHaveLength(TICKET_STATES.length * TRIGGER_KINDS.length);
  });

  it.each(cells())('$from + $column → $expected', ({ from, column, expected }) => {
    const ticket = newTicket({ ...IN_STATE[from], state: from });
    const { ticket: after, changed, events } = applyTrigger(ticket, triggerOf(column), LATER_MS);
    if (expected === '-') {
      expect(after).toBe(ticket);
      expect([changed, events]).toEqual([false, []]);
      return;
    }
    expect(changed).toBe(true);
    expect(after.state).toBe(expected === '=' ? from : expected.split('/')[0]);
    expect(after.updatedAtMs).toBe(LATER_MS);
    expect(events.length).toBeGreaterThan(0);
    if (!expected.includes('/')) return;
    const raised = newTicket({ ...IN_STATE[from], state: from, escalatedAtMs: NOW_MS });
    expect(applyTrigger(raised, triggerOf(column), LATER_MS).ticket.state).toBe(expected.split('/')[1]);
  });

  it('keeps a snooze when the customer writes, where the workspace wants it so', () => {
    const ticket = newTicket({ ...IN_STATE.SNOOZED, state: 'SNOOZED' });
    const { ticket: after } = applyTrigger(ticket, { kind: 'customer_message', keepsSnooze: true }, LATER_MS);
    expect(after).toMatchObject({ state: 'SNOOZED', snoozedUntilMs: LATER_MS + 1, messageCount: 2 });
  });
});

describe('facts of a state', () => {
  it.each(['wake', 'customer', 'escalate'])(
    'keeps since when a ticket is raised while it is snoozed, until: %s',
    (column) => {
      const raised = applyTrigger(newTicket({ state: 'OPEN' }), { kind: 'escalate' }, NOW_MS).ticket;
      expect(raised).toMatchObject({ state: 'ESCALATED', escalatedAtMs: NOW_MS });
      const snoozed = applyTrigger(raised, { kind: 'snooze', untilMs: LATER_MS + 1 }, LATER_MS).ticket;
      expect(snoozed).toMatchObject({ state: 'SNOOZED', escalatedAtMs: NOW_MS });
      const again = applyTrigger(snoozed, triggerOf(column), LATER_MS + 1).ticket;
      expect(again).toMatchObject({ state: 'ESCALATED', escalatedAtMs: NOW_MS });
      const noted = applyTrigger(again, { kind: 'internal_note' }, LATER_MS + 2).ticket;
      expect(noted.escalatedAtMs).toBe(NOW_MS);
      const answered = applyTrigger(noted, { kind: 'agent_reply' }, LATER_MS + 3).ticket;
      expect(answered.escalatedAtMs).toBeNull();
      const later = applyTrigger(answered, { kind: 'escalate' }, LATER_MS + 4).ticket;
      expect(later.escalatedAtMs).toBe(LATER_MS + 4);
    },
  );

  it('keeps why and when a ticket was closed for as long as it is', () => {
    const open = newTicket({ state: 'OPEN' });
    const closed = applyTrigger(open, { kind: 'close', reason: 'solved' }, NOW_MS).ticket;
    expect(closed).toMatchObject({ closedAtMs: NOW_MS, closeReason: 'solved' });
    const noted = applyTrigger(closed, { kind: 'internal_note' }, LATER_MS).ticket;
    expect(noted).toMatchObject({ closedAtMs: NOW_MS, closeReason: 'solved', messageCount: 2 });
    const reopened = applyTrigger(noted, { kind: 'customer_message' }, LATER_MS).ticket;
    expect(reopened).toMatchObject({ closedAtMs: null, closeReason: null, waitingSinceMs: LATER_MS });
  });

  it('counts a snooze that is over as over, before anything else happens', () => {
    const snoozed = newTicket({ ...IN_STATE.SNOOZED, state: 'SNOOZED', snoozedUntilMs: NOW_MS });
    const { ticket, events } = applyTrigger(snoozed, { kind: 'agent_reply' }, LATER_MS);
    expect(ticket).toMatchObject({ state: 'WAITING', snoozedUntilMs: null });
    expect(events).toEqual(['ticket.unsnoozed', 'message.created', 'ticket.replied']);
    const unsnoozed = applyTrigger(snoozed, { kind: 'wake' }, LATER_MS);
    expect(unsnoozed).toMatchObject({ changed: true, events: ['ticket.unsnoozed'] });
  });

  it('shows readers a ticket awake from the very moment, and not before', () => {
    const snoozed = newTicket({ ...IN_STATE.SNOOZED, state: 'SNOOZED', snoozedUntilMs: LATER_MS });
    expect(effectiveTicket(snoozed, LATER_MS - 1)).toBe(snoozed);
    expect(effectiveTicket(snoozed, LATER_MS)).toMatchObject({
      state: 'OPEN',
      snoozedUntilMs: null,
      waitingSinceMs: LATER_MS,
      updatedAtMs: LATER_MS,
    });
  });
});

describe('public statuses', () => {
  it('are each the image of a state, and filter exactly those', () => {
    for (const status of TICKET_STATUSES)
      expect(statesOfTicketStatus(status)).toEqual(TICKET_STATES.filter((s) => ticketStatusOf(s) === status));
    for (const status of CONVERSATION_STATUSES)
      expect(statesOfConversationStatus(status)).toEqual(
        TICKET_STATES.filter((s) => conversationStatusOf(s) === status),
      );
    expect(statesOfTicketStatus('pending')).toEqual(['NEW', 'OPEN', 'ESCALATED']);
    expect(statesOfConversationStatus('pending')).toEqual(['WAITING', 'SNOOZED']);
    expect(statesOfConversationStatus('resolved')).toEqual(['DONE', 'REJECTED']);
    expect(statesOfTicketStatus(undefined)).toEqual(TICKET_STATES);
    expect(statesOfConversationStatus(undefined)).toEqual(TICKET_STATES);
  });

  it('set by hand end in the status that was asked for', () => {
    for (const [status, trigger] of Object.entries(TRIGGER_OF_STATUS))
      for (const state of TICKET_STATES) {
        const { ticket } = applyTrigger(newTicket({ ...IN_STATE[state], state }), trigger, LATER_MS);
        expect([state, conversationStatusOf(ticket.state)]).toEqual([state, status]);
      }
  });
});

const DEPTH = 6;
const STEP_MS = 10;
type Step = TriggerKind | 'timer' | 'keeping';
const STEPS: readonly Step[] = [...TRIGGER_KINDS, 'timer', 'keeping'];
const MESSAGES: ReadonlySet<Step> = new Set(['agent_reply', 'internal_note', 'customer_message', 'keeping']);

interface Walk {
  readonly ticket: Ticket;
  readonly nowMs: number;
  readonly messages: number;
  readonly path: readonly Step[];
}

function stepped(walk: Walk, step: Step) {
  // A timer fires long after any snooze of this walk; everything else happens within it.
  const nowMs = walk.nowMs + (step === 'timer' ? 1_000 : STEP_MS);
  if (step === 'timer') return { nowMs, ...wake(walk.ticket, nowMs) };
  const trigger: Trigger =
    step === 'keeping'
      ? { kind: 'customer_message', keepsSnooze: true }
      : step === 'snooze'
        ? { kind: step, untilMs: nowMs + 500 }
        : step === 'close' || step === 'reject'
          ? { kind: step, reason: null }
          : { kind: step };
  return { nowMs, ...applyTrigger(walk.ticket, trigger, nowMs) };
}

/** The first promise that a step breaks; null where it keeps them all. Plain comparisons: there are millions. */
function broken(before: Walk, after: Walk, changed: boolean, events: readonly string[]): string | null {
  const { ticket } = after;
  if (ticket.messageCount !== after.messages) return 'a message is lost';
  if (changed !== (ticket !== before.ticket) || changed !== events.length > 0) return 'told of nothing';
  if ((ticket.snoozedUntilMs !== null) !== (ticket.state === 'SNOOZED')) return 'snoozed apart from SNOOZED';
  if ((ticket.waitingSinceMs !== null) !== isOurTurn(ticket.state)) return 'waiting apart from our turn';
  if (ticket.waitingSinceMs !== null && isOurTurn(before.ticket.state)) {
    if (ticket.waitingSinceMs !== before.ticket.waitingSinceMs) return 'waiting begins anew';
  } else if (ticket.waitingSinceMs !== null && ticket.waitingSinceMs > after.nowMs)
    return 'waits from the future';
  const isOver = ticket.state === 'DONE' || ticket.state === 'REJECTED';
  if ((ticket.closedAtMs !== null) !== isOver) return 'closed apart from its states';
  if (ticket.state === 'ESCALATED' && ticket.escalatedAtMs === null) return 'raised without a time';
  if (ticket.state === 'NEW' && before.ticket.state !== 'NEW') return 'new again';
  if (after.path.at(-1) === 'timer' && changed && before.ticket.state !== 'SNOOZED') return 'a timer fired';
  if (timerOf(ticket) !== ticket.snoozedUntilMs) return 'a timer without a snooze';
  return null;
}

it(`keeps every promise in all ${STEPS.length}^${DEPTH} sequences from birth, and reaches every status`, () => {
  const ticketStatuses = new Set<string>();
  const conversationStatuses = new Set<string>();
  const failures: string[] = [];
  let walked = 0;
  const explore = (walk: Walk): void => {
    ticketStatuses.add(ticketStatusOf(walk.ticket.state));
    conversationStatuses.add(conversationStatusOf(walk.ticket.state));
    if (walk.path.length === DEPTH) {
      walked += 1;
      return;
    }
    for (const step of STEPS) {
      const { ticket, changed, events, nowMs } = stepped(walk, step);
      const messages = walk.messages + (MESSAGES.has(step) ? 1 : 0);
      const next = { ticket, nowMs, messages, path: [...walk.path, step] };
      const problem = broken(walk, next, changed, events);
      if (problem !== null && failures.length < 5) failures.push(`${problem}: ${next.path.join(' ')}`);
      explore(next);
    }
  };
  explore({ ticket: newTicket(), nowMs: BORN_AT_MS, messages: 1, path: [] });
  expect(failures).toEqual([]);
  expect(walked).toBe(STEPS.length ** DEPTH);
  expect([...ticketStatuses].sort()).toEqual([...TICKET_STATUSES].sort());
  expect([...conversationStatuses].sort()).toEqual([...CONVERSATION_STATUSES].sort());
});
