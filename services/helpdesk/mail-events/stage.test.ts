// Goal: SES events of a mail are written once, in any order and with repetitions, and agents see what bounced.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contactIdOf } from '#lib/helpdesk/domain/contacts/contact-id.ts';
import { CUSTOMER, type MailWorld, mortal, openMailWorld, WORKSPACE } from '#test/support/mail-world.ts';
import { mailEventSchema } from './message.ts';
import { createMailEventStage } from './stage.ts';

let world: MailWorld;
beforeEach(async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'us-east-1');
  world = await openMailWorld();
});
afterEach(() => world.ses.close());

const HAPPENED = '2026-11-20T09:30:00.000Z';

const event = (id: string, eventType: string, more: object = {}, providerId = 'ses-1') => ({
  eventType,
  mail: {
    timestamp: HAPPENED,
    messageId: providerId,
    destination: [CUSTOMER],
    tags: { workspace: [WORKSPACE], mail: [id], 'ses:caller-identity': ['x'] },
  },
  ...more,
});

const bounce = (id: string, bounceType = 'Permanent') =>
  event(id, 'Bounce', {
    bounce: {
      bounceType,
      bounceSubType: 'General',
      timestamp: HAPPENED,
      bouncedRecipients: [{ emailAddress: CUSTOMER, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
    },
  });

const complaint = (id: string) => event(id, 'Complaint', { complaint: { timestamp: HAPPENED } });

let bounces = 0;

async function hear(...events: readonly object[]) {
  const stage = createMailEventStage({ ...world.outPorts, bounced: () => void bounces++ });
  const messages = events.map((one) => ({ body: mailEventSchema.parse(one), receiveCount: 1, sentAtMs: 0 }));
  return await stage(messages);
}

async function sentReply() {
  const ticket = await world.open();
  const id = await world.reply(ticket);
  await world.work();
  world.ses.takeEvents();
  return { ticket, id };
}

const contact = async () =>
  (await world.stores.contacts.read(WORKSPACE, contactIdOf(WORKSPACE, CUSTOMER)))?.record;

describe('what SES tells', () => {
  it('of a mail whose fate is unknown makes it sent, and answers to it find the ticket', async () => {
    world.behave('closed');
    const ticket = await world.open();
    const id = await world.reply(ticket);
    await world.work();
    await hear(event(id, 'Send'));
    expect(await world.readMail(id)).toMatchObject({
      status: 'sent',
      providerId: 'ses-1',
      messageId: '<ses-1@email.amazonses.com>',
      error: null,
    });
    expect(await world.stores.threads.ticketOf(WORKSPACE, '<ses-1@email.amazonses.com>')).toBe(ticket);
    await world.pass(60, { hears: false });
    expect(world.ses.asked()).toBe(1);
  });

  it('of a bounce shows it, stops mail to the address and makes it our turn', async () => {
    const { ticket, id } = await sentReply();
    const before = bounces;
    await hear(bounce(id), bounce(id));
    await hear(bounce(id), event(id, 'Delivery'));
    expect(bounces - before).toBe(1);
    expect(await world.status(id)).toBe('bounced');
    expect(await world.notes(ticket)).toEqual([
      expect.stringMatching(/came back[\s\S]*550 5\.1\.1 user unknown/),
    ]);
    expect((await contact())?.mailStopped).toMatchObject({ reason: 'bounced' });
    const stored = await world.stores.tickets.read(WORKSPACE, ticket);
    expect(stored?.record).toMatchObject({ state: 'OPEN', messageCount: 3 });
    expect(world.stores.audit.all().filter(({ action }) => action === 'contact.mail_stopped')).toHaveLength(
      1,
    );
  });

  it('of a bounce keeps the next reply back, until an agent allows it again', async () => {
    const { ticket, id } = await sentReply();
    await hear(bounce(id));
    const next = await world.reply(ticket, 'Did you get it?');
    await world.work();
    expect([world.ses.asked(), await world.status(next)]).toEqual([1, 'suppressed']);
    expect(await world.notes(ticket)).toHaveLength(2);
    const stored = await world.stores.contacts.read(WORKSPACE, contactIdOf(WORKSPACE, CUSTOMER));
    if (stored === null) throw new Error('no contact');
    await world.stores.contacts.put(
      { ...stored, record: { ...stored.record, mailStopped: null }, version: stored.version + 1 },
      stored.version,
    );
    const last = await world.reply(ticket, 'And now?');
    await world.work();
    expect([world.ses.asked(), await world.status(last)]).toEqual([2, 'sent']);
  });

  it('of a bounce for a passing reason shows it and stops nothing', async () => {
    const { ticket, id } = await sentReply();
    await hear(bounce(id, 'Transient'));
    expect(await world.status(id)).toBe('bounced');
    expect(await world.notes(ticket)).toHaveLength(1);
    expect((await contact())?.mailStopped ?? null).toBeNull();
  });

  it('of a complaint, even after a bounce, stops mail and shows it without reopening', async () => {
    const { ticket, id } = await sentReply();
    await hear(complaint(id), complaint(id));
    expect(await world.status(id)).toBe('complained');
    expect(await world.notes(ticket)).toEqual([expect.stringContaining('as spam')]);
    expect((await contact())?.mailStopped).toMatchObject({ reason: 'complained' });
    expect((await world.stores.tickets.read(WORKSPACE, ticket))?.record.state).toBe('WAITING');
  });

  it('before the worker wrote what SES answered is not written over', async () => {
    const ticket = await world.open();
    const id = await world.reply(ticket);
    const { sender } = world.outPorts;
    await world.work({
      ...world.outPorts,
      sender: {
        ...sender,
        send: async (mail) => {
          const outcome = await sender.send(mail);
          await world.listen();
          await hear(bounce(id));
          return outcome;
        },
      },
    });
    expect(await world.status(id)).toBe('bounced');
  });

  it('of mails that are none of ours is passed over', async () => {
    const { id } = await sentReply();
    const none = { eventType: 'Bounce', mail: { timestamp: HAPPENED, messageId: 'x' } };
    const foreign = {
      ...bounce(id),
      mail: { ...bounce(id).mail, tags: { workspace: ['other'], mail: [id] } },
    };
    expect(await hear(none, foreign, { Type: 'Notification', Message: 'Hello' }, {})).toEqual({
      failedIndexes: [],
    });
    expect(await world.status(id)).toBe('sent');
  });

  it.each([
    ['as SES says it', (found: object) => found],
    ['by SNS', (found: object) => ({ Type: 'Notification', Message: JSON.stringify(found) })],
    [
      'by EventBridge',
      (found: object) => ({ source: 'aws.ses', 'detail-type': 'Email Sent', detail: found }),
    ],
  ])('is understood %s', (_, wrapped) => {
    expect(mailEventSchema.parse(wrapped(bounce('id')))).toEqual({
      workspaceId: WORKSPACE,
      id: 'id',
      providerId: 'ses-1',
      what: 'bounced',
      atMs: Date.parse(HAPPENED),
      reason: 'smtp; 550 5.1.1 user unknown',
    });
  });

  it('and is cut off is no event', () => {
    expect(mailEventSchema.safeParse({ eventType: 'Bounce', mail: {} }).success).toBe(false);
  });
});

describe('a listener that dies', () => {
  it('at any of its calls leaves one note, one stop and one state', async () => {
    const { id } = await sentReply();
    const counting = mortal(world.outPorts, Number.POSITIVE_INFINITY, false);
    const body = mailEventSchema.parse(bounce(id));
    await createMailEventStage(counting.ports)([{ body, receiveCount: 1, sentAtMs: 0 }]);
    const calls = counting.calls();
    expect(calls).toBeGreaterThan(8);
    for (let at = 1; at <= calls; at++)
      for (const after of [false, true]) {
        await world.ses.close();
        world = await openMailWorld(`${at} ${after}`);
        const reply = await sentReply();
        const event = mailEventSchema.parse(bounce(reply.id));
        const message = { body: event, receiveCount: 1, sentAtMs: 0 };
        const { failedIndexes } = await createMailEventStage(mortal(world.outPorts, at, after).ports)([
          message,
        ]);
        // A commit stands even if its outbox was not drained; the next process drains it.
        if (failedIndexes.length > 0) await createMailEventStage(world.outPorts)([message]);
        expect([at, after, await world.status(reply.id)]).toEqual([at, after, 'bounced']);
        expect((await contact())?.mailStopped).toMatchObject({ reason: 'bounced' });
        const stored = await world.stores.tickets.read(WORKSPACE, reply.ticket);
        expect([at, after, stored?.record.messageCount]).toEqual([at, after, 3]);
      }
  });
});
