// Goal: attachments are taken or refused by name, never dropped; and a refusal leaves nothing behind.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Desk, errorOf, openHelpdesk } from './helpdesk-host.ts';

let desk: Desk;
let ticket = '';
beforeAll(async () => {
  desk = await openHelpdesk();
  ticket = await desk.ticket();
});

const ATTACHMENTS = [{ filename: 'cup.png', content: 'aGVsbG8=' }];

const BODIES: readonly (readonly [path: string, body: () => object])[] = [
  ['/api/v1/messages', () => ({ ticket_id: ticket, body: 'See there.' })],
  ['/api/v1/conversations', () => ({ subject: 'Cup', message: 'It broke.' })],
  ['/api/tickets', () => ({ customer_email: 'a@b.example', subject: 'Cup', body: 'It broke.' })],
  ['/api/tickets/:id/reply', () => ({ body: 'See there.' })],
  ['/api/tickets/:id/close', () => ({ reason: 'done' })],
  ['/api/knowledge/ingest', () => ({ title: 'Cups', content: 'They break.' })],
  ['/api/v1/runs', () => ({ ticket_id: ticket })],
];

describe.each(BODIES)('POST %s', (path, body) => {
  const url = () => path.replace(':id', ticket);
  const written = () => [
    desk.stores.messages.all().length,
    desk.stores.tickets.all().length,
    desk.stores.audit.all().length,
  ];

  it.each(['attachments', 'attachment'])('with %s is 400, which names the field', async (field) => {
    const before = written();
    const reply = await desk.ask('POST', url(), { body: { ...body(), [field]: ATTACHMENTS } });
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      expect.stringContaining(`${field}: is not supported`),
    ]);
    expect(written()).toEqual(before);
  });

  it('with none of them is what it was', async () => {
    const reply = await desk.ask('POST', url(), { body: { ...body(), attachments: [], attachment: null } });
    expect(reply.status, reply.text).toBeLessThan(300);
  });
});
