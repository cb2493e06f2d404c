// Goal: each change of a ticket is followed by all that must follow, once, and a change that is none by nothing.
import { describe, expect, it } from 'vitest';
import { BORN_AT_MS, newTicket } from '#test/support/helpdesk-ticket.ts';
import { derivedUuidv7 } from '../account/derived-id.ts';
import type { RequestFacts } from '../audit/audit.ts';
import type { OutboxEntry, Stored } from '../outbox.ts';
import { eventBody } from '../webhooks/event-payload.ts';
import { changedTicket, createTicket, type TicketAction, type TicketContext, wokenTicket } from './change.ts';
import type { Ticket } from './ticket.ts';

const LATER_MS = BORN_AT_MS + 60_000;
const by: RequestFacts = {
  caller: { kind: 'session', sub: 'eve', merchantId: 'm_one', role: 'member', grant: { opens: [] } },
  requestId: 'r1',
};

function contextOf(changes: Partial<TicketContext> = {}): TicketContext {
  let ids = 0;
  return {
    atMs: LATER_MS,
    newId: () => derivedUuidv7(LATER_MS, `id-${++ids}`),
    by,
    config: { autoDraft: true, keepsSnooze: false },
    mailDomain: 'desk.example',
    ...changes,
  };
}

const stored = (changes: Partial<Ticket> = {}): Stored<Ticket> => ({
  record: newTicket(changes),
  version: 4,
  outbox: [],
  dueAtMs: null,
});

const AGENT = { type: 'agent', id: 'user:eve', name: null } as const;
const WRITE: TicketAction = { kind: 'write', body: 'Soon.', isInternal: false, author: AGENT };
const NOTE: TicketAction = { ...WRITE, isInternal: true };
const RECEIVE: TicketAction = { kind: 'receive', body: 'hello?' };
const CLOSE: TicketAction = { kind: 'trigger', trigger: { kind: 'close', reason: 'solved' } };

const kinds = (outbox: readonly OutboxEntry[] | undefined): string[] =>
  (outbox ?? []).map((entry) => (entry.kind === 'event' ? entry.event.type : entry.kind)).sort();

const audited = (outbox: readonly OutboxEntry[] | undefined) =>
  (outbox ?? []).flatMap((entry) => (entry.kind === 'audit' ? [entry.entry] : []));

