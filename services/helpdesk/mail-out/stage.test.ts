// Goal: exactly one mail for a reply wherever a worker dies, as far as SES lets one know; and agents see what went wrong.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseMail } from '#lib/adapters/mail/parse.ts';
import { type MailWorld, mortal, openMailWorld, WORKSPACE } from '#test/support/mail-world.ts';
import { createMailOutStage } from './stage.ts';

let world: MailWorld;
beforeEach(async () => {
  for (const [name, value] of Object.entries({
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }))
    vi.stubEnv(name, value);
  world = await openMailWorld();
});
afterEach(() => world.ses.close());

async function sent() {
  return await Promise.all(
    world.ses.mailbox.list().map(async ({ raw, to, tags }) => {
      const mail = await parseMail(Buffer.from(raw, 'base64'));
      if (mail === null) throw new Error('not a mail');
      return { mail, to, tags, header: (name: string) => mail.headers.get(name) };
    }),
  );
}

describe('a reply', () => {
  it('reaches the customer as one mail that answers theirs', async () => {
    const ticket = await world.open();
    const id = await world.reply(ticket, 'Grüße 😀\n\n.\nFrom here on\n');
    await world.work();
    await world.listen();
    const [only, ...others] = await sent();
    expect(others).toEqual([]);
    expect(only?.to).toEqual(['jane@customer.example']);
    expect(only?.tags).toEqual({ workspace: WORKSPACE, mail: id });
    expect(only?.mail.from).toMatchObject({ name: 'Lamp Shop' });
    expect(only?.mail.from?.address).toMatch(/^support\+[0-9a-z]{25}@mail\.example\.com$/);
    expect(only?.header('reply-to')).toMatch(/r\+[0-9a-z]{62}@mail\.example\.com/);
    expect(only?.mail.subject).toBe('Re: Broken lamp [TKT-000042]');
    expect(only?.mail.messageId).toBe(`<${id}@mail.example.com>`);
    expect(only?.mail.answers[0]).toBe('<first@customer.example>');
    expect(only?.header('x-millrace-mail')).toBe(id);
    expect(only?.header('auto-submitted')).toBeUndefined();
    expect(only?.mail.text.trimEnd()).toBe('Grüße 😀\n\n.\nFrom here on');
    const mail = await world.readMail(id);
    expect(mail).toMatchObject({ status: 'sent', attempts: 1, error: null, leaseUntilMs: null });
    expect(mail?.messageId).toBe(`<${mail?.providerId}@eu-west-1.amazonses.com>`);
    for (const messageId of [mail?.messageId ?? '', `<${id}@mail.example.com>`])
      expect(await world.stores.threads.ticketOf(WORKSPACE, messageId)).toBe(ticket);
    expect(world.problems).toEqual([]);
  });

  it('refers to what was sent before it, under the name SES gave that', async () => {
    const ticket = await world.open();
    const first = await world.reply(ticket);
    await world.work();
    await world.reply(ticket, 'It was sent today.');
    await world.work();
    const [second] = await sent();
    const before = await world.readMail(first);
    const references = second?.header('references') ?? '';
    expect(references).toMatch(/^<r\+[0-9a-z]{62}@mail\.example\.com> /);
    expect(references).toContain(before?.messageId);
    expect(references.endsWith('<first@customer.example>')).toBe(true);
  });

  it('is sent once, however often and by however many it is pointed to', async () => {
    const id = await world.reply(await world.open());
    const [pointer] = world.pointers;
    if (pointer === undefined) throw new Error('no pointer');
    const message = { body: pointer, receiveCount: 1, sentAtMs: 0 };
    const stage = createMailOutStage(world.outPorts);
    await Promise.all([stage([message, message, message]), stage([message])]);
    await world.work();
    await world.pass(120);
    expect(world.ses.mailbox.taken).toBe(1);
    expect(await world.status(id)).toBe('sent');
  });

  it('becomes no header, whatever subject and names hold', async () => {
    const subject = 'Lamp\r\nBcc: all@customer.example\r\n\r\nbody';
    await world.reply(await world.open(subject));
    await world.work();
    const [only] = await sent();
    expect(only?.header('bcc')).toBeUndefined();
    expect(only?.mail.subject).toBe('Re: Lamp Bcc: all@customer.example body [TKT-000042]');
    expect(only?.mail.recipients).toEqual(['jane@customer.example']);
  });

  it('that is internal, or whose ticket has nobody to write to, is not sent', async () => {
    await world.reply(await world.open('x', null));
    await world.work();
    expect(world.ses.asked()).toBe(0);
  });
});

