// Goal: an export holds all that is kept of one contact and nothing of another; an erasure that was accepted is a job that ends.
import { describe, expect, it } from 'vitest';
import { type Desk, errorOf, MINE, openHelpdesk, THEIRS, UNKNOWN_ID } from '#test/contract/helpdesk-host.ts';
import { runSweep } from '../../sweep/stage.ts';
import type { TaskPointer } from '../../tasks/message.ts';
import { createTaskStage } from '../../tasks/stage.ts';

interface Export {
  readonly contact: { readonly id: string; readonly email: string };
  readonly tickets: readonly { readonly id: string }[];
  readonly messages: readonly { readonly id: string; readonly body: string; readonly ticket_id: string }[];
  readonly runs: readonly { readonly ticket_id: string }[];
  readonly events: readonly { readonly action: string }[];
  readonly next_cursor: string | null;
}

const contactId = async (desk: Desk, email: string): Promise<string> => {
  const reply = await desk.ask('GET', `/api/v1/contacts?email=${email}`);
  return (reply.body as { contacts: readonly { id: string }[] }).contacts[0]?.id ?? '';
};
const exported = async (desk: Desk, id: string, query = ''): Promise<Export> => {
  const reply = await desk.ask('GET', `/api/v1/contacts/${id}/export${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body as Export;
};

describe('an export', () => {
  it('holds contact, tickets, messages, runs and what the log has of it, and nobody else’s', async () => {
    const desk = await openHelpdesk();
    const mine = [await desk.ticket(), await desk.ticket()];
    await desk.ask('POST', `/api/tickets/${mine[0]}/reply`, { body: { body: 'We look.' } });
    await desk.ticket({ customer_email: 'bob@example.com', body: 'Bob writes' });
    const id = await contactId(desk, 'ada@example.com');
    const page = await exported(desk, id);
    expect(page.contact).toMatchObject({ id, email: 'ada@example.com' });
    expect(page.tickets.map((ticket) => ticket.id).sort()).toEqual(mine.toSorted());
    expect(page.messages.map(({ body }) => body).sort()).toEqual([
      'We look.',
      'Where is it?',
      'Where is it?',
    ]);
    expect(page.runs.length).toBe(2);
    expect(page.events.map(({ action }) => action)).toContain('contact.exported');
    expect(page.next_cursor).toBeNull();
    expect(JSON.stringify(page)).not.toContain('Bob');
    expect(desk.stores.audit.all().filter(({ action }) => action === 'contact.exported').length).toBe(1);
  });

  it('comes in pages that hold each message once, however many and long they are', async () => {
    const desk = await openHelpdesk();
    const tickets = [await desk.ticket(), await desk.ticket()];
    const id = await contactId(desk, 'ada@example.com');
    const put = async (ticketId: string, body: string) => {
      desk.clock.advance(1);
      await desk.stores.messages.putMessage({
        id: desk.ports.random.uuidv7(desk.clock.now()),
        workspaceId: MINE,
        ticketId,
        body,
        isInternal: false,
        direction: 'inbound',
        author: { type: 'customer', id, name: null },
        createdAtMs: desk.clock.now(),
      });
    };
    for (let i = 0; i < 1_100; i++) await put(tickets[0] ?? '', `short ${i}`);
    for (let i = 0; i < 40; i++) await put(tickets[1] ?? '', `${i} ${'😀'.repeat(40_000)}`);
    const seen: string[] = [];
    let pages = 0;
    for (let query = ''; ; ) {
      const page = await exported(desk, id, query);
      pages++;
      seen.push(...page.messages.map((message) => message.id));
      expect(page.messages.length).toBeLessThanOrEqual(1_000);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(5_000_000);
      if (pages > 1) expect(page.events).toEqual([]);
      if (page.next_cursor === null) break;
      query = `?cursor=${page.next_cursor}`;
    }
    expect(seen.length).toBe(1_142);
    expect(new Set(seen).size).toBe(1_142);
    expect(pages).toBeGreaterThan(3);
  });

  it('is for those who run the workspace, and its cursor for this contact', async () => {
    const desk = await openHelpdesk();
    await desk.ticket();
    const id = await contactId(desk, 'ada@example.com');
    const url = `/api/v1/contacts/${id}/export`;
    expect((await desk.call(url, { token: desk.session('member') })).status).toBe(403);
    expect((await desk.call(url, { token: desk.session('admin') })).status).toBe(200);
    const { key } = await desk.keyFor(undefined, THEIRS);
    const foreign = await desk.call(url, { key });
    const unknown = await desk.call(url.replace(id, UNKNOWN_ID), { key });
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect(errorOf(foreign)).toBe('Contact not found');
    const forged = Buffer.from(JSON.stringify({ t: UNKNOWN_ID, m: 0 })).toString('base64url');
    const refused = await desk.ask('GET', `${url}?cursor=${forged}`);
    expect([refused.status, errorOf(refused)]).toEqual([
      400,
      'cursor: must come from a page of this very export',
    ]);
  });
});

async function finish(desk: Desk): Promise<void> {
  const stage = createTaskStage({ ...desk.ports, originals: null });
  for (let round = 0; round < 8; round++) {
    for (const { body, receipt, ...rest } of desk.tasks.receive(10)) {
      const { failedIndexes } = await stage([{ body: body as TaskPointer, ...rest }]);
      if (failedIndexes.length === 0) desk.tasks.remove(receipt);
    }
    desk.clock.advance(61_000);
    await runSweep({ ...desk.ports, quarantine: () => undefined });
  }
}

describe('an erasure', () => {
  it('is accepted, audited once, and ends: the contact is gone and its tickets say nothing of it', async () => {
    const desk = await openHelpdesk();
    const ticket = await desk.ticket({ customer_name: 'Ada Lovelace', subject: 'My kettle' });
    const id = await contactId(desk, 'ada@example.com');
    const url = `/api/v1/contacts/${id}`;
    const accepted = await desk.ask('DELETE', url);
    expect([accepted.status, accepted.body]).toEqual([202, { success: true, id }]);
    expect((await desk.ask('DELETE', url)).status).toBe(202);
    await finish(desk);
    expect((await desk.ask('GET', url)).status).toBe(404);
    expect((await desk.ask('DELETE', url)).status).toBe(404);
    expect(await desk.shown(ticket)).toMatchObject({
      id: ticket,
      subject: '[erased]',
      customer_email: null,
      customer_name: null,
      contact_id: null,
      status: 'pending',
    });
    const messages = await desk.ask('GET', `/api/v1/messages?ticket_id=${ticket}`);
    expect(messages.body).toMatchObject({
      messages: [{ body: '[erased]', author: { id: null, name: null } }],
    });
    for (const search of ['ada', 'lovelace', 'kettle'])
      expect((await desk.ask('GET', `/api/tickets?search=${search}`)).body).toMatchObject({ tickets: [] });
    const log = desk.stores.audit.all();
    expect(
      log.filter(({ action }) => action === 'contact.deleted').map(({ resourceId }) => resourceId),
    ).toEqual([id]);
    expect(JSON.stringify(log)).not.toMatch(/ada@example|Lovelace|kettle/i);
  });

  it('begins anew for somebody who came back', async () => {
    const desk = await openHelpdesk();
    await desk.ticket();
    const id = await contactId(desk, 'ada@example.com');
    await desk.ask('DELETE', `/api/v1/contacts/${id}`);
    await finish(desk);
    const again = await desk.ticket({ subject: 'Back' });
    expect(await contactId(desk, 'ada@example.com')).toBe(id);
    const found = await desk.ask('GET', '/api/contacts?search=ada');
    expect(found.body).toMatchObject({ contacts: [{ id }] });
    await desk.ask('DELETE', `/api/v1/contacts/${id}`);
    await finish(desk);
    expect((await desk.shown(again)).subject).toBe('[erased]');
  });

  it('is for those who run the workspace, of its own contacts', async () => {
    const desk = await openHelpdesk();
    await desk.ticket();
    const id = await contactId(desk, 'ada@example.com');
    const { key } = await desk.keyFor(undefined, THEIRS);
    expect((await desk.call(`/api/v1/contacts/${id}`, { method: 'DELETE', key })).status).toBe(404);
    const member = await desk.call(`/api/v1/contacts/${id}`, {
      method: 'DELETE',
      token: desk.session('member'),
    });
    expect(member.status).toBe(403);
    expect(desk.stores.jobs.all()).toEqual([]);
  });
});

describe('a workspace that keeps tickets for some days only', () => {
  it('is looked through within hours of saying so, and not any more once it says otherwise', async () => {
    const desk = await openHelpdesk();
    const put = (config: object) => desk.ask('PUT', '/api/v1/accounts', { body: { config } });
    const dueAt = async () => (await desk.stores.accounts.read(MINE, MINE))?.dueAtMs;
    const old = await desk.ticket();
    await desk.ask('POST', `/api/tickets/${old}/close`);
    desk.clock.advance(31 * 86_400_000);
    const young = await desk.ticket();
    await desk.ask('POST', `/api/tickets/${young}/close`);
    await put({ retention_days: 30 });
    expect(await dueAt()).toBe(desk.clock.now() + 3_600_000);
    desk.clock.advance(3_600_000);
    await finish(desk);
    expect((await desk.ask('GET', `/api/tickets/${old}`)).status).toBe(404);
    expect((await desk.ask('GET', `/api/v1/messages?ticket_id=${old}`)).body).toMatchObject({ messages: [] });
    expect((await desk.ask('GET', `/api/tickets/${young}`)).status).toBe(200);
    await put({});
    expect(await dueAt()).toBeNull();
  });
});
