// Goal: conversations and their messages, as v1 shows them: one record with tickets, whoever asks how. Every answer is held
// against the schemas by the host.
import { beforeEach, describe, expect, it } from 'vitest';
import { createConversation, listConversations } from '../../lib/helpdesk/routes/conversations.ts';
import { createMessage, listMessages } from '../../lib/helpdesk/routes/messages.ts';
import { bodyOf, type Desk, errorOf, MINE, NOW, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

const HOUR_MS = 3_600_000;
const at = (ms: number): string => new Date(ms).toISOString();
const PATH = '/api/v1/conversations';

const open = async (changes: Readonly<Record<string, unknown>> = {}) =>
  bodyOf(
    createConversation,
    await desk.ask('POST', PATH, { body: { subject: 'Order 7', message: 'Where is it?', ...changes } }),
  );

describe('a conversation', () => {
  it('is created with its defaults, and with nobody known', async () => {
    const body = { subject: 'Order 7', message: 'Where is it?' };
    const reply = await desk.ask('POST', PATH, { body });
    expect(reply.status).toBe(201);
    const conversation = bodyOf(createConversation, reply);
    expect(conversation).toMatchObject({
      status: 'new',
      ticket_status: 'pending',
      priority: 'normal',
      channel: 'api',
      customer_email: null,
      customer_name: null,
      contact_id: null,
      message_count: 1,
    });
    expect(reply.headers).toMatchObject({ etag: '"1"', location: `${PATH}/${conversation.id}` });
    const read = await desk.ask('GET', `${PATH}/${conversation.id}`);
    expect([read.status, read.body]).toEqual([200, conversation]);
    expect(await desk.shown(conversation.id)).toMatchObject({ id: conversation.id, status: 'pending' });
  });

  it('of a customer leads to the contact', async () => {
    const { contact_id: id } = await open({
      customer_email: 'ADA@example.com',
      customer_name: 'Ada Lovelace',
    });
    const contact = await desk.ask('GET', `/api/v1/contacts/${id}`);
    expect(contact.body).toMatchObject({ id, email: 'ada@example.com', name: 'Ada Lovelace' });
  });

  it('whose customer wants no draft, or whose workspace wants none, has no run', async () => {
    await desk.ask('PUT', '/api/v1/accounts', { body: { config: { ai: { auto_draft: false } } } });
    await open();
    expect(desk.runs.size()).toBe(0);
  });

  it('has the prefix that the workspace wants', async () => {
    await desk.ask('PUT', '/api/v1/accounts', { body: { config: { ticket_prefix: 'ORDER' } } });
    expect((await open()).ticket_code).toBe('ORDER-000001');
  });

  it.each(['open', 'pending', 'resolved', 'escalated'])(
    'is set to %s by hand, from any state',
    async (status) => {
      for (const before of ['new', 'open', 'pending', 'resolved', 'escalated', 'snoozed', 'rejected']) {
        const { id } = await open();
        if (before === 'snoozed')
          await desk.ask('POST', `${PATH}/${id}/snooze`, { body: { snoozed_until: at(NOW + HOUR_MS) } });
        else if (before === 'rejected') await desk.ask('POST', `${PATH}/${id}/reject`);
        else if (before !== 'new') await desk.ask('PATCH', `${PATH}/${id}`, { body: { status: before } });
        const reply = await desk.ask('PATCH', `${PATH}/${id}`, { body: { status } });
        expect([before, reply.status, reply.body]).toEqual([
          before,
          200,
          expect.objectContaining({ status }),
        ]);
      }
    },
  );

  it('is new once only', async () => {
    const { id } = await open();
    const reply = await desk.ask('PATCH', `${PATH}/${id}`, { body: { status: 'new' } });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(/^status: must be one of/)]);
  });

  it('keeps what it is where the same is asked for again', async () => {
    const { id } = await open();
    await desk.ask('POST', `${PATH}/${id}/reject`, { body: { reason: 'spam' } });
    const before = await desk.stores.tickets.read(MINE, id);
    for (const body of [{ status: 'resolved' }, { priority: 'normal' }, {}]) {
      const reply = await desk.ask('PATCH', `${PATH}/${id}`, { body });
      expect([reply.status, reply.headers.etag]).toEqual([200, '"2"']);
    }
    expect(await desk.stores.tickets.read(MINE, id)).toEqual(before);
  });

  it('is changed by nobody who saw an older version', async () => {
    const { id } = await open();
    const headers = { 'if-match': '"1"' };
    const first = await desk.ask('PATCH', `${PATH}/${id}`, { headers, body: { priority: 'urgent' } });
    expect([first.status, first.headers.etag]).toEqual([200, '"2"']);
    const late = await desk.ask('PATCH', `${PATH}/${id}`, { headers, body: { priority: 'low' } });
    expect([late.status, errorOf(late)]).toEqual([412, 'Precondition failed']);
  });

  it('does to itself by v1 what older paths do to the ticket', async () => {
    const { id } = await open();
    const token = desk.session('member');
    for (const [method, path, body, status] of [
      ['POST', 'snooze', { snoozed_until: at(NOW + HOUR_MS) }, 'snoozed'],
      ['DELETE', 'snooze', undefined, 'pending'],
      ['POST', 'escalate', undefined, 'pending'],
      ['POST', 'close', { reason: 'done' }, 'closed'],
      ['POST', 'reject', { reason: 'spam' }, 'rejected'],
    ] as const) {
      const reply = await desk.ask(method, `${PATH}/${id}/${path}`, { token, ...(body ? { body } : {}) });
      expect([reply.status, reply.body]).toEqual([200, { success: true, id }]);
      expect(await desk.shown(id)).toMatchObject({ status });
    }
  });
});

