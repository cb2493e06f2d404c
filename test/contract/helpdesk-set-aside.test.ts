// Goal: agents find what was put aside in their workspace and no other, and have it taken in, once.
import { beforeEach, describe, expect, it } from 'vitest';
import { setAsideMail } from '../support/set-aside-mail.ts';
import { type Desk, MINE, openHelpdesk, THEIRS, UNKNOWN_ID } from './helpdesk-host.ts';

const PATH = '/api/v1/mail/set-aside';

let desk: Desk;
beforeEach(async () => {
  desk = await openHelpdesk();
});

interface Listed {
  readonly mails: readonly { readonly id: string; readonly reason: string; readonly acceptable: boolean }[];
  readonly total: number;
}

describe('mails that were put aside', () => {
  it('are listed newest first with who, what, when and why', async () => {
    const at = Date.UTC(2026, 10, 20, 9);
    const spam = setAsideMail(MINE, 'spam', { customerEmail: 'real@customer.example' });
    const virus = setAsideMail(MINE, 'virus', { receivedAtMs: at + 1_000 });
    for (const mail of [spam, virus, setAsideMail(THEIRS, 'bulk')]) await desk.stores.setAside.put(mail);
    const reply = await desk.ask('GET', PATH);
    expect(reply.body).toEqual({
      success: true,
      mails: [
        expect.objectContaining({ id: virus.id, reason: 'virus', acceptable: false, reply_to: null }),
        {
          id: spam.id,
          reason: 'spam',
          from: { email: 'jane@customer.example', name: 'Jane Doe' },
          reply_to: 'real@customer.example',
          subject: 'Broken lamp',
          received_at: '2026-11-20T09:00:00.000Z',
          expires_at: '2026-12-20T09:00:00.000Z',
          answers_ticket_id: null,
          acceptable: true,
          ticket_id: null,
        },
      ],
      total: 2,
      limit: 50,
      offset: 0,
    });
    const second = (await desk.ask('GET', `${PATH}?limit=1&offset=1`)).body as Listed;
    expect([second.mails.map(({ id }) => id), second.total]).toEqual([[spam.id], 2]);
    expect((await desk.ask('GET', `${PATH}?limit=0`)).status).toBe(400);
  });

  it('are taken in by the worker of mails, which is told ids only', async () => {
    const mail = setAsideMail(MINE, 'bulk');
    await desk.stores.setAside.put(mail);
    const accepted = await desk.ask('POST', `${PATH}/${mail.id}/accept`);
    expect([accepted.status, accepted.body]).toEqual([202, { success: true, id: mail.id }]);
    expect(desk.acceptedMails.receive(10).map(({ body }) => body)).toEqual([
      { accepted: { workspaceId: MINE, id: mail.id } },
    ]);
    await desk.stores.setAside.replace({ ...mail, ticketId: UNKNOWN_ID });
    expect((await desk.ask('POST', `${PATH}/${mail.id}/accept`)).status).toBe(202);
    expect(desk.acceptedMails.receive(10)).toEqual([]);
  });

  it('with a virus, of another workspace or nobody’s are not', async () => {
    const [virus, theirs] = [setAsideMail(MINE, 'virus'), setAsideMail(THEIRS, 'spam')];
    for (const mail of [virus, theirs]) await desk.stores.setAside.put(mail);
    expect((await desk.ask('POST', `${PATH}/${virus.id}/accept`)).status).toBe(409);
    const [foreign, unknown] = [theirs.id, UNKNOWN_ID].map((id) => desk.ask('POST', `${PATH}/${id}/accept`));
    expect((await foreign)?.status).toBe(404);
    expect((await foreign)?.body).toEqual((await unknown)?.body);
    expect(desk.acceptedMails.receive(10)).toEqual([]);
  });
});
