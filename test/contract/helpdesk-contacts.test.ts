// Goal: contacts, by the older paths and by v1: one for each address, whoever writes it and however.
import { beforeEach, describe, expect, it } from 'vitest';
import { contactIdOf } from '../../lib/helpdesk/domain/contacts/contact-id.ts';
import {
  createContact,
  findContacts,
  listContacts,
  upsertContact,
} from '../../lib/helpdesk/routes/contacts.ts';
import { bodyOf, type Desk, errorOf, MINE, NOW, openHelpdesk, UNKNOWN_ID } from './helpdesk-host.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

const upsert = (body: unknown) => desk.ask('POST', '/api/contacts', { body });
const create = (body: unknown) => desk.ask('POST', '/api/v1/contacts', { body });
const found = async (query: string) =>
  bodyOf(findContacts, await desk.ask('GET', `/api/contacts${query}`)).contacts.map(({ email }) => email);

describe('the older path', () => {
  it('creates a contact, and changes what is given of it from then on', async () => {
    const first = await upsert({ email: 'Ada@Example.com', name: 'Ada  King Lovelace', company: 'Engines' });
    expect(first.status).toBe(200);
    const { contact } = bodyOf(upsertContact, first);
    expect(contact).toMatchObject({
      id: contactIdOf(MINE, 'ada@example.com'),
      email: 'ada@example.com',
      name: 'Ada  King Lovelace',
      firstname: 'Ada',
      lastname: 'King Lovelace',
      company: 'Engines',
      phone: null,
      metadata: {},
    });
    desk.clock.advance(5);
    const second = bodyOf(upsertContact, await upsert({ email: 'ada@example.com', phone: '+49 1' }));
    expect(second.contact).toEqual({
      ...contact,
      phone: '+49 1',
      updated_at: new Date(desk.clock.now()).toISOString(),
    });
    const third = bodyOf(
      upsertContact,
      await upsert({ email: 'ada@example.com', lastname: 'Byron', company: '' }),
    );
    expect(third.contact).toMatchObject({ name: 'Ada Byron', lastname: 'Byron', company: null });
  });

  it('merges metadata key by key, and takes away what is null', async () => {
    await upsert({ email: 'a@b.co', metadata: { plan: 'pro', tags: { a: 1 }, gone: 1 } });
    const { contact } = bodyOf(
      upsertContact,
      await upsert({ email: 'a@b.co', metadata: { tags: { b: 2 }, gone: null, never: null } }),
    );
    expect(contact.metadata).toEqual({ plan: 'pro', tags: { b: 2 } });
    expect(contact.custom_fields).toEqual(contact.metadata);
  });

  it('writes nothing and tells nobody where nothing differs', async () => {
    const body = { email: 'a@b.co', name: 'Ada', metadata: { a: [1, { b: null }] } };
    const first = await upsert(body);
    const before = [
      await desk.stores.contacts.read(MINE, contactIdOf(MINE, 'a@b.co')),
      desk.stores.audit.all().length,
    ];
    desk.clock.advance(5);
    const again = await upsert(body);
    expect([again.text, again.headers.etag]).toEqual([first.text, first.headers.etag]);
    expect([
      await desk.stores.contacts.read(MINE, contactIdOf(MINE, 'a@b.co')),
      desk.stores.audit.all().length,
    ]).toEqual(before);
  });

  it('finds by address, name, company and telephone, by prefixes, without accents', async () => {
    await upsert({ email: 'zoe@example.com', name: 'Zoë Ångström', company: 'Lumière', phone: '+49 170 55' });
    await upsert({ email: 'bob@elsewhere.org', name: 'Bob' });
    for (const search of [
      'zoe',
      'ANGSTROM',
      'lumi',
      '4917055',
      '170',
      'zoe%40example.com',
      '%40example.com',
      'zoe+ang',
    ])
      expect([search, await found(`?search=${search}`)]).toEqual([search, ['zoe@example.com']]);
    expect(await found('?search=ngstrom')).toEqual([]);
    await upsert({ email: 'zoe@example.com', name: 'Zoë Noether' });
    expect([await found('?search=angstrom'), await found('?search=noether')]).toEqual([
      [],
      ['zoe@example.com'],
    ]);
  });

  it('finds who is on a list, by its whole name, and nobody on one that is unknown', async () => {
    await upsert({ email: 'a@b.co', metadata: { list: 'VIP customers' } });
    await upsert({ email: 'c@d.co', metadata: { lists: ['VIP customers', 'other', 7, null] }, name: 'Cleo' });
    await upsert({ email: 'e@f.co', metadata: { list: { name: 'VIP customers' } } });
    expect((await found('?list=VIP%20customers')).sort()).toEqual(['a@b.co', 'c@d.co']);
    expect(await found('?list=VIP%20customers&search=cleo')).toEqual(['c@d.co']);
    for (const list of ['VIP', 'vip customers', 'unknown']) expect(await found(`?list=${list}`)).toEqual([]);
    const long = 'x'.repeat(100);
    await upsert({ email: 'a@b.co', metadata: { list: `${long}1` } });
    await upsert({ email: 'c@d.co', metadata: { lists: [`${long}2`] } });
    expect(await found(`?list=${long}1`)).toEqual(['a@b.co']);
    expect(await found('?list=VIP%20customers')).toEqual([]);
  });
});

