// Goal: each entry of an outbox comes to exactly what it says, as often as it is carried out.
import { beforeEach, describe, expect, it } from 'vitest';
import { drainPorts } from '#test/support/helpdesk-drain.ts';
import { idAt, messageOf, runOf, stored, ticketOf, webhookOf } from '#test/support/helpdesk-records.ts';
import { contactIdOf } from '../domain/contacts/contact-id.ts';
import type { HelpdeskEvent, OutboxEntry } from '../domain/outbox.ts';
import { carryOut } from './drain.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const WS = 'm_one';

let world = drainPorts(NOW_MS);
beforeEach(() => {
  world = drainPorts(NOW_MS);
});

/** Carries out the entries of a ticket `times` over, its outbox put back each time. */
async function drainTicket(outbox: readonly OutboxEntry[], times = 2): Promise<void> {
  const { ports, memory } = world;
  const ticket = stored(ticketOf(WS, 1), { outbox, dueAtMs: NOW_MS + 60_000 });
  await memory.tickets.put(ticket, null);
  for (let i = 0; i < times; i++) await carryOut(ports.stores.tickets, ticket, ports);
}

const event = (type: HelpdeskEvent['type']): OutboxEntry => ({
  kind: 'event',
  event: { id: idAt(7), type, atMs: NOW_MS, version: 3, data: '{"ticket":{}}' },
});

it('settles the record with its own timer, once all is done', async () => {
  const { ports, memory } = world;
  const message = messageOf(WS, idAt(1), 2);
  const outbox: OutboxEntry[] = [{ kind: 'message', message }];
  const open = stored(ticketOf(WS, 1), { outbox, dueAtMs: NOW_MS, timerAtMs: NOW_MS + 5 });
  await memory.tickets.put(open, null);
  const putMessage = async (): Promise<void> => {
    throw new Error('away');
  };
  const stores = { ...memory, messages: { ...memory.messages, putMessage } };
  await expect(carryOut(stores.tickets, open, { ...ports, stores })).rejects.toThrow('away');
  expect(memory.tickets.all()).toEqual([open]);
  await carryOut(ports.stores.tickets, open, ports);
  expect(memory.tickets.all()).toEqual([stored(open.record, { dueAtMs: NOW_MS + 5, timerAtMs: NOW_MS + 5 })]);
  expect(memory.messages.all()).toEqual([message]);
});

describe('an event', () => {
  const webhooks = [
    webhookOf('all', ['*']),
    webhookOf('some', ['ticket.closed']),
    webhookOf('off', ['*'], false),
  ];
  beforeEach(async () => {
    await world.memory.webhooks.put(stored({ id: WS, workspaceId: WS, webhooks }), null);
  });

  it('becomes a delivery for each active webhook that wants it, and one pointer each', async () => {
    await drainTicket([event('ticket.closed')]);
    const { memory, ports } = world;
    const ids = [`${idAt(7)}.all`, `${idAt(7)}.some`];
    expect(memory.deliveries.all().map(({ record }) => record.id)).toEqual(ids);
    expect(memory.deliveries.all()[0]).toMatchObject({ version: 1, dueAtMs: NOW_MS + 60_000 });
    expect(JSON.parse(memory.deliveries.all()[0]?.record.payload ?? '')).toEqual({
      type: 'ticket.closed',
      timestamp: '2026-11-21T12:00:00.000Z',
      account_id: WS,
      data: { ticket: {} },
      version: 3,
    });
    expect(ports.deliveries.sent).toEqual(
      ids.map((id) => ({ body: { workspaceId: WS, id }, groupId: id.split('.')[1] })),
    );
  });

  it('that nobody wants costs nothing', async () => {
    const { ports, memory } = world;
    await memory.webhooks.remove({ workspaceId: WS, id: WS }, 1);
    await drainTicket([event('ticket.closed'), event('ticket.updated')]);
    expect([memory.deliveries.all(), ports.deliveries.sent]).toEqual([[], []]);
  });

  it('is not lost with its pointer', async () => {
    const { ports, memory, problems } = world;
    const away = {
      send: async () => {
        throw new Error('away');
      },
    };
    world = { ...world, ports: { ...ports, deliveries: away as unknown as typeof ports.deliveries } };
    await drainTicket([event('ticket.updated')], 1);
    expect(memory.deliveries.all()[0]?.dueAtMs).toBe(NOW_MS + 60_000);
    expect(problems).toEqual(['a pointer was not taken by its queue, and is sent again when its row is due']);
    expect(memory.tickets.all()[0]?.outbox).toEqual([]);
  });
});

