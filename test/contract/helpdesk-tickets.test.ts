// Goal: the older ticket paths, as the contract shows them and as their states follow from it. Every answer is held against the
// schemas by the host.
import { beforeEach, describe, expect, it } from 'vitest';
import { getTicket, listTickets } from '../../lib/helpdesk/routes/tickets.ts';
import { bodyOf, type Desk, errorOf, MINE, NOW, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

const HOUR_MS = 3_600_000;
const at = (ms: number): string => new Date(ms).toISOString();

describe('a ticket', () => {
  it('is created with its defaults, and is there at once', async () => {
    const reply = await desk.ask('POST', '/api/tickets', {
      body: { customer_email: 'Ada@Example.com', subject: ' Order 7 ', body: 'Where is it?' },
    });
    expect(reply.status).toBe(201);
    const { ticket_id: id } = reply.body as { ticket_id: string };
    expect(reply.body).toEqual({ success: true, ticket_id: id, ticket_code: 'TKT-000001' });
    expect(reply.headers.location).toBe(`/api/tickets/${id}`);
    expect(await desk.shown(id)).toMatchObject({
      id,
      ticket_code: 'TKT-000001',
      subject: 'Order 7',
      customer_email: 'ada@example.com',
      customer_name: null,
      status: 'pending',
      conversation_status: 'new',
      priority: 'normal',
      channel: 'api',
      message_count: 1,
      created_at: at(NOW),
      updated_at: at(NOW),
      waiting_since: at(NOW),
    });
  });

  it('makes a contact, a message by the customer, a run, its tokens and an entry of the log', async () => {
    const id = await desk.ticket({ customer_name: 'Ada Lovelace', priority: 'urgent' });
    const [message] = desk.stores.messages.all();
    expect(message).toMatchObject({ ticketId: id, body: 'Where is it?', direction: 'inbound' });
    const contacts = await desk.ask('GET', '/api/contacts?search=lovelace');
    expect(contacts.body).toMatchObject({ total: 1, contacts: [{ email: 'ada@example.com' }] });
    expect(desk.runs.size()).toBe(1);
    expect(desk.stores.audit.all().map(({ action, actor }) => [action, actor.type])).toEqual([
      ['ticket.created', 'api_key'],
      ['contact.created', 'system'],
    ]);
    expect((await desk.stores.tickets.read(MINE, id))?.outbox).toEqual([]);
  });

  it('that does not exist, or has an id of another form, is not found in the same words', async () => {
    const unknown = await desk.ask('GET', `/api/tickets/${UNKNOWN_ID}`);
    expect([unknown.status, unknown.text]).toEqual([404, '{"error":"Ticket not found"}']);
    for (const id of [
      'x',
      'TKT-000001',
      '%20',
      'a'.repeat(300),
      '..%2f',
      '11111111-1111-1111-1111-11111111111g',
    ])
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/close'],
        ['POST', '/reply'],
        ['POST', '/snooze'],
        ['DELETE', '/snooze'],
      ] as const) {
        const body = method === 'POST' ? { body: { body: 'a', snoozed_until: at(NOW + HOUR_MS) } } : {};
        const reply = await desk.ask(method, `/api/tickets/${id}${path}`, body);
        expect([id, method, path, reply.status, reply.text]).toEqual([id, method, path, 404, unknown.text]);
      }
  });

  it('is found whatever the case of its id', async () => {
    const id = await desk.ticket();
    expect((await desk.ask('GET', `/api/tickets/${id.toUpperCase()}`)).status).toBe(200);
  });
});

describe('a reply', () => {
  it('is public unless it says otherwise, and names its message', async () => {
    const id = await desk.ticket();
    const note = await desk.ask('POST', `/api/tickets/${id}/reply`, { body: { body: 'hm', public: false } });
    expect(await desk.shown(id)).toMatchObject({ status: 'pending', conversation_status: 'new' });
    const reply = await desk.ask('POST', `/api/tickets/${id}/reply`, { body: { body: 'Soon.' } });
    expect(reply.status).toBe(200);
    expect(await desk.shown(id)).toMatchObject({
      status: 'sent',
      conversation_status: 'pending',
      waiting_since: null,
      message_count: 3,
    });
    const byId = new Map(desk.stores.messages.all().map((message) => [message.id, message]));
    const [noteId, replyId] = [note, reply].map(({ body }) => (body as { id: string }).id);
    expect(byId.get(noteId ?? '')).toMatchObject({ isInternal: true, direction: 'internal' });
    expect(byId.get(replyId ?? '')).toMatchObject({
      isInternal: false,
      direction: 'outbound',
      author: { type: 'agent', id: 'key:key_1' },
    });
    expect(desk.mails.size()).toBe(0);
  });
});

