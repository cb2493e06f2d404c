// Goal: an erasure ends with nothing left of the person, a purge with nothing left of a ticket and with no ticket that is alive
// hurt; wherever a worker dies, and however its messages come.

import { describe, expect, it } from 'vitest';
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import { eraseJobId } from '#lib/helpdesk/domain/job.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import {
  accountOf,
  contactOf,
  deliveryOf,
  mailOf,
  stored,
  webhookOf,
} from '#test/support/helpdesk-records.ts';
import { mortal, OTHER_WORKSPACE, openWorkspace, WORKSPACE } from '#test/support/helpdesk-workspace.ts';
import { setAsideMail } from '#test/support/set-aside-mail.ts';
import { runSweep } from '../sweep/stage.ts';
import type { TaskPointer } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { createTaskStage } from './stage.ts';

const ADA = 'ada@example.com';
const DAY_MS = 86_400_000;
const HOOK = '019aa2f4-6a10-7000-8000-00000000aaaa';
const PERSONAL = /ada@example\.com|Lovelace|kettle|<in-1@mail>|<out-1@mail>/i;

function openTasks() {
  const workspace = openWorkspace();
  const originals = new Set<string>();
  const ports: TaskPorts = {
    ...workspace.ports,
    originals: { remove: async (key) => void originals.delete(key) },
  };
  const { stores, clock, queues } = workspace;
  const sweepPorts = {
    ...workspace.ports,
    quarantine: (found: unknown) => void workspace.problems.push(found),
  };
  return {
    ...workspace,
    originals,
    taskPorts: ports,
    /** As the sweep and the queue do, until nothing moves any more. */
    finish: async (stage = createTaskStage(ports), rounds = 12) => {
      for (let round = 0; round < rounds; round++) {
        for (const { body, receipt, ...rest } of queues.tasks.receive(10)) {
          const message = { body: body as TaskPointer, ...rest };
          if ((await stage([message])).failedIndexes.length === 0) queues.tasks.remove(receipt);
        }
        clock.advance(61_000);
        await runSweep(sweepPorts);
      }
    },
    erase: async (email = ADA, workspaceId = WORKSPACE) => {
      const contactId = contactIdOf(workspaceId, email);
      const atMs = clock.now();
      await change(
        stores.contacts,
        { workspaceId, id: contactId },
        (stored) =>
          stored === null
            ? { result: null }
            : { record: stored.record, outbox: [{ kind: 'erase', contactId, email, atMs }], result: null },
        workspace.ports,
      );
      return contactId;
    },
    jobOf: async (contactId: string) => (await stores.jobs.read(WORKSPACE, eraseJobId(contactId)))?.record,
  };
}
type Host = ReturnType<typeof openTasks>;

async function subscribe({ stores }: Host): Promise<void> {
  const webhook = webhookOf(HOOK);
  const record = { id: WORKSPACE, workspaceId: WORKSPACE, webhooks: [webhook] };
  await stores.webhooks.put(stored(record), null);
}

async function addMessage(host: Host, ticketId: string, changes: Partial<Message>): Promise<Message> {
  const message: Message = {
    id: host.newId(),
    workspaceId: WORKSPACE,
    ticketId,
    body: 'Dear customer, thank you.',
    isInternal: false,
    direction: 'outbound',
    author: { type: 'agent', id: 'user:ann', name: 'Ann' },
    createdAtMs: host.clock.now(),
    ...changes,
  };
  await host.stores.messages.putMessage(message);
  return message;
}