describe('the list', () => {
  const listed = async (query: string) =>
    bodyOf(listConversations, await desk.ask('GET', `${PATH}${query}`, { token: desk.session('member') }));

  it('has twenty a page, the newest first, from where the caller wants', async () => {
    for (let i = 0; i < 25; i++) {
      desk.clock.advance(1);
      await open({ subject: `Order ${i}` });
    }
    const first = await listed('');
    expect([first.conversations.length, first.total, first.limit, first.offset]).toEqual([20, 25, 20, 0]);
    expect(first.conversations[0]?.subject).toBe('Order 24');
    const last = await listed('?limit=10&offset=20');
    expect(last.conversations.map(({ subject }) => subject)).toEqual(
      [4, 3, 2, 1, 0].map((i) => `Order ${i}`),
    );
    expect((await listed('?offset=10000')).conversations).toEqual([]);
  });

  it('shows those with one status, and counts all of them in one answer', async () => {
    const ids: Record<string, string> = {};
    for (const status of ['open', 'pending', 'resolved', 'escalated']) {
      const { id } = await open();
      await desk.ask('PATCH', `${PATH}/${id}`, { body: { status } });
      ids[status] = id;
    }
    const { id } = await open();
    for (const [status, one] of Object.entries({ ...ids, new: id })) {
      const found = await listed(`?status=${status}`);
      expect([status, found.conversations.map((each) => each.id), found.total]).toEqual([status, [one], 1]);
      expect(found.counts).toBeUndefined();
    }
    const counted = await listed('?counts=true&status=new');
    expect(counted.counts).toEqual({
      new: 1,
      open: 1,
      pending: 1,
      resolved: 1,
      escalated: 1,
      snoozed: 0,
      rejected: 0,
    });
    expect(counted.total).toBe(1);
  });

  it('counts as far as it is asked to, and says where it ends', async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await open();
      if (i > 2) await desk.ask('PATCH', `${PATH}/${id}`, { body: { status: 'resolved' } });
    }
    for (const query of ['', '&status=new', '&status=resolved', '&search=order', '&orderBy=longest_waiting'])
      for (const [countTo, counts] of [2, 3, 4, 5, 6, 10_000].flatMap((to) => [
        [to, false],
        [to, true],
      ])) {
        const asked = await desk.ask('GET', `${PATH}?limit=1&counts=${counts}&count_to=${countTo}${query}`);
        const found = bodyOf(listConversations, asked);
        const all = query === '&status=resolved' ? 2 : query === '' || query === '&search=order' ? 5 : 3;
        const isCapped = query !== '&search=order' && Number(countTo) <= all;
        expect([query, countTo, found.total, asked.headers['x-total-capped']]).toEqual([
          query,
          countTo,
          isCapped ? countTo : all,
          isCapped ? 'true' : undefined,
        ]);
        if (counts === true)
          expect(found.counts).toMatchObject({
            new: Math.min(3, Number(countTo)),
            resolved: Math.min(2, Number(countTo)),
          });
      }
    for (const bad of ['0', '10001', '1e2', '-1', '', 'all']) {
      const refused = await desk.ask('GET', `${PATH}?count_to=${bad}`);
      expect([refused.status, errorOf(refused)]).toEqual([400, 'count_to: must be between 1 and 10000']);
    }
  });

  it('tells those that are snoozed from those that wait, and those that were refused from those that were closed', async () => {
    const [waits, snoozed, closed, refused] = [await open(), await open(), await open(), await open()];
    await desk.ask('PATCH', `${PATH}/${waits.id}`, { body: { status: 'pending' } });
    await desk.ask('POST', `${PATH}/${snoozed.id}/snooze`, { body: { snoozed_until: at(NOW + HOUR_MS) } });
    await desk.ask('PATCH', `${PATH}/${closed.id}`, { body: { status: 'resolved', reason: 'solved' } });
    await desk.ask('POST', `${PATH}/${refused.id}/reject`);
    const ids = async (query: string) => (await listed(query)).conversations.map(({ id }) => id);
    expect(await ids('?status=pending&ticket_status=snoozed')).toEqual([snoozed.id]);
    expect(await ids('?status=pending&ticket_status=sent')).toEqual([waits.id]);
    expect(await ids('?ticket_status=rejected')).toEqual([refused.id]);
    expect(await ids('?status=new&ticket_status=rejected')).toEqual([]);
    expect((await listed('?counts=true')).counts).toMatchObject({
      pending: 2,
      snoozed: 1,
      resolved: 2,
      rejected: 1,
    });
    expect(await desk.shown(closed.id)).toMatchObject({ close_reason: 'solved' });
  });

  it('shows the longest waiting first, and nobody who does not wait', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      desk.clock.advance(1_000);
      ids.push((await open({ subject: `Order ${i}` })).id);
    }
    const [first, second, third, fourth] = ids;
    await desk.ask('POST', `${PATH}/${second}/close`);
    desk.clock.advance(1_000);
    await desk.ask('POST', '/api/v1/messages', { body: { ticket_id: first, body: 'Tomorrow.' } });
    desk.clock.advance(1_000);
    await desk.ask('POST', '/api/v1/messages', {
      body: { ticket_id: first, body: 'no', author: 'customer' },
    });
    const order = async (query: string) =>
      (await listed(`?orderBy=longest_waiting${query}`)).conversations.map(({ id }) => id);
    expect(await order('')).toEqual([third, fourth, first]);
    expect(await order('&status=open')).toEqual([first]);
    expect(await order('&status=resolved')).toEqual([]);
    expect(await order('&search=order')).toEqual([third, fourth, first]);
    expect(await order('&limit=1&offset=1')).toEqual([fourth]);
  });

  it.each(['orderBy=oldest', 'offset=10001', 'offset=-1', 'limit=101', 'counts=1', 'status=closed'])(
    'refuses %s',
    async (query) => {
      const reply = await desk.ask('GET', `${PATH}?${query}`);
      expect([reply.status, errorOf(reply)]).toEqual([
        400,
        expect.stringContaining(`${query.split('=')[0]}: `),
      ]);
    },
  );
});

