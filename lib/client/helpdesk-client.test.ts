// Goal: the client of the helpdesk works with a key and with a session, and says why it was refused. Method: against the real
// API application, without a socket; bundled as a page would have it.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { openHelpdesk } from '../../test/contract/helpdesk-host.ts';
import { ApiError } from './client.ts';
import { createHelpdeskClient } from './helpdesk-client.ts';

async function connected(tokenOf: (desk: Awaited<ReturnType<typeof openHelpdesk>>) => string) {
  const desk = await openHelpdesk();
  const client = createHelpdeskClient({
    helpdeskUrl: 'http://helpdesk.example',
    token: () => tokenOf(desk),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const answer = await desk.app.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(request.body === null ? {} : { payload: await request.text() }),
      });
      return new Response(answer.statusCode === 304 ? null : answer.payload, {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
      });
    },
  });
  return { desk, client };
}

it('opens, answers and closes a ticket with a key', async () => {
  const { client } = await connected(({ key }) => key);
  const opened = await client.createTicket({
    body: { customer_email: 'ada@example.com', subject: 'Lamp', body: 'It flickers' },
  });
  const params = { id: opened.body.ticket_id };
  await client.replyTicket({ params, body: { body: 'Try another bulb' } });
  await client.closeTicket({ params, body: { reason: 'solved' } });
  const { body } = await client.getTicket({ params });
  expect(body?.ticket).toMatchObject({ status: 'closed', close_reason: 'solved', message_count: 2 });
});

it('lists conversations with a session, which older paths do not take', async () => {
  const { desk, client } = await connected((host) => host.session('member'));
  const id = await desk.ticket();
  const { body } = await client.listConversations({ query: { status: 'new' } });
  expect(body.conversations.map((one) => one.id)).toEqual([id]);
  await expect(client.listTickets({})).rejects.toMatchObject({ status: 401, code: 'refused' });
});

it('says in words why it was refused', async () => {
  const { client } = await connected(({ key }) => key);
  const refused = client.listConversations({ query: { limit: 101 } });
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'refused',
    message: expect.stringMatching(/^limit: /),
  });
});

it('adds a table to what a page carries already, and nothing of the product', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    entryPoints: ['lib/client/helpdesk-client.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('lib/client/'))).toEqual([]);
  expect(gzipSync(outputFiles[0]?.text ?? '', { level: 9 }).byteLength).toBeLessThanOrEqual(5 * 1_024);
});