/** Ada has tickets, mails, runs, drafts and events; so has Bob, and an Ada of another workspace. */
async function fill(host: Host) {
  await subscribe(host);
  const tickets = [];
  for (let i = 0; i < 23; i++) tickets.push(await host.write(`My kettle ${i}`, { subject: 'Kettle' }));
  const [first] = tickets;
  if (first === undefined) throw new Error('no ticket');
  const again = await host.writeAgain(first.ticketId, 'The kettle, again');
  host.originals.add('raw/in-1');
  await addMessage(host, first.ticketId, {
    body: 'by mail, about the kettle',
    direction: 'inbound',
    author: { type: 'customer', id: 'c', name: 'Ada Lovelace' },
    mail: { messageId: '<in-1@mail>', originalKey: 'raw/in-1' },
  });
  await addMessage(host, first.ticketId, {
    body: 'Offer Ada Lovelace another kettle',
    isInternal: true,
    direction: 'internal',
    author: { type: 'ai', id: again.runId, name: 'AI draft' },
  });
  const reply = await addMessage(host, first.ticketId, { mail: { messageId: '<out-1@mail>' } });
  await host.stores.threads.remember(WORKSPACE, '<in-1@mail>', first.ticketId);
  await host.stores.threads.remember(WORKSPACE, '<out-1@mail>', first.ticketId);
  const mail = mailOf(WORKSPACE, 1, {
    id: reply.id,
    ticketId: first.ticketId,
    status: 'sent',
    providerId: 'ses-1',
    messageId: '<out-1@mail>',
  });
  await host.stores.mails.put(stored(mail), null);
  const delivery = (id: string, payload: object) =>
    stored(
      { ...deliveryOf(WORKSPACE, HOOK, 1), id: `${id}.${HOOK}`, payload: JSON.stringify(payload) },
      { dueAtMs: 0 },
    );
  for (const [from, key] of [
    [ADA, 'raw/aside-1'],
    ['bob@example.com', 'raw/aside-2'],
  ] as const) {
    host.originals.add(key);
    const changes = { from: { address: from, name: null }, originalKey: key, receivedAtMs: 0 };
    await host.stores.setAside.put(setAsideMail(WORKSPACE, 'spam', changes));
    await host.stores.setAside.put(setAsideMail(OTHER_WORKSPACE, 'spam', changes));
  }
  const named = { customerEmail: ADA, originalKey: 'raw/aside-3', receivedAtMs: 1 };
  host.originals.add(named.originalKey);
  await host.stores.setAside.put(setAsideMail(WORKSPACE, 'bulk', named));
  const { deliveries } = host.stores;
  await deliveries.put(delivery(host.newId(), { data: { customer_email: 'ADA@example.com' } }), null);
  await deliveries.put(
    delivery(host.newId(), { data: { message: { ticket_id: first.ticketId, body_preview: 'kettle' } } }),
    null,
  );
  const kept = delivery(host.newId(), { data: { customer_email: 'bob@example.com' } });
  await deliveries.put(kept, null);
  const bob = await host.write('My toaster', {
    customerEmail: 'bob@example.com',
    customerName: 'Bob',
    subject: 'Toaster',
  });
  await host.write('My kettle', { workspaceId: OTHER_WORKSPACE });
  return { first, bob, reply, keptDelivery: kept.record.id };
}

/** Everything that is stored for the workspace, as text. */
async function storedText({ stores, originals }: Host, contactId: string): Promise<string> {
  const mine = <R extends { readonly workspaceId: string }>(all: readonly { readonly record: R }[]) =>
    all.filter(({ record }) => record.workspaceId === WORKSPACE);
  const tickets = mine(stores.tickets.all());
  return JSON.stringify([
    tickets,
    mine(stores.contacts.all()),
    mine(stores.runs.all()),
    mine(stores.deliveries.all()),
    mine(stores.mails.all()),
    mine(stores.jobs.all()),
    stores.messages.all().filter(({ workspaceId }) => workspaceId === WORKSPACE),
    stores.search.tokensOf(WORKSPACE, 'contact', contactId),
    tickets.map(({ record }) => stores.search.tokensOf(WORKSPACE, 'ticket', record.id)),
    [...originals],
  ]);
}

