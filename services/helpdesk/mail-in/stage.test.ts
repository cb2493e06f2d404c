// Goal: the customer's answer reaches its own ticket only, once, under any redelivery and wherever a worker crashes.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseMail } from '#lib/adapters/mail/parse.ts';
import { replyAddress } from '#lib/helpdesk/domain/mail/address.ts';
import { BUCKET, mailsArriving, OTHER, replyTo, supportTo } from '#test/support/mail-arrivals.ts';
import {
  CUSTOMER,
  MAIL_DOMAIN,
  type MailWorld,
  mortal,
  openMailWorld,
  WORKSPACE,
} from '#test/support/mail-world.ts';
import { openS3, type S3Server } from '#test/support/s3-server.ts';
import { notificationOf } from '../../local/mail/inbound.ts';
import { inboundMailSchema } from './message.ts';
import type { MailInPorts, MailOutcome } from './ports.ts';
import { createMailInStage } from './stage.ts';

let s3: S3Server;
let world: MailWorld;
let outcomes: MailOutcome[] = [];
beforeAll(async () => {
  s3 = await openS3(BUCKET);
});
afterAll(() => s3.close());
beforeEach(async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'us-east-1');
  world = await openMailWorld();
  outcomes = [];
});
afterEach(() => world.ses.close());

const { portsOf, mailOf, store, messageOf, bring, arrive } = mailsArriving({
  world: () => world,
  s3: () => s3,
  noted: (outcome) => void outcomes.push(outcome),
});

const tickets = () => world.stores.tickets.all().map(({ record }) => record);
const bodies = () => world.stores.messages.all().map(({ body }) => body);
const listed = async () => (await world.stores.setAside.list(WORKSPACE, { limit: 100, offset: 0 })).mails;
const last = () => outcomes.at(-1)?.outcome;

describe('a mail to a workspace', () => {
  it('opens a ticket with its customer, its text and its original', async () => {
    const key = await store(mailOf({ text: 'My lamp is broken.\n\n> quoted by me' }));
    expect(await bring(key)).toEqual({ failedIndexes: [] });
    const [ticket, ...others] = tickets();
    expect(others).toEqual([]);
    expect(ticket).toMatchObject({
      workspaceId: WORKSPACE,
      code: 'TKT-000001',
      subject: 'Broken lamp',
      customerEmail: CUSTOMER,
      customerName: 'Jane Doe',
      channel: 'email',
      state: 'NEW',
      messageCount: 1,
    });
    const [message] = world.stores.messages.all();
    expect(message).toMatchObject({
      body: 'My lamp is broken.\n\n> quoted by me',
      direction: 'inbound',
      isInternal: false,
      author: { type: 'customer', name: 'Jane Doe' },
      mail: { originalKey: key },
    });
    expect(world.stores.contacts.all().map(({ record }) => record.email)).toEqual([CUSTOMER]);
    expect(world.stores.audit.all().map(({ action }) => action)).toEqual([
      'ticket.created',
      'contact.created',
    ]);
    expect(outcomes).toEqual([{ outcome: 'opened', reason: null, key }]);
  });

  it('opens one in each workspace it was sent to', async () => {
    const to = `${supportTo()}, ${supportTo(OTHER)}`;
    await bring(await store(mailOf({ to, fields: {} })));
    expect(tickets().map(({ workspaceId }) => workspaceId)).toEqual([WORKSPACE, OTHER]);
  });

  it('from an address that no contact can have keeps the message', async () => {
    await arrive({ from: 'Jörg <jörg@exämple.example>' });
    expect(tickets()).toMatchObject([{ customerEmail: null, contactId: null, customerName: 'Jörg' }]);
    expect(bodies()).toEqual(['Hello.']);
  });

  it('that is longer than a message shows what a message holds', async () => {
    await arrive({
      text: '😀\n'.repeat(40_000),
      fields: { Subject: 'x'.repeat(2_000), 'Content-Type': 'text/plain; charset=utf-8' },
    });
    expect([...(bodies()[0] ?? '')].length).toBe(50_000);
    expect(tickets()[0]?.subject.length).toBe(500);
  });
});

