// A workspace of the helpdesk, what people do in it, and what has to be there once everything is over.
import { webhookOf } from '#test/support/helpdesk-records.ts';
import { auditEntry } from '../../lib/helpdesk/domain/audit/audit.ts';
import { changedContact, newContact } from '../../lib/helpdesk/domain/contacts/change.ts';
import type { Contact } from '../../lib/helpdesk/domain/contacts/contact.ts';
import { contactIdOf } from '../../lib/helpdesk/domain/contacts/contact-id.ts';
import type { OutboxEntry } from '../../lib/helpdesk/domain/outbox.ts';
import {
  contactTokens,
  searchEntries,
  ticketTokens,
} from '../../lib/helpdesk/domain/search/search-tokens.ts';
import {
  changedTicket,
  type TicketAction,
  type TicketContext,
  createTicket as writeOf,
} from '../../lib/helpdesk/domain/tickets/change.ts';
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import { deliveriesOf } from '../../lib/helpdesk/domain/webhooks/event.ts';
import { contactEvent } from '../../lib/helpdesk/domain/webhooks/event-payload.ts';
import type { Webhook } from '../../lib/helpdesk/domain/webhooks/webhook.ts';
import { change } from '../../lib/helpdesk/work/commit.ts';
import type { DrainPorts } from '../../lib/helpdesk/work/drain.ts';
import type { MemoryHelpdesk } from '../support/memory/helpdesk.ts';
import type { Commit } from './helpdesk-crashes.ts';

export const WS = 'm_one';
export const START_MS = Date.UTC(2026, 10, 21, 12);
export const TICKET_ID = '019aa2f4-6a10-7000-8000-000000000001';
const EMAIL = 'ada@example.com';
export const SNOOZE_MS = 30_000;

export const WEBHOOKS: readonly Webhook[] = [
  webhookOf('all', ['*']),
  webhookOf('some', ['ticket.created', 'ticket.unsnoozed', 'contact.created']),
  webhookOf('off', ['*'], false),
];

function contextOf({ clock, random }: DrainPorts): TicketContext {
  const atMs = clock.now();
  return {
    atMs,
    newId: () => random.uuidv7(atMs),
    by: { workspaceId: WS, system: 'test' },
    config: { autoDraft: true, keepsSnooze: false },
    mailDomain: 'mail.example.com',
  };
}

export type Act = (ports: DrainPorts) => Promise<'done' | 'nothing'>;

export const createTicket: Act = (ports) =>
  change(
    ports.stores.tickets,
    { workspaceId: WS, id: TICKET_ID },
    (stored) => {
      if (stored !== null) return { result: 'nothing' };
      const draft = {
        id: TICKET_ID,
        workspaceId: WS,
        code: 'TKT-000001',
        subject: 'Wo ist mein Paket?',
        customerEmail: EMAIL,
        customerName: 'Ada Lovelace',
        priority: 'normal',
        channel: 'email',
        body: 'Hello',
      } as const;
      return { ...writeOf(draft, contextOf(ports)), result: 'done' };
    },
    ports,
  );

const act =
  (action: (ports: DrainPorts) => TicketAction): Act =>
  (ports) =>
    change(
      ports.stores.tickets,
      { workspaceId: WS, id: TICKET_ID },
      (stored) => {
        const write = stored === null ? null : changedTicket(stored, [action(ports)], contextOf(ports));
        return write === null ? { result: 'nothing' } : { ...write, result: 'done' };
      },
      ports,
    );

const AGENT = { type: 'agent', id: 'user:u', name: null } as const;
export const reply = act(() => ({ kind: 'write', body: 'Hi', isInternal: false, author: AGENT }));
export const note = act(() => ({ kind: 'write', body: 'psst', isInternal: true, author: AGENT }));
export const receive = act(() => ({ kind: 'receive', body: 'And?' }));
export const close = act(() => ({ kind: 'trigger', trigger: { kind: 'close', reason: null } }));
export const snooze = act(({ clock }) => ({
  kind: 'trigger',
  trigger: { kind: 'snooze', untilMs: clock.now() + SNOOZE_MS },
}));

/** As the API makes or changes a contact. */
export const upsertContact =
  (facts: { readonly name?: string; readonly company?: string }): Act =>
  (ports) =>
    change(
      ports.stores.contacts,
      { workspaceId: WS, id: contactIdOf(WS, EMAIL) },
      (stored) => {
        const nowMs = ports.clock.now();
        const before = stored?.record ?? null;
        const record =
          before === null
            ? newContact({ workspaceId: WS, email: EMAIL }, facts, nowMs)
            : changedContact(before, facts, nowMs);
        if (record === before) return { result: 'nothing' };
        const version = (stored?.version ?? 0) + 1;
        return { record, outbox: contactOutbox(before, record, version, ports), result: 'done' };
      },
      ports,
    );

function contactOutbox(
  before: Contact | null,
  after: Contact,
  version: number,
  { clock, random }: DrainPorts,
): readonly OutboxEntry[] {
  const atMs = clock.now();
  const newId = () => random.uuidv7(atMs);
  const kind = before === null ? 'contact.created' : 'contact.updated';
  const made = { action: kind, resourceType: 'contact', resourceId: after.id };
  return [
    { kind: 'audit', entry: auditEntry({ workspaceId: WS, system: 'test' }, made, { id: newId(), atMs }) },
    ...searchEntries(
      { type: 'contact', recordId: after.id, version },
      before === null ? [] : contactTokens(before),
      contactTokens(after),
    ),
    contactEvent(kind, after, { version, atMs, newId }),
  ];
}

