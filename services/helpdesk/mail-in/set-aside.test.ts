// Goal: customers' mails reach the agents through any group or form; agents find what was set aside, with its reason,
// and can accept it; a forged Reply-To gives no access to another customer's ticket.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BUCKET, mailsArriving, OTHER, replyTo, supportTo } from '#test/support/mail-arrivals.ts';
import { CUSTOMER, type MailWorld, mortal, openMailWorld, WORKSPACE } from '#test/support/mail-world.ts';
import { openS3, type S3Server } from '#test/support/s3-server.ts';

let s3: S3Server;
let world: MailWorld;
beforeAll(async () => {
  s3 = await openS3(BUCKET);
});
afterAll(() => s3.close());
beforeEach(async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'us-east-1');
  world = await openMailWorld();
});
afterEach(() => world.ses.close());

const { portsOf, mailOf, store, bring, arrive, accept } = mailsArriving({
  world: () => world,
  s3: () => s3,
  noted: () => undefined,
});

const tickets = () => world.stores.tickets.all().map(({ record }) => record);
const messages = () => world.stores.messages.all();
const listed = async (workspaceId = WORKSPACE) =>
  (await world.stores.setAside.list(workspaceId, { limit: 100, offset: 0 })).mails;

const GROUP = {
  'List-ID': '<support.shop.example>',
  Precedence: 'list',
  'List-Post': '<mailto:support@shop.example>',
  'List-Unsubscribe': '<mailto:support-leave@shop.example>',
};
const NEWSLETTER = { Precedence: 'bulk', 'List-Unsubscribe': '<mailto:u@lists.example>' };

describe('a customer who writes through a group', () => {
  it('opens a ticket', async () => {
    await arrive({ fields: GROUP });
    expect(tickets()).toMatchObject([{ customerEmail: CUSTOMER }]);
    expect(await listed()).toEqual([]);
  });

  it.each([GROUP, NEWSLETTER, { 'List-ID': '<a.b>' }, { 'List-Unsubscribe': '<mailto:a@b>' }])(
    'answers by the reply address, whatever list headers it has: %j',
    async (fields) => {
      const id = await world.open();
      await arrive({ to: await replyTo(id), fields });
      expect(messages().at(-1)).toMatchObject({ ticketId: id, body: 'Hello.' });
    },
  );
});

const FORM = 'Shop forms <mailer@shopforms.example>';
const REAL = 'real.customer@customer.example';

describe('Reply-To', () => {
  it('names the customer of a ticket that a form opens, and agents are warned', async () => {
    await arrive({ from: FORM, fields: { 'Reply-To': `Real Customer <${REAL}>` } });
    expect(tickets()).toMatchObject([{ customerEmail: REAL, customerName: 'Real Customer' }]);
    const [written, warning] = messages();
    expect(written).toMatchObject({
      body: 'Hello.\n\n[Sent by mailer@shopforms.example]',
      author: { type: 'customer', name: 'Real Customer' },
    });
    expect(warning).toMatchObject({ isInternal: true, body: expect.stringContaining('(Reply-To)') });
    expect(warning?.body).not.toContain('@');
    expect(world.stores.contacts.all().map(({ record }) => record.email)).toEqual([REAL]);
  });

  it('and the agent’s answer goes there', async () => {
    await arrive({ from: FORM, fields: { 'Reply-To': REAL } });
    await world.reply(tickets()[0]?.id ?? '');
    await world.work();
    expect(world.ses.mailbox.list().map(({ to }) => to)).toEqual([[REAL]]);
  });

  it('keeps the customers of one form apart', async () => {
    const fields = { 'Message-ID': '' };
    for (const to of [REAL, CUSTOMER]) await arrive({ from: FORM, fields: { ...fields, 'Reply-To': to } });
    expect(tickets().map(({ customerEmail }) => customerEmail)).toEqual([REAL, CUSTOMER]);
  });

  it.each(['pass', 'none', 'fail'])(
    'lets no stranger into the ticket of the one it names: DMARC %s',
    async (dmarc) => {
      const id = await world.open();
      const reply = await world.reply(id);
      await world.work();
      const fields = {
        'Reply-To': CUSTOMER,
        'In-Reply-To': (await world.readMail(reply))?.messageId ?? '',
        Subject: 'Re: Broken lamp [TKT-000042]',
      };
      await arrive({ from: 'Eve <eve@evil.example>', fields, dmarc });
      expect((await world.stores.tickets.read(WORKSPACE, id))?.record.messageCount).toBe(2);
      expect(tickets()).toHaveLength(2);
      const opened = messages().filter(({ ticketId }) => ticketId !== id);
      expect(opened.map(({ body }) => body).join()).toContain('[Sent by eve@evil.example]');
      expect(opened.at(-1)).toMatchObject({ isInternal: true, author: { type: 'system' } });
      expect(opened.at(-1)?.body.includes('DMARC')).toBe(dmarc === 'fail');
    },
  );

  it('takes no ticket from its customer, who wants answers elsewhere', async () => {
    const id = await world.open();
    const fields = { 'Reply-To': 'home@customer.example', Subject: 'Re: Broken lamp [TKT-000042]' };
    await arrive({ fields });
    expect(tickets()).toMatchObject([{ id, customerEmail: CUSTOMER, messageCount: 2 }]);
  });

  it('of an answer to a reply address changes no author', async () => {
    const id = await world.open();
    await arrive({
      to: await replyTo(id),
      from: 'Bob <bob@other.example>',
      fields: { 'Reply-To': CUSTOMER },
    });
    expect(messages().at(-1)).toMatchObject({ ticketId: id, author: { name: 'Bob' } });
  });
});