describe('closing', () => {
  it.each([
    ['no body', {}],
    ['no body and a type', { headers: { 'content-type': 'application/json' } }],
    ['an empty object', { body: {} }],
    ['a reason', { body: { reason: 'solved' } }],
  ])('takes %s', async (_name, request) => {
    const id = await desk.ticket();
    const reply = await desk.ask('POST', `/api/tickets/${id}/close`, request);
    expect([reply.status, reply.body]).toEqual([200, { success: true, id }]);
    expect(await desk.shown(id)).toMatchObject({ status: 'closed', conversation_status: 'resolved' });
  });

  it('twice changes nothing the second time: not the time, the reason, the version, the log or the events', async () => {
    const id = await desk.ticket();
    await desk.ask('POST', `/api/tickets/${id}/close`, { body: { reason: 'solved' } });
    const before = [await desk.stores.tickets.read(MINE, id), desk.stores.audit.all().length];
    desk.clock.advance(HOUR_MS);
    const again = await desk.ask('POST', `/api/tickets/${id}/close`, { body: { reason: 'other' } });
    expect([again.status, again.body]).toEqual([200, { success: true, id }]);
    expect([await desk.stores.tickets.read(MINE, id), desk.stores.audit.all().length]).toEqual(before);
  });
});

describe('a snooze', () => {
  const snooze = (id: string, until: unknown) =>
    desk.ask('POST', `/api/tickets/${id}/snooze`, { body: { snoozed_until: until } });

  it('hides the ticket until then, and is over by itself for whoever reads', async () => {
    const id = await desk.ticket();
    expect((await snooze(id, '2026-11-20T14:34:56+01:00')).status).toBe(200);
    const until = at(NOW + HOUR_MS);
    expect(await desk.shown(id)).toMatchObject({ status: 'snoozed', snoozed_until: until });
    desk.clock.advance(HOUR_MS);
    expect(await desk.shown(id)).toMatchObject({
      status: 'pending',
      conversation_status: 'open',
      snoozed_until: null,
      updated_at: until,
    });
  });

  it('ends by hand, with or without a content type; a ticket that is not snoozed stays as it is', async () => {
    const id = await desk.ticket();
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      await snooze(id, at(NOW + HOUR_MS));
      const reply = await desk.ask('DELETE', `/api/tickets/${id}/snooze`, { headers });
      expect([reply.status, reply.body]).toEqual([200, { success: true, id }]);
      expect(await desk.shown(id)).toMatchObject({ status: 'pending', conversation_status: 'open' });
    }
    const before = await desk.stores.tickets.read(MINE, id);
    expect((await desk.ask('DELETE', `/api/tickets/${id}/snooze`)).status).toBe(200);
    expect(await desk.stores.tickets.read(MINE, id)).toEqual(before);
  });

  it.each([
    ['the past', at(NOW - 1)],
    ['this very moment', at(NOW)],
    ['51 years', at(NOW + 51 * 366 * 24 * HOUR_MS)],
    ['no offset', '2026-12-01T12:00:00'],
    ['a day', '2026-12-01'],
    ['30 February', '2027-02-30T12:00:00Z'],
    ['24:00', '2026-12-01T24:00:00Z'],
    ['a number', NOW + HOUR_MS],
    ['null', null],
    ['nothing', undefined],
  ])('is refused for %s, by the name of the field, and nothing changes', async (_name, until) => {
    const id = await desk.ticket();
    const before = await desk.stores.tickets.read(MINE, id);
    const reply = await snooze(id, until);
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(/^snoozed_until: /)]);
    expect(await desk.stores.tickets.read(MINE, id)).toEqual(before);
  });
});

it('every status of both kinds is reached by the API alone', async () => {
  const seen = new Set<unknown>();
  const note = async (id: string) => {
    const { status, conversation_status } = await desk.shown(id);
    seen.add(`ticket ${status}`).add(`conversation ${conversation_status}`);
  };
  const id = await desk.ticket();
  await note(id);
  for (const [path, body] of [
    ['escalate', undefined],
    ['reply', { body: 'a' }],
    ['snooze', { snoozed_until: at(NOW + HOUR_MS) }],
    ['reject', undefined],
    ['close', undefined],
  ] as const) {
    const reply = await desk.ask('POST', `/api/tickets/${id}/${path}`, body === undefined ? {} : { body });
    expect(reply.status, reply.text).toBe(200);
    await note(id);
  }
  await desk.ask('POST', '/api/v1/messages', { body: { ticket_id: id, body: 'no!', author: 'customer' } });
  await note(id);
  expect(seen.size).toBe(5 + 5);
});