describe('v1', () => {
  it('creates a contact once, and names the one that is there', async () => {
    const reply = await create({ email: 'Ada@Example.com', name: 'Ada', custom_fields: { plan: 'pro' } });
    expect(reply.status).toBe(201);
    const contact = bodyOf(createContact, reply);
    expect(contact).toMatchObject({ email: 'ada@example.com', custom_fields: { plan: 'pro' } });
    expect(reply.headers).toMatchObject({ etag: '"1"', location: `/api/v1/contacts/${contact.id}` });
    const again = await create({ email: 'ADA@example.com' });
    expect([again.status, again.text]).toEqual([409, '{"error":"Contact already exists"}']);
    expect(again.headers['x-conflict-id']).toBe(contact.id);
    const read = await desk.ask('GET', `/api/v1/contacts/${contact.id}`);
    expect(read.body).toEqual(contact);
    const headers = { 'if-none-match': String(read.headers.etag) };
    expect((await desk.ask('GET', `/api/v1/contacts/${contact.id}`, { headers })).status).toBe(304);
  });

  it('changes what is given, for whoever has seen it as it is', async () => {
    const { id } = bodyOf(createContact, await create({ email: 'a@b.co', name: 'Ada' }));
    const path = `/api/v1/contacts/${id}`;
    const headers = { 'if-match': '"1"' };
    const reply = await desk.ask('PATCH', path, {
      headers,
      body: { name: 'Ada Byron', custom_fields: { a: 1 } },
    });
    expect([reply.status, reply.headers.etag]).toEqual([200, '"2"']);
    expect(reply.body).toMatchObject({ lastname: 'Byron', custom_fields: { a: 1 }, email: 'a@b.co' });
    const late = await desk.ask('PATCH', path, { headers, body: { name: 'Eve' } });
    expect([late.status, errorOf(late)]).toEqual([412, 'Precondition failed']);
    for (const method of ['GET', 'PATCH']) {
      const unknown = await desk.ask(
        method,
        `/api/v1/contacts/${UNKNOWN_ID}`,
        method === 'GET' ? {} : { body: {} },
      );
      expect([unknown.status, errorOf(unknown)]).toEqual([404, 'Contact not found']);
    }
  });

  it('says that its mail is stopped, and why, until somebody who has seen it ends that', async () => {
    const { id, mail_stopped: none } = bodyOf(createContact, await create({ email: 'a@b.co', name: 'Ada' }));
    expect(none).toBeNull();
    const path = `/api/v1/contacts/${id}`;
    const stored = await desk.stores.contacts.read(MINE, id);
    if (stored === null) throw new Error('no contact');
    const record = { ...stored.record, mailStopped: { atMs: NOW, reason: 'bounced' } as const };
    await desk.stores.contacts.put({ ...stored, record, version: 2 }, 1);
    const stopped = { since: new Date(NOW).toISOString(), reason: 'bounced' };
    expect((await desk.ask('GET', path)).body).toMatchObject({ mail_stopped: stopped });
    // Whatever else is written leaves it.
    expect((await upsert({ email: 'a@b.co', phone: '1' })).body).toMatchObject({
      contact: { mail_stopped: stopped },
    });
    for (const bad of [true, 'no', {}, stopped]) {
      const reply = await desk.ask('PATCH', path, { body: { mail_stopped: bad } });
      expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringContaining('mail_stopped')]);
    }
    const token = desk.session('member');
    const headers = { 'if-match': '"3"' };
    const lifted = await desk.ask('PATCH', path, { token, headers, body: { mail_stopped: false } });
    expect([lifted.status, lifted.headers.etag]).toEqual([200, '"4"']);
    expect(lifted.body).toMatchObject({ mail_stopped: null, name: 'Ada', phone: '1' });
    const entry = desk.stores.audit.all().find(({ changes }) => changes?.includes('mail_stopped'));
    expect(entry).toMatchObject({ action: 'contact.updated', actor: { id: 'mine-member' } });
    expect(JSON.parse(entry?.changes ?? '')).toEqual({ mail_stopped: { from: 'bounced', to: null } });
    // There is nothing to end: nothing is written.
    const again = await desk.ask('PATCH', path, { body: { mail_stopped: null } });
    expect([again.status, again.headers.etag]).toEqual([200, '"4"']);
  });

  it('lists the newest first, by page, and by address', async () => {
    for (let i = 0; i < 3; i++) {
      desk.clock.advance(1);
      await create({ email: `c${i}@b.co`, name: `Customer ${i}` });
    }
    const listed = async (query: string) =>
      bodyOf(listContacts, await desk.ask('GET', `/api/v1/contacts?${query}`));
    const page = await listed('limit=2&offset=1');
    expect([page.contacts.map(({ email }) => email), page.total, page.limit, page.offset]).toEqual([
      ['c1@b.co', 'c0@b.co'],
      3,
      2,
      1,
    ]);
    expect(await listed('')).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect((await listed('email=C1%40b.co')).contacts).toHaveLength(1);
    expect((await listed('email=C1%40b.co&search=other')).total).toBe(0);
    expect((await listed('email=nobody%40b.co')).total).toBe(0);
    expect((await listed('search=customer&limit=1&offset=2')).contacts.map(({ email }) => email)).toEqual([
      'c0@b.co',
    ]);
    const bad = await desk.ask('GET', '/api/v1/contacts?email=nobody');
    expect([bad.status, errorOf(bad)]).toEqual([400, 'email: must be an e-mail address']);
  });
});

it('the log tells that a contact changed, and nothing that is personal of it', async () => {
  await upsert({ email: 'ada@example.com', name: 'Ada Lovelace', metadata: { iban: 'DE00' } });
  await upsert({ email: 'ada@example.com', phone: '+49 1' });
  const entries = desk.stores.audit.all();
  expect(entries.map(({ action }) => action).sort()).toEqual(['contact.created', 'contact.updated']);
  expect(JSON.stringify(entries)).not.toMatch(/ada@|lovelace|DE00|\+49/i);
});