describe('an answer', () => {
  it('to the reply address joins the ticket, whoever writes and whatever else it says', async () => {
    const id = await world.open();
    await world.reply(id);
    await arrive({
      to: (await replyTo(id)).toUpperCase(),
      from: 'Bob <bob@other.example>',
      text: 'For Jane: it works.',
    });
    expect(last()).toBe('joined');
    const joined = world.stores.messages.all().at(-1);
    expect(joined).toMatchObject({ ticketId: id, body: 'For Jane: it works.', author: { name: 'Bob' } });
    const stored = await world.stores.tickets.read(WORKSPACE, id);
    expect(stored?.record).toMatchObject({ state: 'OPEN', messageCount: 3 });
  });

  it('joins by what the real reply carried, when its address was lost on the way', async () => {
    const id = await world.open();
    await world.reply(id);
    await world.work();
    const [{ raw } = { raw: '' }] = world.ses.mailbox.list();
    const mail = await parseMail(Buffer.from(raw, 'base64'));
    const references = mail?.headers.get('references') ?? '';
    await arrive({ fields: { References: references }, from: 'Bob <bob@other.example>' });
    expect([last(), tickets().length]).toEqual(['joined', 1]);
  });

  it('joins by the Message-ID that SES gave our mail, for the customer', async () => {
    const id = await world.open();
    const reply = await world.reply(id);
    await world.work();
    const messageId = (await world.readMail(reply))?.messageId ?? '';
    await arrive({ fields: { 'In-Reply-To': messageId }, text: 'Thanks.\n\n> A new lamp' });
    expect([last(), tickets().length, bodies().at(-1)]).toEqual(['joined', 1, 'Thanks.']);
    await arrive({ fields: { 'In-Reply-To': messageId }, from: 'Eve <eve@evil.example>' });
    expect([last(), tickets().length]).toEqual(['opened', 2]);
  });

  it('joins by the code in its subject, for the customer and where the sender is vouched for', async () => {
    const id = await world.open();
    const fields = { Subject: 'Re: lamp [TKT-000042]' };
    await arrive({ fields });
    expect([last(), world.stores.messages.all().at(-1)?.ticketId]).toEqual(['joined', id]);
    await arrive({ fields, dmarc: 'none' });
    expect(last()).toBe('opened');
    await arrive({ fields, from: 'Eve <eve@evil.example>' });
    expect(last()).toBe('opened');
    await arrive({ fields, to: supportTo(OTHER) });
    expect(last()).toBe('opened');
  });

  it('answers the answer: what follows a mail that opened a ticket joins it', async () => {
    await arrive({ fields: { 'Message-ID': '<first-of-all@customer.example>' } });
    await arrive({ fields: { 'In-Reply-To': '<first-of-all@customer.example>' }, text: 'One more thing.' });
    expect([tickets().length, last()]).toEqual([1, 'joined']);
  });

  it('to a rejected ticket stays with it and reopens nothing', async () => {
    const id = await world.open();
    const stored = await world.stores.tickets.read(WORKSPACE, id);
    if (stored === null) throw new Error('no ticket');
    const record = { ...stored.record, state: 'REJECTED', closedAtMs: 1 } as const;
    await world.stores.tickets.put({ ...stored, record, version: stored.version + 1 }, stored.version);
    await arrive({ to: await replyTo(id) });
    expect((await world.stores.tickets.read(WORKSPACE, id))?.record).toMatchObject({
      state: 'REJECTED',
      messageCount: 2,
    });
  });

  it('to a ticket that is gone opens another one', async () => {
    await arrive({ to: await replyTo('0192f3a4-5b6c-7d8e-9f01-000000000001') });
    expect([last(), tickets().length]).toEqual(['opened', 1]);
  });
});