describe('the list', () => {
  const listed = async (query: string) => bodyOf(listTickets, await desk.ask('GET', `/api/tickets${query}`));

  it('shows the newest first, by page, and says how many there are', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      desk.clock.advance(1);
      ids.unshift(await desk.ticket({ subject: `Order ${i}` }));
    }
    expect(await listed('')).toMatchObject({ pagination: { page: 1, limit: 50, total: 5, totalPages: 1 } });
    const second = await listed('?page=2&limit=2');
    expect(second.tickets.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 });
    const beyond = await listed('?page=9&limit=2');
    expect([beyond.tickets, beyond.pagination.total]).toEqual([[], 5]);
    expect((await listed('?status=closed')).pagination).toEqual({
      page: 1,
      limit: 50,
      total: 0,
      totalPages: 0,
    });
  });

  it('shows what has the status that was asked for, and moves with it', async () => {
    const [closed, open] = [await desk.ticket(), await desk.ticket()];
    await desk.ask('POST', `/api/tickets/${closed}/close`);
    const ids = async (status: string) => (await listed(`?status=${status}`)).tickets.map(({ id }) => id);
    expect([await ids('closed'), await ids('pending'), await ids('sent')]).toEqual([[closed], [open], []]);
  });

  it('finds by words, whatever their case and accents, as soon as they are written', async () => {
    const id = await desk.ticket({ subject: 'Crème brûlée', customer_name: 'Łukasz' });
    await desk.ticket({ subject: 'Crème fraîche' });
    for (const search of ['creme bru', 'BRULEE', 'TKT-000001', 'tkt 000001', 'ada@example.com brulee'])
      expect([
        search,
        (await listed(`?search=${encodeURIComponent(search)}`)).tickets.map((t) => t.id),
      ]).toEqual([search, [id]]);
    expect((await listed('?search=creme')).pagination.total).toBe(2);
    expect((await listed('?search=creme&status=closed')).pagination.total).toBe(0);
    expect((await listed('?search=')).pagination.total).toBe(2);
    expect((await listed('?search=%3F')).pagination.total).toBe(0);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=1e2',
    'limit=0x10',
    'limit=%207',
    'limit=7.0',
    'limit=-1',
    'limit=',
    'limit=5&limit=6',
    'page=0',
    'page=101&limit=100',
    'page=1000000',
    'status=bogus',
    'status=',
    'status=closed&status=sent',
    `search=${'a'.repeat(201)}`,
  ])('refuses %s, by the name of the parameter', async (query) => {
    const reply = await desk.ask('GET', `/api/tickets?${query}`);
    const [name] = query.split('=');
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(new RegExp(`^${name}: `))]);
  });
});

describe('a version', () => {
  it('is shown, saves a copy, and keeps whoever saw an older one from changing it', async () => {
    const id = await desk.ticket();
    const path = `/api/tickets/${id}`;
    const first = await desk.ask('GET', path);
    const etag = String(first.headers.etag);
    expect(bodyOf(getTicket, first)).toMatchObject({ success: true });
    const copy = await desk.ask('GET', path, { headers: { 'if-none-match': etag } });
    expect([copy.status, copy.text]).toEqual([304, '']);
    const headers = { 'if-match': etag };
    expect((await desk.ask('POST', `${path}/escalate`, { headers })).status).toBe(200);
    const before = await desk.stores.tickets.read(MINE, id);
    for (const [method, action, body] of [
      ['POST', 'close', {}],
      ['POST', 'reject', {}],
      ['POST', 'escalate', undefined],
      ['POST', 'reply', { body: 'a' }],
      ['POST', 'snooze', { snoozed_until: at(NOW + HOUR_MS) }],
      ['DELETE', 'snooze', undefined],
    ] as const) {
      const late = await desk.ask(method, `${path}/${action}`, { headers, ...(body ? { body } : {}) });
      expect([action, late.status, late.text]).toEqual([action, 412, '{"error":"Precondition failed"}']);
    }
    expect(await desk.stores.tickets.read(MINE, id)).toEqual(before);
  });

  it('is another one once a snooze is over, although nobody has written', async () => {
    const id = await desk.ticket();
    await desk.ask('POST', `/api/tickets/${id}/snooze`, { body: { snoozed_until: at(NOW + HOUR_MS) } });
    const etag = String((await desk.ask('GET', `/api/tickets/${id}`)).headers.etag);
    desk.clock.advance(HOUR_MS);
    const headers = { 'if-none-match': etag };
    expect((await desk.ask('GET', `/api/tickets/${id}`, { headers })).status).toBe(200);
  });
});