describe('an erasure', () => {
  it('leaves nothing of the person, and everything of everybody else', async () => {
    const host = openTasks();
    const { first, bob, reply, keptDelivery } = await fill(host);
    const before = await host.stores.tickets.read(WORKSPACE, first.ticketId);
    // Two put here, the birth of the contact, and the first run of its first ticket, which was superseded.
    const deliveries = 4;
    const contactId = await host.erase();
    await host.finish();
    const job = await host.jobOf(contactId);
    expect(job).toMatchObject({
      status: 'done',
      email: null,
      counts: { tickets: 23, mails: 1, deliveries },
    });
    const text = await storedText(host, contactId);
    expect(text.match(PERSONAL)).toBeNull();
    expect([...host.originals]).toEqual(['raw/aside-2']);
    const all = { limit: 10, offset: 0 };
    const asides = [WORKSPACE, OTHER_WORKSPACE].map((id) => host.stores.setAside.list(id, all));
    expect((await Promise.all(asides)).map(({ mails }) => mails.map(({ from }) => from?.address))).toEqual([
      ['bob@example.com'],
      expect.arrayContaining([ADA, 'bob@example.com']),
    ]);
    for (const id of ['<in-1@mail>', '<out-1@mail>'])
      expect(await host.stores.threads.ticketOf(WORKSPACE, id)).toBeNull();
    expect(await host.stores.contactTickets.tickets(WORKSPACE, contactId, 10)).toEqual([]);

    const after = await host.stores.tickets.read(WORKSPACE, first.ticketId);
    const kept = ({ id, code, state, priority, createdAtMs, messageCount }: Ticket) => ({
      id,
      code,
      state,
      priority,
      createdAtMs,
      messageCount,
    });
    expect(after && kept(after.record)).toEqual(before && kept(before.record));
    expect(after?.record).toMatchObject({ subject: '[erased]', customerEmail: null, customerName: null });
    const agent = await host.stores.messages.readMessage(WORKSPACE, first.ticketId, reply.id);
    expect(agent).toMatchObject({ body: 'Dear customer, thank you.', author: { name: 'Ann' } });
    expect((await host.stores.mails.read(WORKSPACE, reply.id))?.record).toMatchObject({
      status: 'sent',
      providerId: null,
    });

    expect((await host.stores.tickets.read(WORKSPACE, bob.ticketId))?.record.customerName).toBe('Bob');
    expect((await host.stores.deliveries.read(WORKSPACE, keptDelivery))?.record.status).toBe('pending');
    const others = host.stores.messages.all().filter(({ workspaceId }) => workspaceId === OTHER_WORKSPACE);
    expect(others.map(({ body }) => body)).toEqual(['My kettle']);
    const told = host.stores.deliveries.all().filter(({ record }) => record.type === 'contact.deleted');
    expect(told.length).toBe(1);
    expect(JSON.parse(told[0]?.record.payload ?? '{}')).toMatchObject({
      data: { contact: { id: contactId } },
    });
    expect(host.stores.deliveries.all().filter(({ record }) => record.status === 'cancelled').length).toBe(
      deliveries,
    );
  });

  it('finds what a commit that was under way writes after the first pass', async () => {
    const host = openTasks();
    const written = await host.write('My kettle');
    const contactId = await host.erase();
    await createTaskStage(host.taskPorts)(
      host.queues.tasks.receive(1).map((lease) => ({ ...lease, body: lease.body as TaskPointer })),
    );
    // Its drain died before the link and the contact were put, and comes late.
    await host.stores.contacts.put(
      stored({
        ...contactOf(WORKSPACE, contactId, host.clock.now() - 60_000),
        email: ADA,
        name: 'Ada Lovelace',
      }),
      null,
    );
    expect((await host.jobOf(contactId))?.status).toBe('running');
    await host.finish();
    expect((await host.jobOf(contactId))?.status).toBe('done');
    expect((await storedText(host, contactId)).match(PERSONAL)).toBeNull();
    expect((await host.stores.tickets.read(WORKSPACE, written.ticketId))?.record.subject).toBe('[erased]');
  });

  it('leaves what the person writes after it was asked for', async () => {
    const host = openTasks();
    await host.write('My kettle');
    const contactId = await host.erase();
    host.clock.advance(1_000);
    const later = await host.write('I am back', { subject: 'Back' });
    await host.finish();
    expect((await host.jobOf(contactId))?.status).toBe('done');
    expect((await host.stores.tickets.read(WORKSPACE, later.ticketId))?.record.subject).toBe('Back');
    expect(await host.stores.contactTickets.tickets(WORKSPACE, contactId, 10)).toEqual([later.ticketId]);
  });

  it('is told of again where its messages are lost, and takes no notice of those that are many', async () => {
    const host = openTasks();
    await fill(host);
    const contactId = await host.erase();
    host.queues.tasks.purge();
    await host.finish();
    expect((await host.jobOf(contactId))?.status).toBe('done');
    const message = {
      body: { workspaceId: WORKSPACE, kind: 'erase', id: eraseJobId(contactId) } as const,
      receiveCount: 1,
      sentAtMs: 0,
    };
    const stage = createTaskStage(host.taskPorts);
    const copies = await Promise.all([stage([message, message]), stage([message])]);
    expect(copies.flatMap(({ failedIndexes }) => failedIndexes)).toEqual([]);
    const foreign = { ...message, body: { ...message.body, workspaceId: OTHER_WORKSPACE } };
    expect(await stage([foreign])).toEqual({ failedIndexes: [] });
  });

  it('ends with nothing left wherever a worker dies', async () => {
    for (const when of ['before', 'after'] as const)
      for (let at = 1, calls = 1; at <= calls; at += at < 40 ? 1 : 17) {
        const host = openTasks();
        await subscribe(host);
        const written = await host.write('My kettle', { subject: 'Kettle' });
        await addMessage(host, written.ticketId, {
          mail: { messageId: '<out-1@mail>', originalKey: 'raw/1' },
        });
        await host.write('Another kettle', { subject: 'Kettle' });
        const contactId = await host.erase();
        const { state, dying } = mortal(at, when);
        const ports = {
          ...host.taskPorts,
          stores: dying(host.stores),
          tasks: dying(host.queues.tasks),
          originals: host.taskPorts.originals === null ? null : dying(host.taskPorts.originals),
        };
        await host.finish(createTaskStage(ports));
        calls = state.calls;
        const where = `${when} call ${at} of ${calls}`;
        expect([where, (await host.jobOf(contactId))?.status]).toEqual([where, 'done']);
        expect([where, (await storedText(host, contactId)).match(PERSONAL)]).toEqual([where, null]);
        const told = host.stores.deliveries.all().filter(({ record }) => record.type === 'contact.deleted');
        expect([where, told.length]).toEqual([where, 1]);
      }
  });
});