describe('what is attached', () => {
  it('is named with its type and size, and where it is kept', async () => {
    const boundary = 'b';
    const part = `--${boundary}\nContent-Type: application/pdf; name="Rechnung.pdf"\nContent-Disposition: attachment; filename="Rechnung.pdf"\n\n%PDF\n--${boundary}--`;
    const text = `--${boundary}\nContent-Type: text/plain\n\nSee there.\n${part}`;
    const key = await store(
      mailOf({ fields: { 'Content-Type': `multipart/mixed; boundary="${boundary}"` }, text }),
    );
    await bring(key);
    const [body] = messages().map((message) => message.body);
    expect(body).toContain('[Attachment: Rechnung.pdf, application/pdf, 5 bytes]');
    expect(body).toContain(`original mail only. Your operator can fetch it: ${key}`);
  });
});

describe('a mail that was put aside', () => {
  it('is listed once, however often it is brought and wherever a worker dies', async () => {
    const key = await store(mailOf({ spam: 'FAIL' }));
    const counting = mortal(portsOf(world), Number.POSITIVE_INFINITY, false);
    await bring(key, counting.ports);
    for (let at = 1; at <= counting.calls(); at++)
      for (const after of [false, true]) await bring(key, mortal(portsOf(world), at, after).ports);
    expect(await listed()).toMatchObject([
      { reason: 'spam', from: { address: CUSTOMER, name: 'Jane Doe' }, subject: 'Broken lamp' },
    ]);
    expect(tickets()).toEqual([]);
  });

  it('is listed where it was sent, and nowhere else', async () => {
    await arrive({ fields: NEWSLETTER });
    await arrive({ fields: NEWSLETTER, to: supportTo(OTHER) });
    expect([(await listed()).length, (await listed(OTHER)).length]).toEqual([1, 1]);
  });

  it('and is taken in becomes one message, in the ticket that it answers', async () => {
    const id = await world.open();
    await arrive({ to: await replyTo(id), fields: { 'Auto-Submitted': 'auto-replied' } });
    const [aside] = await listed();
    expect(aside).toMatchObject({ reason: 'auto_reply', answersTicketId: id, ticketId: null });
    const asideId = aside?.id ?? '';
    await accept(asideId, portsOf(world), OTHER);
    expect(messages()).toHaveLength(1);
    const counting = mortal(portsOf(world), Number.POSITIVE_INFINITY, false);
    await accept(asideId, counting.ports);
    for (let at = 1; at <= 3; at++) await accept(asideId, mortal(portsOf(world), at, true).ports);
    expect(messages().filter(({ body }) => body === 'Hello.')).toMatchObject([{ ticketId: id }]);
    expect(await listed()).toMatchObject([{ id: asideId, ticketId: id }]);
  });

  it('and is taken in opens one ticket wherever the worker dies', async () => {
    await arrive({ spam: 'FAIL' });
    const [aside] = await listed();
    const id = aside?.id ?? '';
    for (let at = 1; at <= 40; at++) await accept(id, mortal(portsOf(world), at, at % 2 === 0).ports);
    await accept(id);
    expect(tickets()).toMatchObject([{ customerEmail: CUSTOMER, messageCount: 1 }]);
    expect((await listed())[0]?.ticketId).toBe(tickets()[0]?.id);
  });

  it('with a virus is never taken in', async () => {
    const raw = Buffer.from(mailOf({}))
      .toString('latin1')
      .replace('Virus-Verdict: PASS', 'Virus-Verdict: FAIL');
    await bring(await store(Buffer.from(raw, 'latin1')));
    await accept((await listed())[0]?.id ?? '');
    expect(tickets()).toEqual([]);
  });
});
