// Goal: a page of another origin can do with the client what a program can. Method: the bundle in a real browser, and the API
// as a function URL that knows the page's origin.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeTable } from '../../scripts/reference/route-table.ts';
import { type FunctionUrl, openFunctionUrl } from '../../services/local/functions/function-url.ts';
import { type ApiHost, openApi } from '../../test/contract/api-host.ts';
import { normalizedRow, store } from '../../test/contract/stored-rows.ts';
import { browserWanted, launchBrowser } from '../../test/support/pixel/browser.ts';
import { TRANSPORT_ROUTES, transportApp } from '../../test/support/transport-routes.ts';
import { createFunctionUrlHandler } from '../adapters/fastify/function-url.ts';

let browser: Browser;
let host: ApiHost;
let api: FunctionUrl;
let pages: Server;
let origin: string;
let bundle: string;
beforeAll(async () => {
  if (!browserWanted) return;
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('client.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  bundle = outputFiles[0]?.text ?? '';
  pages = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? bundle : '<!doctype html><title>page</title>');
  });
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  host = await openApi(() => ({ origins: [origin] }));
  api = await openFunctionUrl('api', 0, (problem, error) => {
    throw new Error(problem, { cause: error });
  });
  api.serve(await createFunctionUrlHandler(host.app));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
  pages?.close();
});

/** Runs the body of an async function in a page; `client` is there. */
async function inPage(token: string, body: string): Promise<unknown> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(origin);
  const made = await page.evaluate(`(async () => {
    const { createClient, ApiError } = await import('/client.js');
    const client = createClient({ ingestionUrl: '', apiUrl: ${JSON.stringify(api.url)}, token: () => ${JSON.stringify(token)} });
    ${body}
  })()`);
  await page.close();
  expect(complaints).toEqual([]);
  return made;
}

describe.runIf(browserWanted)('the client in a page', () => {
  it('reads, changes and removes, with preflights and all', async () => {
    await store(host.events, normalizedRow({ eventId: 'a/b?c#d ü' }));
    const made = await inPage(
      host.session(),
      `const list = await client.listEvents({ query: { limit: 10 } });
       const read = await client.readEvent({ params: { id: list.body.events[0].event_id } });
       const key = await client.createApiKey({ body: { name: 'page', scopes: ['events:read'] } });
       const gone = await client.revokeApiKey({ params: { id: key.body.api_key.id } });
       return [list.status, read.body.event.event_id, key.status, gone.status];`,
    );
    expect(made).toEqual([200, 'a/b?c#d ü', 201, 200]);
  });

  it('is told why it was refused, with the id of the request', async () => {
    const made = await inPage(
      host.session('member'),
      `const errors = [];
       for (const call of [() => client.listEvents({ query: { limit: 0 } }), () => client.readEvent({ params: { id: 'x' } })])
         await call().catch((error) => errors.push([error instanceof ApiError, error.code, /^[0-9a-f-]{36}$/.test(error.requestId)]));
       return errors;`,
    );
    expect(made).toEqual([
      [true, 'invalid_request', true],
      [true, 'not_found', true],
    ]);
  });

  it('can leave', async () => {
    const made = await inPage(
      host.session(),
      `const call = client.listEvents({}, { signal: AbortSignal.abort('left') });
       return call.catch((reason) => reason);`,
    );
    expect(made).toBe('left');
  });

  it('reads streams, and ends them at the service', async () => {
    const { app, signals } = transportApp(async function* (to, signal) {
      for (let n = 1; n <= Number(to); n++) yield { event: 'number', data: { n } };
      if (to === '2') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/page`);
    const seen = await page.evaluate(`(async () => {
      const { clientOf } = await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(bundle)}`)});
      const client = clientOf(${JSON.stringify(routeTable(TRANSPORT_ROUTES))}, { ingestionUrl: '', apiUrl: '' });
      const seen = [];
      for await (const { data } of (await client.count({ params: { to: '3' } })).stream) seen.push(data.n);
      for await (const { data } of (await client.count({ params: { to: '2' } })).stream) if (data.n === 2) break;
      return seen;
    })()`);
    expect(seen).toEqual([1, 2, 3]);
    await expect.poll(() => signals[1]?.aborted).toBe(true);
    await page.close();
    await app.close();
  });
});