describe('who is not who they say', () => {
  it('opens a ticket of their own, with a warning, although they know what to answer', async () => {
    const id = await world.open();
    const reply = await world.reply(id);
    await world.work();
    const messageId = (await world.readMail(reply))?.messageId ?? '';
    await arrive({ dmarc: 'fail', fields: { 'In-Reply-To': messageId, Subject: 'Re: [TKT-000042]' } });
    expect([last(), tickets().length]).toEqual(['opened', 2]);
    expect(bodies().at(-1)).toContain('could not be verified');
    expect((await world.stores.tickets.read(WORKSPACE, id))?.record.messageCount).toBe(2);
    const opened = tickets().find((ticket) => ticket.id !== id);
    expect(opened?.messageCount).toBe(2);
  });

  it('joins with the reply address, and the agents are warned', async () => {
    const id = await world.open();
    await arrive({ dmarc: 'fail', to: await replyTo(id) });
    expect([last(), tickets().length]).toEqual(['joined', 1]);
    expect(await world.notes(id)).toEqual([expect.stringContaining('could not be verified')]);
  });

  it('cannot write into a ticket by an address of their own making', async () => {
    const id = await world.open();
    const real = await replyTo(id);
    const forged = [
      `${real.slice(0, 60)}zzzz${real.slice(64)}`,
      replyAddress({ workspaceId: WORKSPACE, ticketId: id }, new Uint8Array(8), MAIL_DOMAIN) ?? '',
      // The code of another workspace's ticket of the same id.
      `${real.slice(0, 52)}${(await replyTo(id, OTHER)).slice(52)}`,
    ];
    for (const to of forged) await arrive({ to, from: 'Eve <eve@evil.example>' });
    expect((await world.stores.tickets.read(WORKSPACE, id))?.record.messageCount).toBe(1);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['opened', 'opened', 'opened']);
  });

  it('cannot reach a workspace that does not exist', async () => {
    await arrive({ to: supportTo('0192f3a4-ffff-7d8e-9f01-23456789abcd') });
    await arrive({ to: 'someone@elsewhere.example' });
    expect(outcomes.map(({ reason }) => reason)).toEqual(['no_workspace', 'no_workspace']);
    expect(tickets()).toEqual([]);
  });
});

describe('a mail that is delivered twice', () => {
  it('is one message: under one key, under two, and at once', async () => {
    const raw = mailOf({ text: 'Once.' });
    const [first, second] = [await store(raw), await store(raw)];
    await Promise.all([bring(first), bring(first), bring(second)]);
    await bring(second);
    expect(bodies()).toEqual(['Once.']);
    expect(tickets()).toMatchObject([{ messageCount: 1 }]);
  });

  it('is one message of a ticket that it joins', async () => {
    const id = await world.open();
    const key = await store(mailOf({ to: await replyTo(id), text: 'Once.' }));
    await Promise.all(Array.from({ length: 8 }, () => bring(key)));
    expect((await world.stores.tickets.read(WORKSPACE, id))?.record.messageCount).toBe(2);
  });

  it('is two when it says two things under one Message-ID', async () => {
    const fields = { 'Message-ID': '<always-the-same@bad.example>' };
    for (const text of ['One.', 'Two.']) await arrive({ fields, text });
    expect(bodies().sort()).toEqual(['One.', 'Two.']);
  });
});