describe('a worker that dies', () => {
  /** Every call of the run, before and after it. */
  it('at any of its calls leaves one mail', async () => {
    const whole = await openMailWorld('whole');
    await whole.reply(await whole.open());
    const counting = mortal(whole.outPorts, Number.POSITIVE_INFINITY, false);
    await whole.work(counting.ports);
    expect(whole.ses.mailbox.taken).toBe(1);
    await whole.ses.close();
    const calls = counting.calls();
    expect(calls).toBeGreaterThan(10);
    const fates: string[] = [];
    for (let at = 1; at <= calls; at++)
      for (const after of [false, true]) {
        const one = await openMailWorld(`${at} ${after}`);
        const ticket = await one.open();
        const id = await one.reply(ticket);
        await one.work(mortal(one.outPorts, at, after).ports);
        await one.pass(40);
        const mail = await one.readMail(id);
        fates.push(`${one.ses.mailbox.taken} ${mail?.status}`);
        expect([at, after, one.ses.mailbox.taken, mail?.status]).toEqual([at, after, 1, 'sent']);
        expect(await one.stores.threads.ticketOf(WORKSPACE, mail?.messageId ?? '')).toBe(ticket);
        expect(await one.notes(ticket)).toEqual([]);
        await one.ses.close();
      }
    expect(fates).toHaveLength(2 * calls);
  });

  it('after SES took the mail leaves two where SES never tells, and agents one state', async () => {
    world.behave('taken, answer lost');
    const ticket = await world.open();
    const id = await world.reply(ticket);
    await world.work();
    expect(await world.status(id)).toBe('unknown');
    world.ses.takeEvents();
    // The message comes back, because the worker never acknowledged it.
    world.pointers.push({ workspaceId: WORKSPACE, id });
    await world.work();
    expect(world.ses.asked()).toBe(1);
    await world.pass(14, { hears: false });
    expect(world.ses.asked()).toBe(1);
    await world.pass(3, { hears: false });
    expect([world.ses.mailbox.taken, await world.status(id)]).toEqual([2, 'sent']);
    await world.pass(60, { hears: false });
    expect(world.ses.mailbox.taken).toBe(2);
  });
});

describe('a provider that knows a mail again, whose events are lost', () => {
  it('sends it once, and within minutes, wherever the worker dies', async () => {
    const counted = await openMailWorld('counted', { recognizes: true });
    await counted.reply(await counted.open());
    const counting = mortal(counted.outPorts, Number.POSITIVE_INFINITY, false);
    await counted.work(counting.ports);
    await counted.ses.close();
    for (let at = 1; at <= counting.calls(); at++)
      for (const after of [false, true]) {
        const one = await openMailWorld(`${at} ${after}`, { recognizes: true });
        const ticket = await one.open();
        const id = await one.reply(ticket);
        await one.work(mortal(one.outPorts, at, after).ports);
        one.ses.takeEvents();
        await one.pass(3, { hears: false });
        const seen = [at, after, one.ses.mailbox.taken, await one.status(id), await one.notes(ticket)];
        expect(seen).toEqual([at, after, 1, 'sent', []]);
        await one.ses.close();
      }
  });
});

describe('a request whose answer is lost', () => {
  it.each(['taken, answer lost', 'taken, 500'] as const)(
    '%s: is not repeated when SES tells that it took it',
    async (behaviour) => {
      world.behave(behaviour);
      const ticket = await world.open();
      const id = await world.reply(ticket);
      await world.work();
      expect(await world.status(id)).toBe('unknown');
      await world.pass(60);
      expect([world.ses.asked(), world.ses.mailbox.taken, await world.status(id)]).toEqual([1, 1, 'sent']);
      expect(await world.notes(ticket)).toEqual([]);
    },
  );

  it.each(['500', 'closed'] as const)('%s: is repeated once when SES tells nothing', async (behaviour) => {
    world.behave(behaviour);
    const id = await world.reply(await world.open());
    await world.work();
    await world.pass(20);
    expect([world.ses.asked(), world.ses.mailbox.taken, await world.status(id)]).toEqual([2, 1, 'sent']);
  });

  it('twice: is left unknown, and the agents are told', async () => {
    world.behave('closed', '500');
    const ticket = await world.open();
    const id = await world.reply(ticket);
    await world.work();
    await world.pass(600);
    expect([world.ses.asked(), await world.status(id)]).toEqual([2, 'unknown']);
    expect(await world.notes(ticket)).toEqual([expect.stringContaining('It is not known')]);
    expect((await world.stores.tickets.read(WORKSPACE, ticket))?.record.state).toBe('OPEN');
  });
});

describe('a mail that SES does not take', () => {
  it('for now is asked for again, later and later', async () => {
    world.behave('throttled', 'throttled', 'throttled');
    const id = await world.reply(await world.open());
    await world.work();
    expect(await world.readMail(id)).toMatchObject({ status: 'pending', attempts: 1 });
    await world.pass(10);
    expect([world.ses.asked(), world.ses.mailbox.taken, await world.status(id)]).toEqual([4, 1, 'sent']);
  });

  it('for a day is given up, and the agents are told', async () => {
    world.behave(...Array.from({ length: 100 }, () => 'throttled' as const));
    const ticket = await world.open();
    const id = await world.reply(ticket);
    await world.work();
    await world.pass(26 * 60);
    expect([await world.status(id), world.ses.mailbox.taken]).toEqual(['failed', 0]);
    expect(await world.notes(ticket)).toEqual([expect.stringContaining('could not be sent')]);
  });

  it('ever is failed at once, once, and the agents are told', async () => {
    world.behave('rejected');
    const ticket = await world.open();
    const id = await world.reply(ticket);
    await world.work();
    await world.pass(60);
    expect([world.ses.asked(), await world.status(id)]).toEqual([1, 'failed']);
    expect(await world.notes(ticket)).toHaveLength(1);
  });

  it('because it cannot be reached is asked for again', async () => {
    const id = await world.reply(await world.open());
    await world.ses.close();
    await world.work();
    expect(await world.readMail(id)).toMatchObject({ status: 'pending', attempts: 1 });
  });
});