describe('a birth', () => {
  const draft = {
    id: 'id-0',
    workspaceId: 'm_one',
    code: 'TKT-000001',
    subject: 'Where is my order?',
    customerName: 'Ada',
    priority: 'high',
    channel: 'email',
    body: 'x'.repeat(600),
  } as const;

  it('brings a message, a contact, tokens, a run, events and one entry', () => {
    const { record, outbox, dueAtMs } = createTicket(
      { ...draft, customerEmail: 'Ada@Example.com' },
      contextOf(),
    );
    expect(kinds(outbox)).toEqual(
      ['audit', 'contact', 'message', 'message.created', 'run', 'search', 'ticket.created'].sort(),
    );
    expect(record).toMatchObject({ state: 'NEW', customerEmail: 'ada@example.com', messageCount: 1 });
    expect(dueAtMs).toBeNull();
    expect(audited(outbox)).toMatchObject([{ action: 'ticket.created', actor: { type: 'user', id: 'eve' } }]);
    const ids = outbox.flatMap((entry) => (entry.kind === 'event' ? [entry.event.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('of nobody who is known brings no contact, and of a workspace without drafts no run', () => {
    const { outbox } = createTicket(
      { ...draft, customerEmail: null },
      contextOf({ config: { autoDraft: false, keepsSnooze: false } }),
    );
    expect(kinds(outbox)).not.toEqual(expect.arrayContaining(['contact']));
    expect(kinds(outbox)).not.toEqual(expect.arrayContaining(['run']));
  });

  it('is told with what it was at that moment, and 500 characters of the message', () => {
    const { outbox } = createTicket({ ...draft, customerEmail: null, body: '😀'.repeat(600) }, contextOf());
    for (const entry of outbox) {
      if (entry.kind !== 'event') continue;
      const text = eventBody('m_one', entry.event);
      expect(Buffer.byteLength(text)).toBeLessThan(20_000);
      expect(JSON.parse(text)).toMatchObject({
        type: entry.event.type,
        timestamp: new Date(LATER_MS).toISOString(),
        account_id: 'm_one',
        data: { ticket: { id: 'id-0', status: 'pending' }, message: { body_preview: '😀'.repeat(500) } },
        version: 1,
      });
      expect(text).not.toContain('"body"');
    }
  });
});

describe('a change', () => {
  it.each([
    ['a reply', [WRITE], { state: 'OPEN' }, ['audit', 'message', 'message.created', 'ticket.replied']],
    [
      'a reply by e-mail',
      [WRITE],
      { channel: 'email' },
      ['audit', 'mail', 'message', 'message.created', 'ticket.replied'],
    ],
    [
      'a reply to nobody',
      [WRITE],
      { channel: 'email', customerEmail: null },
      ['audit', 'message', 'message.created', 'ticket.replied'],
    ],
    ['a note by e-mail', [NOTE], { channel: 'email' }, ['audit', 'message', 'message.created']],
    ['a customer', [RECEIVE], { state: 'OPEN' }, ['audit', 'message', 'message.created', 'run']],
    [
      'a customer after the end',
      [RECEIVE],
      { state: 'DONE' },
      ['audit', 'message', 'message.created', 'run', 'ticket.reopened'],
    ],
    ['a customer who was refused', [RECEIVE], { state: 'REJECTED' }, ['audit', 'message', 'message.created']],
    ['a close', [CLOSE], { state: 'OPEN' }, ['audit', 'ticket.closed']],
    ['a priority', [{ kind: 'prioritize', priority: 'low' }], {}, ['audit', 'ticket.updated']],
    [
      'a priority and a close',
      [{ kind: 'prioritize', priority: 'low' }, CLOSE],
      {},
      ['audit', 'ticket.closed', 'ticket.updated'],
    ],
  ] as const)('by %s is followed by its own', (_name, actions, changes, expected) => {
    const write = changedTicket(stored(changes), actions, contextOf());
    expect(kinds(write?.outbox)).toEqual(expected);
    for (const entry of write?.outbox ?? []) if (entry.kind === 'event') expect(entry.event.version).toBe(5);
  });

  it.each([
    ['a second close', [CLOSE], { state: 'DONE' }],
    ['the same priority', [{ kind: 'prioritize', priority: 'normal' }], {}],
    ['nothing', [], {}],
  ] as const)('that is %s is none', (_name, actions, changes) => {
    expect(changedTicket(stored(changes), actions, contextOf())).toBeNull();
  });

  it('goes out by mail only where there is a domain', () => {
    const write = changedTicket(stored({ channel: 'email' }), [WRITE], contextOf({ mailDomain: null }));
    expect(kinds(write?.outbox)).not.toContain('mail');
  });

  it('tells the log the status and never what people wrote', () => {
    const write = changedTicket(stored({ state: 'OPEN' }), [CLOSE], contextOf());
    const [entry] = audited(write?.outbox);
    expect(JSON.parse(entry?.changes ?? '')).toEqual({
      status: { from: 'open', to: 'resolved' },
      close_reason: { from: null, to: '[hidden]' },
    });
    const reply = changedTicket(stored(), [WRITE], contextOf());
    expect(JSON.stringify(audited(reply?.outbox))).not.toContain('Soon.');
  });

  it('keeps the id a message was given before, so that a second try writes the same', () => {
    const messageId = derivedUuidv7(LATER_MS, 'given');
    const write = changedTicket(stored(), [{ ...NOTE, messageId }], contextOf());
    expect(write?.message?.id).toBe(messageId);
  });

  it.each([
    ['an agent', WRITE],
    ['a note', NOTE],
    ['a customer', RECEIVE],
  ] as const)('shows the time by which %s is sorted, however late it is written', (_name, action) => {
    const messageId = derivedUuidv7(LATER_MS - 2_000, 'given');
    const write = changedTicket(stored(), [{ ...action, messageId }], contextOf());
    expect(write?.message).toMatchObject({ id: messageId, createdAtMs: LATER_MS - 2_000 });
  });
});

describe('the timer', () => {
  const snoozed = stored({ state: 'SNOOZED', waitingSinceMs: null, snoozedUntilMs: LATER_MS });

  it('ends a snooze whose time has come, as the system, and says so once', () => {
    const context = contextOf({ by: { workspaceId: 'm_one', system: 'sweep' } });
    const write = wokenTicket(snoozed, context);
    expect(write?.record).toMatchObject({ state: 'OPEN', snoozedUntilMs: null, waitingSinceMs: LATER_MS });
    expect(write?.dueAtMs).toBeNull();
    expect(kinds(write?.outbox)).toEqual(['audit', 'ticket.unsnoozed']);
    expect(audited(write?.outbox)).toMatchObject([{ action: 'ticket.unsnoozed', actor: { type: 'system' } }]);
  });

  it.each([
    ['before its time', snoozed, LATER_MS - 1],
    ['after a close', stored({ state: 'DONE', snoozedUntilMs: null }), LATER_MS],
  ])('does nothing %s', (_name, ticket, atMs) => {
    expect(wokenTicket(ticket, contextOf({ atMs }))).toBeNull();
  });

  it('is set while a ticket is snoozed, and by nothing else', () => {
    const snooze = { kind: 'trigger', trigger: { kind: 'snooze', untilMs: LATER_MS + 5 } } as const;
    expect(changedTicket(stored(), [snooze], contextOf())?.dueAtMs).toBe(LATER_MS + 5);
    const later = stored({ state: 'SNOOZED', waitingSinceMs: null, snoozedUntilMs: LATER_MS + 5 });
    expect(changedTicket(later, [NOTE], contextOf())?.dueAtMs).toBe(LATER_MS + 5);
    expect(changedTicket(later, [CLOSE], contextOf())?.dueAtMs).toBeNull();
  });
});