describe('what is put aside', () => {
  it.each([
    ['ignored', 'auto_reply', { fields: { 'Auto-Submitted': 'auto-replied' } }],
    ['ignored', 'bulk', { fields: { Precedence: 'bulk', 'List-Unsubscribe': '<mailto:u@a.example>' } }],
    ['ignored', 'no_sender', { fields: { From: '' } }],
    ['ignored', 'loop', { from: `Us <support@${MAIL_DOMAIN}>` }],
  ] as const)('%s: %s', async (outcome, reason, written) => {
    await arrive(written);
    expect(outcomes).toMatchObject([{ outcome, reason }]);
    expect(tickets()).toEqual([]);
    const [only, ...others] = await listed();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ workspaceId: WORKSPACE, reason, answersTicketId: null, ticketId: null });
  });

  it('spam, unless it came to a reply address', async () => {
    const id = await world.open();
    const spam = (to: string) =>
      Buffer.from(
        Buffer.from(mailOf({ to })).toString('latin1').replace('Spam-Verdict: PASS', 'Spam-Verdict: FAIL'),
        'latin1',
      );
    await bring(await store(spam(supportTo())));
    expect(outcomes).toMatchObject([{ outcome: 'quarantined', reason: 'spam' }]);
    await bring(await store(spam(await replyTo(id))));
    expect(last()).toBe('joined');
  });

  it('what is too large, no mail, gone, or of another bucket', async () => {
    const large = await store(mailOf({ text: 'x'.repeat(500) }));
    const ports = portsOf(world);
    const read: MailInPorts['objects']['read'] = async (key, max) => {
      expect(max).toBe(30 * 1_048_576);
      return await ports.objects.read(key, 100);
    };
    await bring(large, { ...ports, objects: { ...ports.objects, read } });
    await bring(await store(Buffer.from(`X: ${'a'.repeat(300_000)}\r\n\r\n`)));
    await bring('inbound/none');
    await createMailInStage(portsOf(world))([messageOf('inbound/none', 'another')]);
    expect(outcomes.map(({ reason }) => reason)).toEqual(['too_large', 'unreadable', 'gone']);
    expect(await listed()).toMatchObject([
      { reason: 'too_large', from: { address: CUSTOMER }, subject: 'Broken lamp', originalKey: large },
    ]);
  });

  it('what is no notification is no message', () => {
    expect(inboundMailSchema.parse({ Event: 's3:TestEvent', Bucket: 'b' })).toEqual([]);
    expect(inboundMailSchema.safeParse({ hello: 1 }).success).toBe(false);
    const removed = {
      Records: [{ eventName: 'ObjectRemoved:Delete', s3: { bucket: { name: 'b' }, object: { key: 'a' } } }],
    };
    expect(inboundMailSchema.parse(removed)).toEqual([]);
    const spelled = notificationOf('b', 'inbound/ü +', 1, 0);
    expect(inboundMailSchema.parse(spelled)).toEqual([{ bucket: 'b', key: 'inbound/ü +' }]);
  });

  it('a failing bucket fails its message and no other', async () => {
    const good = await store(mailOf({}));
    const ports = portsOf(world);
    const read: MailInPorts['objects']['read'] = (key, max) =>
      key === 'bad' ? Promise.reject(new Error('S3 is away')) : ports.objects.read(key, max);
    const stage = createMailInStage({ ...ports, objects: { ...ports.objects, read } });
    expect(await stage([messageOf('bad'), messageOf(good)])).toEqual({ failedIndexes: [0] });
    expect(tickets()).toHaveLength(1);
  });
});

describe('a worker that dies', () => {
  it.each(['opens', 'joins'] as const)(
    'at any of its calls, when the mail %s, leaves one message',
    async (what) => {
      const arrange = async () => {
        const id = what === 'joins' ? await world.open() : null;
        return await store(mailOf({ to: id === null ? supportTo() : await replyTo(id), text: 'Once.' }));
      };
      const counting = mortal(portsOf(world), Number.POSITIVE_INFINITY, false);
      await bring(await arrange(), counting.ports);
      const calls = counting.calls();
      expect(calls).toBeGreaterThan(10);
      for (let at = 1; at <= calls; at++)
        for (const after of [false, true]) {
          await world.ses.close();
          world = await openMailWorld(`${at} ${after}`);
          const key = await arrange();
          const { failedIndexes } = await bring(key, mortal(portsOf(world), at, after).ports);
          if (failedIndexes.length > 0) await bring(key);
          // A commit's outbox is drained by the next process that touches the record, or by the sweep.
          await bring(key);
          expect([at, after, bodies().filter((body) => body === 'Once.').length]).toEqual([at, after, 1]);
          const all = tickets();
          expect([at, after, all.length, all[0]?.messageCount]).toEqual([
            at,
            after,
            1,
            what === 'joins' ? 2 : 1,
          ]);
        }
    },
  );
});
