// Goal: many at once leave one record, and nothing is lost. Method: requests that run interleaved at every await of the stores;
// the table's own conditions decide who is first.
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordStore } from '../../lib/helpdesk/ports/stores.ts';
import { createContact, upsertContact } from '../../lib/helpdesk/routes/contacts.ts';
import { createTicket } from '../../lib/helpdesk/routes/tickets.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { bodyOf, type Desk, errorOf, MINE, openHelpdesk } from './helpdesk-host.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

const MANY = 64;
const all = <T>(make: (i: number) => Promise<T>, count = MANY): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

/** Each call takes some turns of the event loop, before it looks and before it answers. */
function slowDown<R>(store: Pick<RecordStore<R>, 'read' | 'put'>, turnsMax: number): void {
  const random = createSeededRandom('races');
  const { read, put } = store;
  const pause = async (): Promise<void> => {
    for (let turns = Math.floor(random.next() * turnsMax); turns > 0; turns--) await setImmediate();
  };
  Object.assign(store, {
    read: async (...key: Parameters<typeof read>) => {
      await pause();
      const stored = await read(...key);
      await pause();
      return stored;
    },
    put: async (...given: Parameters<typeof put>) => {
      await pause();
      const isDone = await put(...given);
      await pause();
      return isDone;
    },
  });
}

describe(`${MANY} at once`, () => {
  beforeEach(() => slowDown(desk.stores.contacts, 10));

  it('create one contact: one is told so, the others that it is there', async () => {
    const replies = await all((i) =>
      desk.ask('POST', '/api/v1/contacts', { body: { email: 'Ada@example.com', name: `Ada ${i}` } }),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const [first] = made;
    if (first === undefined) throw new Error('nobody made it');
    const contact = bodyOf(createContact, first);
    for (const reply of replies.filter((one) => one !== first)) {
      expect([reply.status, errorOf(reply)]).toEqual([409, 'Contact already exists']);
      expect(reply.headers['x-conflict-id']).toBe(contact.id);
    }
    expect((await desk.ask('GET', `/api/v1/contacts/${contact.id}`)).body).toEqual(contact);
    expect(desk.stores.audit.all().map(({ action }) => action)).toEqual(['contact.created']);
  });

  it.each([
    ['the same', () => ({ phone: '+49 1' })],
    ['each something else', (i: number) => ({ metadata: { [`key${i}`]: i } })],
  ])('write one contact, %s: all succeed, and it is one record', async (_name, changes) => {
    const replies = await all((i) =>
      desk.ask('POST', '/api/contacts', { body: { email: 'ada@example.com', ...changes(i) } }),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 200));
    expect(new Set(replies.map((reply) => bodyOf(upsertContact, reply).contact.id)).size).toBe(1);
    const { contacts } = (await desk.ask('GET', '/api/contacts')).body as {
      contacts: { metadata: Record<string, unknown> }[];
    };
    expect(contacts).toHaveLength(1);
    const expected = Object.assign({}, ...Array.from({ length: MANY }, (_, i) => changes(i)));
    expect(contacts[0]).toMatchObject(expected);
  });

  it('open tickets of one customer: all have a number of their own, and there is one contact', async () => {
    const body = { customer_email: 'ada@example.com', subject: 'Order', body: 'a' };
    const replies = await all(() => desk.ask('POST', '/api/tickets', { body }));
    const codes = replies.map((reply) => bodyOf(createTicket, reply).ticket_code);
    expect(new Set(codes).size).toBe(MANY);
    expect((await desk.ask('GET', '/api/tickets')).body).toMatchObject({ pagination: { total: MANY } });
    expect((await desk.ask('GET', '/api/contacts')).body).toMatchObject({ total: 1 });
    expect(desk.reports).toEqual([]);
  });

  it('ask with one Idempotency-Key: the work is done once', async () => {
    const body = { customer_email: 'ada@example.com', subject: 'Order', body: 'a' };
    const headers = { 'idempotency-key': 'one' };
    const replies = await all(() => desk.ask('POST', '/api/tickets', { headers, body }));
    const made = replies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expect([reply.status, errorOf(reply)]).toEqual([
        409,
        'A request with this Idempotency-Key is still in progress',
      ]);
    expect((await desk.ask('GET', '/api/tickets')).body).toMatchObject({ pagination: { total: 1 } });
  });
});

