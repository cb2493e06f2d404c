// Goal: a page finds everything at one origin, and what it is answered there is what the parts answer. Method: the embedded
// host, each request at the one address and at the part's own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../lib/client/client.ts';
import { type Host, startHost } from '../../services/local/host.ts';

let folder: string;
let host: Host;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'origin-'));
  host = await startHost({ portBase: 0, dataDir: join(folder, '.local') });
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What does not name the request. */
async function answer(base: string, path: string, init: RequestInit) {
  const response = await fetch(base + path, init);
  const headers = Object.fromEntries(response.headers);
  // What differs from one answer to the next: a call that was counted leaves one fewer.
  const own = ['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive'];
  for (const name of [...own, 'x-ratelimit-remaining', 'x-ratelimit-reset']) delete headers[name];
  return { status: response.status, headers, text: await response.text() };
}

describe('one origin', () => {
  it('serves a client both parts', async () => {
    const { origin_url, api_key, session_jwt } = host.session;
    const urls = { ingestionUrl: origin_url, apiUrl: origin_url };
    const taken = await createClient({ ...urls, token: () => api_key }).postEvents({
      body: {
        event_id: 'one-origin-1',
        event_name: 'Purchase',
        event_time: Math.floor(Date.now() / 1_000) - 5,
        event_source_url: 'https://shop.example/thanks',
        user_data: { email: 'jane@example.com' },
        value: 1,
        currency: 'USD',
      },
    });
    expect(taken.status).toBe(202);
    const client = createClient({ ...urls, token: () => session_jwt });
    const { body } = await client.readEvent({ params: { id: 'one-origin-1' } });
    expect(body.event.event_id).toBe('one-origin-1');
    expect((await client.getPixel()).body).toContain('browser/events');
  });

  it.each<[string, 'api' | 'ingestion', string, RequestInit]>([
    ['401', 'api', '/v1/events', {}],
    ['401 of ingestion', 'ingestion', '/v1/events', { method: 'POST', body: '{}' }],
    ['403', 'api', '/v1/account', { headers: { authorization: 'key' } }],
    ['404 of a record', 'api', '/v1/events/none', { headers: { authorization: 'session' } }],
    ['404 of a path', 'api', '/v1/nothing', {}],
    ['405', 'api', '/v1/events', { method: 'DELETE' }],
    ['405 of ingestion', 'ingestion', '/v1/ingest', {}],
    ['a file', 'ingestion', '/v1/pixel.js', {}],
    ['400', 'api', '/v1/events?limit=0', { headers: { authorization: 'session' } }],
  ])('answers %s as the part does', async (_name, part, path, init) => {
    const { origin_url, api_url, ingestion_url, api_key, session_jwt } = host.session;
    const said = new Headers(init.headers).get('authorization');
    const token = said === 'key' ? api_key : said === 'session' ? session_jwt : undefined;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const own = part === 'api' ? api_url : ingestion_url;
    const there = await answer(own, path, { ...init, headers });
    expect(await answer(origin_url, path, { ...init, headers })).toEqual(there);
    expect(there.text).not.toBe('');
  });
});
