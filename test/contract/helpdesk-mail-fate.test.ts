// Goal: a public reply that reaches the customer by no mail says so and why, in every answer that shows it; and where a workspace
// wants it, replies go by mail wherever there is an address.
import { describe, expect, it } from 'vitest';
import { type Desk, errorOf, MINE, openHelpdesk } from './helpdesk-host.ts';

const REASONS = {
  'a ticket of the older paths': ['other_channel', (desk: Desk) => desk.ticket()],
  'a conversation of another channel': [
    'other_channel',
    (desk: Desk) => opened(desk, { channel: 'chat', customer_email: 'ada@example.com' }),
  ],
  'one without an address': ['no_address', (desk: Desk) => opened(desk, {})],
} as const;

async function opened(desk: Desk, more: object): Promise<string> {
  const body = { subject: 'Order 7', message: 'Where is it?', ...more };
  const reply = await desk.ask('POST', '/api/v1/conversations', { body });
  expect(reply.status, reply.text).toBe(201);
  return (reply.body as { id: string }).id;
}

const fates = async (desk: Desk, id: string) => {
  const { body } = await desk.ask('GET', `/api/v1/messages?ticket_id=${id}`);
  const { messages } = body as { messages: { mail_status: string | null; mail_reason: string | null }[] };
  return messages.map(({ mail_status: status, mail_reason: reason }) => [status, reason]);
};

async function answered(desk: Desk, id: string): Promise<readonly unknown[]> {
  desk.clock.advance(1);
  const older = await desk.ask('POST', `/api/tickets/${id}/reply`, { body: { body: 'Soon.' } });
  desk.clock.advance(1);
  const newer = await desk.ask('POST', '/api/v1/messages', { body: { ticket_id: id, body: 'Now.' } });
  return [older, newer].map(({ body }) => {
    const { mail_status: status, mail_reason: reason } = body as Record<string, unknown>;
    return [status, reason];
  });
}

const EVERY_TICKET = { config: { reply_by_mail: 'every_ticket' } };

describe.each(Object.entries(REASONS))('a reply to %s', (_name, [reason, open]) => {
  it(`is not sent: ${reason}`, async () => {
    const desk = await openHelpdesk();
    const id = await open(desk);
    expect(await answered(desk, id)).toEqual([
      ['not_sent', reason],
      ['not_sent', reason],
    ]);
    expect(await fates(desk, id)).toEqual([
      [null, null],
      ['not_sent', reason],
      ['not_sent', reason],
    ]);
    expect(desk.stores.mails.all()).toEqual([]);
  });
});

it('where no e-mail is configured, a reply to a mail is not sent', async () => {
  const desk = await openHelpdesk({ mailDomain: null });
  const id = await opened(desk, { channel: 'email', customer_email: 'ada@example.com' });
  expect(await answered(desk, id)).toEqual([
    ['not_sent', 'no_mail_domain'],
    ['not_sent', 'no_mail_domain'],
  ]);
});

it('a note and what a customer wrote have no mail, and no reason for that', async () => {
  const desk = await openHelpdesk();
  const id = await desk.ticket();
  const note = await desk.ask('POST', `/api/tickets/${id}/reply`, { body: { body: 'hm', public: false } });
  expect(note.body).toMatchObject({ mail_status: null, mail_reason: null });
});

it('a conversation by e-mail takes an address', async () => {
  const desk = await openHelpdesk();
  const body = { subject: 'Order 7', message: 'Where is it?', channel: 'email' };
  const reply = await desk.ask('POST', '/api/v1/conversations', { body });
  expect([reply.status, errorOf(reply)]).toEqual([
    400,
    'customer_email: is required where the channel is email',
  ]);
  expect(desk.stores.tickets.all()).toEqual([]);
});

describe('a workspace that answers every ticket by mail', () => {
  it('reaches the customer of a ticket that was opened since', async () => {
    const desk = await openHelpdesk();
    const before = await desk.ticket();
    expect((await desk.ask('PUT', '/api/v1/accounts', { body: EVERY_TICKET })).status).toBe(200);
    const since = await desk.ticket();
    expect(await answered(desk, since)).toEqual([
      ['pending', null],
      ['pending', null],
    ]);
    expect((await answered(desk, before))[0]).toEqual(['not_sent', 'other_channel']);
    expect(desk.stores.mails.all().map(({ record }) => record.ticketId)).toEqual([since, since]);
    const [first] = desk.stores.mails.all();
    if (first === undefined) throw new Error('no mail');
    await desk.stores.mails.put(
      { ...first, record: { ...first.record, status: 'sent' }, version: first.version + 1 },
      first.version,
    );
    expect(await fates(desk, since)).toEqual([
      [null, null],
      ['sent', null],
      ['pending', null],
    ]);
  });

  it('says of a customer without an address that nothing is sent', async () => {
    const desk = await openHelpdesk();
    await desk.ask('PUT', '/api/v1/accounts', { body: EVERY_TICKET });
    expect(await answered(desk, await opened(desk, {}))).toEqual([
      ['not_sent', 'no_address'],
      ['not_sent', 'no_address'],
    ]);
  });

  it('is refused a value that means nothing', async () => {
    const desk = await openHelpdesk();
    const config = { reply_by_mail: true };
    const reply = await desk.ask('PUT', '/api/v1/accounts', { body: { config } });
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringContaining('reply_by_mail')]);
    expect((await desk.stores.accounts.read(MINE, MINE))?.record.config ?? '{}').toBe('{}');
  });
});
