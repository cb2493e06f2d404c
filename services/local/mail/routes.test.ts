// Goal: on a laptop any mail can be read as text, and one can be sent in as SES would deliver it.
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { composeMail } from '#lib/adapters/mail/compose.ts';
import { parseMail } from '#lib/adapters/mail/parse.ts';
import { createMailSender } from '#lib/adapters/ses/mail-sender.ts';
import type { ComposedMail } from '#lib/helpdesk/domain/mail/outbound-mail.ts';
import { listen } from '../http/server.ts';
import { startSandbox } from '../sandbox/server.ts';
import { Mailbox } from './mailbox.ts';
import { createMailRoutes } from './routes.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 9);

let server: Server;
let url = '';
let events: object[] = [];
let stored: { key: string; bytes: Uint8Array }[] = [];
let notified: object[] = [];

const routes = (configured: boolean) =>
  createMailRoutes({
    mailbox: new Mailbox(),
    now: () => NOW_MS,
    publish: (event) => void events.push(event),
    ...(configured
      ? {
          inbound: {
            bucket: 'mails',
            objects: { write: async (key: string, bytes: Uint8Array) => void stored.push({ key, bytes }) },
            notify: async (notification: object) => void notified.push(notification),
          },
        }
      : {}),
  });

async function open(configured = true): Promise<void> {
  const answer = routes(configured);
  server = createServer(async (request, response) => {
    if (!(await answer(request, response))) response.writeHead(418).end();
  });
  url = await listen(server, 'mail', 0);
}

beforeEach(() => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'us-east-1');
  [events, stored, notified] = [[], [], []];
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const HOSTILE = `</pre><script>alert(1)</script><img src=//evil.example/x>"'&`;

const mail = (changes: Partial<ComposedMail> = {}): ComposedMail => ({
  from: { address: 'support@mail.example.com', name: HOSTILE },
  to: { address: 'jane@customer.example', name: null },
  replyTo: { address: 'r@mail.example.com', name: null },
  subject: HOSTILE,
  messageId: '<a@mail.example.com>',
  inReplyTo: null,
  references: [],
  text: HOSTILE,
  headers: {},
  atMs: NOW_MS,
  ...changes,
});

async function send(
  to = 'jane@customer.example',
  tags: Record<string, string> = { mail: 'm', workspace: 'w' },
) {
  const raw = await composeMail(mail());
  return await createMailSender({ endpoint: url, configurationSet: 'helpdesk' }).send({ raw, to, tags });
}

describe('mails that were sent', () => {
  it('are listed and shown as text under a policy that runs and loads nothing', async () => {
    await open();
    expect(await send()).toMatchObject({
      kind: 'accepted',
      messageId: expect.stringMatching(/@email\.amazonses\.com>$/),
    });
    const { mails, taken } = (await (await fetch(`${url}/mail/messages`)).json()) as {
      mails: { id: string; subject: string; to: string[] }[];
      taken: number;
    };
    expect([taken, mails]).toMatchObject([1, [{ subject: HOSTILE, to: ['jane@customer.example'] }]]);
    const id = encodeURIComponent(mails[0]?.id ?? '');
    for (const path of ['/mail', `/mail/${id}`]) {
      const page = await fetch(`${url}${path}`);
      const html = await page.text();
      expect(page.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'none'; style-src 'sha256-/,
      );
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(html).toContain('&lt;script&gt;');
      expect(html).not.toMatch(/<script|<img|<\/pre>.*<\/pre>/s);
    }
    const source = await fetch(`${url}/mail/messages/${id}/raw`);
    expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(source.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${url}/mail/none`)).status).toBe(404);
    expect((await fetch(`${url}/mail`, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${url}/mailbox`)).status).toBe(418);
  });

  it.each([
    ['jane@customer.example', ['Send', 'Delivery']],
    ['bounce@simulator.amazonses.com', ['Send', 'Bounce']],
    ['complaint@simulator.amazonses.com', ['Send', 'Complaint']],
  ])('to %s are followed by %j', async (to, kinds) => {
    await open();
    await send(to);
    expect(events.map((event) => (event as { eventType: string }).eventType)).toEqual(kinds);
    expect(events[0]).toMatchObject({ mail: { tags: { mail: ['m'], workspace: ['w'] } } });
  });

  it('are refused as SES refuses them', async () => {
    await open();
    expect(await send('jane@customer.example', { mail: 'no spaces here' })).toMatchObject({
      kind: 'refused',
      isFinal: true,
    });
    expect(await send('nobody')).toMatchObject({ kind: 'refused', isFinal: true });
  });
});

describe('a mail that is sent in', () => {
  const post = (body: string, type: string) =>
    fetch(`${url}/mail/inbound`, { method: 'POST', body, headers: { 'content-type': type } });

  it('as JSON becomes what SES would store, and S3 would tell of', async () => {
    await open();
    const to = 'Support <support+abc@mail.example.com>';
    const body = {
      from: 'Jörg <joerg@customer.example>',
      to,
      subject: 'Grüße',
      text: 'Zeile 1\nZeile 2 😀',
      dmarc: 'fail',
    };
    const answer = await post(JSON.stringify(body), 'application/json');
    expect(answer.status).toBe(202);
    const { key } = (await answer.json()) as { key: string };
    expect(stored.map((object) => object.key)).toEqual([key]);
    expect(notified).toMatchObject([{ Records: [{ s3: { bucket: { name: 'mails' } } }] }]);
    const read = await parseMail(stored[0]?.bytes ?? new Uint8Array());
    expect(read).toMatchObject({
      from: { address: 'joerg@customer.example', name: 'Jörg' },
      recipients: ['support+abc@mail.example.com'],
      subject: 'Grüße',
      text: 'Zeile 1\nZeile 2 😀',
      verdicts: { sender: 'fail', isSpam: false },
    });
  });

  it('raw is stored as it is', async () => {
    await open();
    expect((await post('From: a@b.example\r\n\r\nx', 'message/rfc822')).status).toBe(202);
    expect(Buffer.from(stored[0]?.bytes ?? '').toString()).toBe('From: a@b.example\r\n\r\nx');
  });

  it.each([
    ['{"to":"a@b.example"}', 'application/json', 400, 'from'],
    ['{"from":"a@b.example\\r\\nBcc: x","to":"a@b.example"}', 'application/json', 400, 'one line'],
    ['{', 'application/json', 400, ''],
    ['', 'message/rfc822', 400, 'empty'],
    // What a page of another origin may send without asking.
    ['x', 'text/plain', 400, 'Content-Type'],
  ])('%j as %s is %i', async (body, type, status, says) => {
    await open();
    const answer = await post(body, type);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(says);
    expect(stored).toEqual([]);
  });

  it('needs a domain', async () => {
    await open(false);
    expect((await post('x', 'message/rfc822')).status).toBe(404);
  });
});

it('stands beside the platforms in the sandbox', async () => {
  await open();
  const sandbox = await startSandbox({ beside: routes(true) });
  expect(await (await fetch(`${sandbox.url}/mail`)).text()).toContain('No mail was sent yet.');
  expect((await fetch(`${sandbox.url}/received`)).status).toBe(200);
  await sandbox.close();
});