describe('a contact', () => {
  const entry = (name: string | null): OutboxEntry => ({
    kind: 'contact',
    email: 'Ada@Example.com',
    name,
    ticketId: idAt(1),
    atMs: NOW_MS,
  });
  const id = contactIdOf(WS, 'ada@example.com');

  it('is made with its tokens, its event and its entry of the audit log, and lists the ticket', async () => {
    const { memory } = world;
    await drainTicket([entry('Ada Lovelace')]);
    expect(memory.contacts.all()).toMatchObject([
      { version: 1, outbox: [], dueAtMs: null, record: { id, email: 'ada@example.com', firstname: 'Ada' } },
    ]);
    expect((await memory.search.find(WS, 'contact', { text: 'lovel', isPrefix: true }, 5)).ids).toEqual([id]);
    expect(memory.audit.all().map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ['contact.created', id],
    ]);
    expect(await memory.contactTickets.tickets(WS, id, 5)).toEqual([idAt(1)]);
  });

  it('that exists stays as it is', async () => {
    const { memory } = world;
    await drainTicket([entry('Ada Lovelace')]);
    await drainTicket([{ ...entry(null), ticketId: idAt(2) } as OutboxEntry]);
    expect(memory.contacts.all()).toMatchObject([{ version: 1, record: { name: 'Ada Lovelace' } }]);
    expect(memory.audit.all()).toHaveLength(1);
    expect(await memory.contactTickets.tickets(WS, id, 5)).toEqual([idAt(2), idAt(1)]);
  });
});

describe('a run', () => {
  const entry: OutboxEntry = {
    kind: 'run',
    runId: idAt(5),
    noteId: idAt(6),
    ticketId: idAt(1),
    trigger: 'message',
    messageId: idAt(2),
    atMs: NOW_MS,
  };

  it('supersedes those of its ticket that wait, and no other', async () => {
    const { memory, ports } = world;
    const others = [
      runOf(WS, 3),
      runOf(WS, 9),
      runOf(WS, 4, { status: 'running' }),
      runOf(WS, 2, { ticketId: idAt(2) }),
      runOf('other', 3),
    ];
    for (const run of others) await memory.runs.put(stored(run), null);
    await drainTicket([entry]);
    const statuses = memory.runs.all(WS).map(({ record }) => [record.id, record.status, record.error]);
    expect(statuses.sort()).toEqual([
      [idAt(2), 'pending', null],
      [idAt(3), 'failed', 'superseded'],
      [idAt(4), 'running', null],
      [idAt(5), 'pending', null],
      // By another clock; a ticket's runs are made one after the other.
      [idAt(9), 'failed', 'superseded'],
    ]);
    expect(ports.runs.sent).toEqual([{ body: { workspaceId: WS, id: idAt(5) }, groupId: WS }]);
  });

  it('that comes late supersedes nothing newer', async () => {
    const { memory } = world;
    await drainTicket([entry], 1);
    await memory.runs.put(stored(runOf(WS, 9)), null);
    await drainTicket([entry], 1);
    expect(memory.runs.all().map(({ record }) => record.status)).toEqual(['pending', 'pending']);
  });
});

it('a mail and an erasure are made once, and told once', async () => {
  const { memory, ports } = world;
  await drainTicket([
    { kind: 'mail', messageId: idAt(2), ticketId: idAt(1), atMs: NOW_MS },
    { kind: 'erase', contactId: 'c', email: 'ada@example.com', atMs: NOW_MS },
  ]);
  expect(memory.mails.all()).toMatchObject([
    { version: 1, dueAtMs: NOW_MS + 60_000, record: { id: idAt(2), status: 'pending' } },
  ]);
  expect(memory.jobs.all()).toMatchObject([
    { version: 1, dueAtMs: NOW_MS + 60_000, record: { id: 'erase.c', status: 'running' } },
  ]);
  expect([ports.mails.sent, ports.tasks.sent]).toEqual([
    [{ body: { workspaceId: WS, id: idAt(2) }, groupId: WS }],
    [{ body: { workspaceId: WS, kind: 'erase', id: 'erase.c' }, groupId: WS }],
  ]);
});

it('an erasure that is done begins anew for a later entry, and not for its own', async () => {
  const { memory } = world;
  const entry: OutboxEntry = { kind: 'erase', contactId: 'c', email: 'ada@example.com', atMs: NOW_MS };
  await drainTicket([entry], 1);
  const [job] = memory.jobs.all();
  if (job === undefined) throw new Error('no job');
  const record = { ...job.record, status: 'done' } as const;
  await memory.jobs.put({ ...job, record, version: 2, dueAtMs: null }, 1);
  await drainTicket([entry], 1);
  expect(memory.jobs.all()).toMatchObject([{ version: 2, record: { status: 'done' } }]);
  await drainTicket([{ ...entry, atMs: NOW_MS + 1 }], 1);
  expect(memory.jobs.all()).toMatchObject([{ version: 3, record: { status: 'running' } }]);
});