describe('messages', () => {
  const listed = async (query: string) =>
    bodyOf(listMessages, await desk.ask('GET', `/api/v1/messages?${query}`));
  const write = (body: Readonly<Record<string, unknown>>, token?: string) =>
    desk.ask('POST', '/api/v1/messages', token === undefined ? { body } : { body, token });

  it('are read in the order of their writing, with who wrote them', async () => {
    const { id, contact_id: contactId } = await open({
      customer_email: 'ada@example.com',
      customer_name: 'Ada',
    });
    desk.clock.advance(1);
    const agents = await write({ ticket_id: id, body: 'Soon.' }, desk.session('member'));
    expect(bodyOf(createMessage, agents)).toMatchObject({
      ticket_id: id,
      direction: 'outbound',
      internal_note: false,
      author: { type: 'agent', id: 'user:mine-member' },
    });
    desk.clock.advance(1);
    await write({ ticket_id: id, body: 'hm', internal_note: true });
    desk.clock.advance(1);
    await write({ ticket_id: id, body: 'Thanks', author: 'customer' });
    const { messages, total } = await listed(`ticket_id=${id}`);
    expect(messages.map(({ body, author, direction }) => [body, Object.values(author), direction])).toEqual([
      ['Where is it?', ['customer', contactId, 'Ada'], 'inbound'],
      // Of a member nobody knows a name; a key has that of its record.
      ['Soon.', ['agent', 'user:mine-member', null], 'outbound'],
      ['hm', ['agent', 'key:key_1', 'test'], 'internal'],
      ['Thanks', ['customer', contactId, 'Ada'], 'inbound'],
    ]);
    expect(total).toBe(4);
    const second = await listed(`ticket_id=${id}&limit=2&offset=1`);
    expect([second.messages.map(({ body }) => body), second.total]).toEqual([['Soon.', 'hm'], 4]);
  });

  it('that went by mail show what became of it, by one read for a page', async () => {
    const { id } = await open({ customer_email: 'ada@example.com', channel: 'email' });
    const say = async (more: object) => {
      desk.clock.advance(1);
      return bodyOf(createMessage, await write({ ticket_id: id, ...more }));
    };
    const first = await say({ body: 'Soon.' });
    const second = await say({ body: 'Now.' });
    await say({ body: 'hm', internal_note: true });
    expect([first.mail_status, second.mail_status]).toEqual(['pending', 'pending']);
    const mail = await desk.stores.mails.read(MINE, first.id);
    if (mail === null) throw new Error('no mail');
    const bounced = { ...mail, record: { ...mail.record, status: 'bounced' } as const, version: 2 };
    await desk.stores.mails.put(bounced, 1);
    const { readMany } = desk.stores.mails;
    const reads: number[] = [];
    Object.assign(desk.stores.mails, {
      readMany: (workspaceId: string, ids: readonly string[]) => {
        reads.push(ids.length);
        return readMany(workspaceId, ids);
      },
    });
    const shown = async () =>
      (await listed(`ticket_id=${id}`)).messages.map(({ body, mail_status }) => [body, mail_status]);
    expect(await shown()).toEqual([
      ['Where is it?', null],
      ['Soon.', 'bounced'],
      ['Now.', 'pending'],
      ['hm', null],
    ]);
    expect(reads).toEqual([2]);
    expect((await listed(`ticket_id=${id}&limit=1`)).messages).toMatchObject([{ mail_status: null }]);
    expect(reads).toEqual([2]);
  });

  it('of a customer reopen what was closed, and never what was refused', async () => {
    const [closed, refused] = [await open(), await open()];
    await desk.ask('POST', `${PATH}/${closed.id}/close`);
    await desk.ask('POST', `${PATH}/${refused.id}/reject`);
    const runs = desk.runs.size();
    for (const { id } of [closed, refused])
      await write({ ticket_id: id, body: 'hello?', author: 'customer' });
    expect(await desk.shown(closed.id)).toMatchObject({ conversation_status: 'open', message_count: 2 });
    expect(await desk.shown(refused.id)).toMatchObject({ status: 'rejected', message_count: 2 });
    expect(desk.runs.size()).toBe(runs + 1);
  });

  it('of a customer end a snooze, unless the workspace wants it kept', async () => {
    for (const [config, status] of [
      [{}, 'open'],
      [{ snooze_on_customer_reply: 'keep' }, 'pending'],
    ] as const) {
      await desk.ask('PUT', '/api/v1/accounts', { body: { config } });
      const { id } = await open();
      await desk.ask('POST', `${PATH}/${id}/snooze`, { body: { snoozed_until: at(NOW + HOUR_MS) } });
      await write({ ticket_id: id, body: 'hello?', author: 'customer' });
      expect(await desk.shown(id)).toMatchObject({ conversation_status: status });
    }
  });

  it('go out by e-mail from conversations of that channel only, and notes never do', async () => {
    for (const channel of ['email', 'chat', 'voice', 'api']) {
      const { id } = await open({ channel, customer_email: 'ada@example.com' });
      await write({ ticket_id: id, body: 'note', internal_note: true });
      await write({ ticket_id: id, body: 'public' });
      await write({ ticket_id: id, body: 'inbound', author: 'customer' });
    }
    expect(desk.mails.size()).toBe(1);
  });

  it('of no conversation are none, and nobody writes any', async () => {
    expect(await listed(`ticket_id=${UNKNOWN_ID}`)).toMatchObject({
      messages: [],
      total: 0,
      limit: 50,
      offset: 0,
    });
    const reply = await write({ ticket_id: UNKNOWN_ID, body: 'a' });
    expect([reply.status, reply.text]).toEqual([404, '{"error":"Conversation not found"}']);
  });

  it('of a customer are no notes', async () => {
    const { id } = await open();
    const reply = await write({ ticket_id: id, body: 'a', author: 'customer', internal_note: true });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(/^internal_note: /)]);
  });

  it.each(['', 'ticket_id=x', 'ticket_id=', `ticket_id=${UNKNOWN_ID}&ticket_id=${UNKNOWN_ID}`])(
    'are asked for by a conversation: ?%s is refused',
    async (query) => {
      const reply = await desk.ask('GET', `/api/v1/messages?${query}`);
      expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringMatching(/^ticket_id: /)]);
    },
  );

  it('are read by whoever wrote them although their rows could not be written', async () => {
    const { id } = await open();
    const { putMessage } = desk.stores.messages;
    let isDown = true;
    Object.assign(desk.stores.messages, {
      putMessage: async (message: Parameters<typeof putMessage>[0]) => {
        if (isDown) throw new Error('throttled');
        await putMessage(message);
      },
    });
    const reply = await write({ ticket_id: id, body: 'Soon.' });
    expect(reply.status).toBe(201);
    expect(desk.reports).toHaveLength(1);
    for (const query of ['', '&offset=1', '&limit=2', '&offset=1&limit=1']) {
      const { messages, total } = await listed(`ticket_id=${id}${query}`);
      expect([messages.at(-1)?.body, total]).toEqual(['Soon.', 2]);
    }
    expect((await listed(`ticket_id=${id}&limit=1`)).messages).toHaveLength(1);
    // Nobody decides on a record from which something must still follow.
    const blocked = await write({ ticket_id: id, body: 'Later.' });
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([503, '1']);
    isDown = false;
    expect((await write({ ticket_id: id, body: 'Later.' })).status).toBe(201);
    const { messages, total } = await listed(`ticket_id=${id}`);
    expect([messages.map(({ body }) => body).sort(), total]).toEqual([
      ['Later.', 'Soon.', 'Where is it?'],
      3,
    ]);
  });
});