/** What is lost, doubled or left over; empty where all is as the commits say. */
export async function findings(
  memory: MemoryHelpdesk,
  commits: readonly Commit[],
  told: Told,
): Promise<readonly string[]> {
  const entries = commits.flatMap(({ outbox }) => outbox);
  const of = <K extends OutboxEntry['kind']>(kind: K) =>
    entries.filter((entry): entry is Extract<OutboxEntry, { kind: K }> => entry.kind === kind);
  const found: string[] = [];
  const compare = (what: string, wanted: readonly string[], there: readonly string[]): void => {
    const [a, b] = [[...wanted].sort(), [...there].sort()];
    for (const one of a) if (!b.includes(one)) found.push(`${what} lost: ${one}`);
    for (const one of b) if (!a.includes(one)) found.push(`${what} too many: ${one}`);
    if (new Set(a).size !== a.length) found.push(`${what} wanted twice`);
    if (b.length !== new Set(b).size) found.push(`${what} doubled`);
  };
  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
  const recordsOf = (store: { all(): readonly { readonly record: { readonly id: string } }[] }) =>
    store.all().map(({ record }) => record.id);
  compare('message', ids(of('message').map(({ message }) => message)), ids(memory.messages.all()));
  compare('audit entry', ids(of('audit').map(({ entry }) => entry)), ids(memory.audit.all()));
  const deliveries = of('event').flatMap(({ event }) => deliveriesOf(WS, event, { webhooks: WEBHOOKS }));
  compare('delivery', ids(deliveries), recordsOf(memory.deliveries));
  compare(
    'run',
    of('run').map(({ runId }) => runId),
    recordsOf(memory.runs),
  );
  compare(
    'mail',
    of('mail').map(({ messageId }) => messageId),
    recordsOf(memory.mails),
  );
  found.push(...searchFindings(memory), ...stateFindings(memory, commits), ...toldFindings(memory, told));
  for (const { record } of memory.tickets.all())
    if (!(await isLinked(memory, record))) found.push('a contact does not list its ticket');
  return found;
}

function searchFindings({ tickets, contacts, search }: MemoryHelpdesk): string[] {
  const wrong = (type: string, id: string, tokens: readonly string[]): string[] => {
    const found = search.tokensOf(WS, type, id);
    return JSON.stringify([...tokens].sort()) === JSON.stringify(found)
      ? []
      : [`tokens of a ${type}: ${found}`];
  };
  return [
    ...tickets.all().flatMap(({ record }) => wrong('ticket', record.id, ticketTokens(record))),
    ...contacts.all().flatMap(({ record }) => wrong('contact', record.id, contactTokens(record))),
  ];
}

function stateFindings(memory: MemoryHelpdesk, commits: readonly Commit[]): string[] {
  const { tickets, contacts, runs, audit } = memory;
  const found: string[] = [];
  const records = [...tickets.all(), ...contacts.all()];
  for (const { record, version, outbox, dueAtMs } of [...records, ...runs.all()]) {
    if (outbox.length > 0) found.push(`${record.id} is not drained`);
    if (commits.filter(({ id }) => id === record.id).length !== version)
      found.push(`${record.id} has version ${version}`);
    if ('metadata' in record && dueAtMs !== null) found.push(`${record.id} is still due`);
  }
  for (const { record, version } of records)
    if (audit.all().filter(({ resourceId }) => resourceId === record.id).length !== version)
      found.push(`${record.id}: audit entries are not mutations`);
  for (const { record, dueAtMs } of tickets.all()) {
    if (dueAtMs !== record.snoozedUntilMs) found.push('the timer of a ticket is wrong');
    const messages = memory.messages.all().filter(({ ticketId }) => ticketId === record.id);
    if (messages.length !== record.messageCount) found.push('the messages of a ticket are miscounted');
  }
  const pending = runs.all().filter(({ record }) => record.status === 'pending');
  if (pending.length > 1) found.push(`${pending.length} runs wait`);
  return found;
}

async function isLinked({ contacts, contactTickets }: MemoryHelpdesk, ticket: Ticket): Promise<boolean> {
  const { contactId, id } = ticket;
  if (contactId === null || !contacts.all().some(({ record }) => record.id === contactId)) return false;
  return (await contactTickets.tickets(WS, contactId, 10)).includes(id);
}

export interface Told {
  readonly deliveries: readonly string[];
  readonly runs: readonly string[];
  readonly mails: readonly string[];
}

/** Whatever waits for a worker was told to it. */
function toldFindings({ deliveries, runs, mails }: MemoryHelpdesk, told: Told): string[] {
  const untold = (
    store: { all(): readonly { readonly record: { readonly id: string; readonly status: string } }[] },
    ids: readonly string[],
  ): string[] =>
    store
      .all()
      .filter(({ record }) => record.status === 'pending' && !ids.includes(record.id))
      .map(({ record }) => `nobody was told of ${record.id}`);
  return [...untold(deliveries, told.deliveries), ...untold(runs, told.runs), ...untold(mails, told.mails)];
}
