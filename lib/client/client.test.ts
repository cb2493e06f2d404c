import { describe, expect, it } from 'vitest';
import { openApi } from '../../test/contract/api-host.ts';
import { normalizedRow, store } from '../../test/contract/stored-rows.ts';
import { ApiError, createClient } from './client.ts';

/** The client against the real API application, without a socket. */
async function connected(role: 'owner' | 'member' = 'owner') {
  const host = await openApi();
  const sent: Request[] = [];
  const client = createClient({
    ingestionUrl: 'http://ingestion.example',
    apiUrl: 'http://api.example',
    token: async () => host.session(role),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sent.push(request);
      const { pathname, search } = new URL(request.url);
      const answer = await host.app.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(request.method === 'POST' ? { payload: await request.clone().text() } : {}),
      });
      const headers = answer.headers as Record<string, string>;
      return new Response(answer.payload, { status: answer.statusCode, headers });
    },
  });
  return { host, client, sent };
}

describe('createClient', () => {
  it('connects, lists, reads and disconnects, typed end to end', async () => {
    const { host, client } = await connected();
    const credentials = { pixel_id: '1234567890', access_token: 'x'.repeat(20) };
    const made = await client.connectPlatform({ body: { platform: 'meta', credentials } });
    expect(made.status).toBe(201);
    const { body } = await client.listPlatforms();
    expect(body.platforms.map(({ id }) => id)).toEqual([made.body.platform.id]);
    await store(host.events, normalizedRow({ eventId: 'a/b?c' }), normalizedRow({ eventId: 'other' }));
    const list = await client.listEvents({ query: { search: 'a/b', limit: 10 } });
    expect(list.body.events.map(({ event_id }) => event_id)).toEqual(['a/b?c']);
    const read = await client.readEvent({ params: { id: 'a/b?c' }, query: { trust: 'server' } });
    expect(read.body.event.event_id).toBe('a/b?c');
    const gone = await client.disconnectPlatform({ params: { id: made.body.platform.id } });
    expect(gone).toEqual({ status: 200, body: { success: true, id: made.body.platform.id } });
  });

  it('rejects with the code, the details and the request id of a failure', async () => {
    const { client } = await connected('member');
    const failure = await client.listEvents({ query: { limit: 0 } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 400, code: 'invalid_request', details: [{ path: 'limit' }] });
    expect((failure as ApiError).requestId).toMatch(/^[0-9a-f-]{36}$/);
    await expect(client.disconnectPlatform({ params: { id: 'x' } })).rejects.toMatchObject({ status: 403 });
    await expect(client.explainEvent({ params: { id: 'x' } })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sends a credential only where one is asked for, and leaves absent parameters out', async () => {
    const { client, sent } = await connected();
    await client.getPixel().catch(() => undefined);
    await client.getVolume({ query: { range: '24h' } });
    await client.listEvents({ query: { source: 'server' } });
    expect(sent.map(({ url }) => url)).toEqual([
      'http://ingestion.example/v1/pixel.js',
      'http://api.example/v1/analytics/volume?range=24h',
      'http://api.example/v1/events?source=server',
    ]);
    expect(sent.map(({ headers }) => headers.has('authorization'))).toEqual([false, true, true]);
  });

  it('returns the pixel as text', async () => {
    const fetch = async () => new Response('!function(){}()', { status: 200 });
    const client = createClient({ ingestionUrl: '', apiUrl: '', fetch });
    expect((await client.getPixel()).body).toBe('!function(){}()');
  });

  const UNAVAILABLE = '{"error":"x","code":"unavailable"}';
  const answering = (body: string, status: number) => async () =>
    new Response(body, { status, headers: status === 503 ? { 'retry-after': '7' } : {} });
  it.each([
    ['no answer', () => Promise.reject(new TypeError('fetch failed')), { status: 0, code: 'no_answer' }],
    ['a page of a proxy', answering('<html>', 502), { status: 502, code: 'not_json' }],
    ['JSON of somebody else', answering('{"message":"no"}', 500), { status: 500, code: 'not_json' }],
    ['an outage', answering(UNAVAILABLE, 503), { status: 503, code: 'unavailable', retryAfterSec: 7 }],
  ])('is an ApiError: %s', async (_name, answer, expected) => {
    const client = createClient({ ingestionUrl: '', apiUrl: 'http://api.example', fetch: answer });
    await expect(client.listPlatforms()).rejects.toMatchObject({ name: 'ApiError', ...expected });
  });
});