async function keepFor(host: Host, days: number | null): Promise<void> {
  const before = await host.stores.accounts.read(WORKSPACE, WORKSPACE);
  const record = accountOf(WORKSPACE, JSON.stringify({ retention_days: days }));
  const dueAtMs = host.clock.now();
  const version = before?.version ?? null;
  await host.stores.accounts.put({ record, version: (version ?? 0) + 1, outbox: [], dueAtMs }, version);
}

const closed = (host: Host, daysAgo: number): Partial<Ticket> => {
  const closedAtMs = host.clock.now() - daysAgo * DAY_MS;
  const createdAtMs = closedAtMs - DAY_MS;
  const id = host.random.uuidv7(createdAtMs);
  return { id, createdAtMs, closedAtMs, state: 'DONE', waitingSinceMs: null, subject: 'Kettle' };
};

describe('a purge', () => {
  it('takes what is over for longer than it is kept, with all that belonged to it', async () => {
    const host = openTasks();
    const old = await host.write('My kettle', closed(host, 40));
    const rejected = await host.write('My kettle', { ...closed(host, 31), state: 'REJECTED' });
    const young = await host.write('My kettle', closed(host, 20));
    const reopened = await host.write('My kettle', { ...closed(host, 50), state: 'OPEN', closedAtMs: null });
    const foreign = await host.write('My kettle', { ...closed(host, 90), workspaceId: OTHER_WORKSPACE });
    await keepFor(host, 30);
    await host.finish(undefined, 4);
    const left = host.stores.tickets.all().map(({ record }) => record.id);
    expect(left.sort()).toEqual([young, reopened, foreign].map(({ ticketId }) => ticketId).sort());
    const messages = host.stores.messages.all().map(({ ticketId }) => ticketId);
    const runs = host.stores.runs.all().map(({ record }) => record.ticketId);
    const links = await host.stores.contactTickets.tickets(WORKSPACE, contactIdOf(WORKSPACE, ADA), 100);
    for (const { ticketId } of [old, rejected]) {
      expect([...messages, ...runs, ...links]).not.toContain(ticketId);
      expect(host.stores.search.tokensOf(WORKSPACE, 'ticket', ticketId)).toEqual([]);
    }
    expect(host.stores.jobs.all()).toEqual([]);
    const account = await host.stores.accounts.read(WORKSPACE, WORKSPACE);
    expect(account?.dueAtMs).toBeGreaterThan(host.clock.now() + DAY_MS - 600_000);
  });

  it('is off unless the workspace says otherwise', async () => {
    const host = openTasks();
    await host.write('My kettle', closed(host, 4_000));
    await keepFor(host, null);
    await host.finish(undefined, 3);
    expect(host.stores.tickets.all().length).toBe(1);
    expect((await host.stores.accounts.read(WORKSPACE, WORKSPACE))?.dueAtMs).toBeNull();
  });

  it('goes on day after day, and in as many steps as it takes', async () => {
    const host = openTasks();
    for (let i = 0; i < 60; i++) await host.write('My kettle', closed(host, 40 - i * 0.001));
    await host.write('My kettle', closed(host, 29.5));
    await keepFor(host, 30);
    // Each look at the clock takes a second: the time is up after some tickets.
    const now = (): number => {
      host.clock.advance(1_000);
      return host.clock.now();
    };
    const slow = { ...host.taskPorts, clock: { now } };
    await host.finish(createTaskStage(slow), 40);
    expect(host.stores.tickets.all().length).toBe(1);
    host.clock.advance(DAY_MS);
    await host.finish(undefined, 4);
    expect(host.stores.tickets.all()).toEqual([]);
  });

  it('leaves a ticket whole that is taken up again in that moment', async () => {
    const host = openTasks();
    const old = await host.write('My kettle', closed(host, 40));
    await keepFor(host, 30);
    const { remove } = host.stores.tickets;
    const tickets = {
      ...host.stores.tickets,
      remove: async (...args: Parameters<typeof remove>) => {
        await host.writeAgain(old.ticketId, 'It broke again');
        return await remove(...args);
      },
    };
    await host.finish(createTaskStage({ ...host.taskPorts, stores: { ...host.stores, tickets } }), 2);
    expect((await host.stores.tickets.read(WORKSPACE, old.ticketId))?.record.state).toBe('OPEN');
    expect(host.stores.messages.all().length).toBe(2);
    expect(host.stores.jobs.all()).toEqual([]);
  });

  it('leaves nothing of a ticket, or all of it, wherever a worker dies', async () => {
    for (const when of ['before', 'after'] as const)
      for (let at = 1, calls = 1; at <= calls; at++) {
        const host = openTasks();
        const old = await host.write('My kettle', closed(host, 40));
        await addMessage(host, old.ticketId, { mail: { messageId: '<out-1@mail>', originalKey: 'raw/1' } });
        await keepFor(host, 30);
        const { state, dying } = mortal(at, when);
        const ports = { ...host.taskPorts, stores: dying(host.stores), tasks: dying(host.queues.tasks) };
        await runSweep({ ...host.ports, quarantine: () => undefined });
        await host.finish(createTaskStage(ports), 70);
        calls = state.calls;
        const where = `${when} call ${at} of ${calls}`;
        const left = [host.stores.tickets, host.stores.runs, host.stores.jobs].map(
          (store) => store.all().length,
        );
        expect([where, ...left, host.stores.messages.all().length]).toEqual([where, 0, 0, 0, 0]);
        expect(host.stores.search.tokensOf(WORKSPACE, 'ticket', old.ticketId)).toEqual([]);
      }
  });
});