describe('an Idempotency-Key', () => {
  const post = (body: unknown, key: string, path = '/api/tickets') =>
    desk.ask('POST', path, { headers: { 'idempotency-key': key }, body });
  const body = { customer_email: 'ada@example.com', subject: 'Order', body: 'a' };

  it('gets the same answer again, and is refused for another body', async () => {
    const first = await post(body, 'one');
    const again = await post(body, 'one');
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
      201,
      first.text,
      'true',
    ]);
    expect(again.headers.location).toBe(first.headers.location);
    const other = await post({ ...body, subject: 'Other' }, 'one');
    expect([other.status, errorOf(other)]).toEqual([
      422,
      'Idempotency-Key was already used with a different request',
    ]);
    expect((await post(body, 'two')).text).not.toBe(first.text);
    expect((await desk.ask('GET', '/api/tickets')).body).toMatchObject({ pagination: { total: 2 } });
  });

  it('keeps a 409 and a 404, and no 400', async () => {
    await post({ email: 'a@b.co' }, 'a', '/api/v1/contacts');
    for (const headers of [undefined, 'true']) {
      const reply = await post({ email: 'a@b.co' }, 'b', '/api/v1/contacts');
      expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([409, headers]);
    }
    expect((await post({ ...body, subject: '' }, 'c')).status).toBe(400);
    expect((await post(body, 'c')).status).toBe(201);
    const bad = await post(body, 'no spaces');
    expect([bad.status, errorOf(bad)]).toEqual([400, expect.stringMatching(/^idempotency-key: /)]);
  });
});

it('two members answer the same version of a conversation: one does, the other is told before a mail goes out', async () => {
  slowDown(desk.stores.tickets, 10);
  for (let race = 0; race < 20; race++) {
    const id = await desk.ticket();
    const { etag } = (await desk.ask('GET', `/api/v1/conversations/${id}`)).headers;
    const answer = (role: 'admin' | 'member', ifMatch = String(etag)) =>
      desk.ask('POST', '/api/v1/messages', {
        token: desk.session(role),
        headers: { 'if-match': ifMatch },
        body: { ticket_id: id, body: `from ${role}` },
      });
    const replies = await Promise.all([answer('admin'), answer('member')]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 412]);
    const refused = replies.find(({ status }) => status === 412);
    expect(refused === undefined ? '' : errorOf(refused)).toBe('Precondition failed');
    expect((await desk.shown(id)).message_count).toBe(2);
    expect((await answer('admin', '"999"')).status).toBe(412);
    expect((await answer('admin', '*')).status).toBe(201);
  }
  const unknown = { ticket_id: MINE, body: 'a' };
  const reply = await desk.ask('POST', '/api/v1/messages', { headers: { 'if-match': '"1"' }, body: unknown });
  expect(reply.status).toBe(404);
});

it('two agents close and answer while the customer writes: 100 times, and it is always one story', async () => {
  slowDown(desk.stores.tickets, 10);
  const outcomes = new Set<string>();
  for (let race = 0; race < 100; race++) {
    const id = await desk.ticket();
    const write = (author: string, text: string) =>
      desk.ask('POST', '/api/v1/messages', { body: { ticket_id: id, author, body: text } });
    const close = (reason: string) => desk.ask('POST', `/api/tickets/${id}/close`, { body: { reason } });
    const audited = desk.stores.audit.all().length;
    const replies = await Promise.all([
      close('one'),
      write('customer', 'hello?'),
      close('two'),
      write('agent', 'hi'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200, 201]);
    const stored = await desk.stores.tickets.read(MINE, id);
    const ticket = stored?.record;
    const { messages } = (await desk.ask('GET', `/api/v1/messages?ticket_id=${id}`)).body as {
      messages: unknown[];
    };
    expect([ticket?.messageCount, messages.length, stored?.outbox]).toEqual([3, 3, []]);
    const isClosed = ticket?.state === 'DONE';
    expect(['DONE', 'OPEN', 'WAITING']).toContain(ticket?.state);
    expect([ticket?.closedAtMs !== null, ticket?.waitingSinceMs !== null]).toEqual([
      isClosed,
      ticket?.state === 'OPEN',
    ]);
    const entries = desk.stores.audit.all().slice(audited);
    // Birth is version 1; each commit after it has one entry.
    expect(entries).toHaveLength((stored?.version ?? 0) - 1);
    outcomes.add(ticket?.state ?? '');
  }
  expect(outcomes.size).toBeGreaterThan(1);
  expect(desk.reports).toEqual([]);
});
