// Promise: what a page sends with Segment's browser library is one of its browser events, under all rules of these, and a
// secret key is refused there.
import { describe, expect, it } from 'vitest';
import {
  API_KEY,
  BROWSER,
  MERCHANT,
  NOW_MS,
  purchase,
  request,
  send,
  testIngestion,
  testMerchant,
} from '#test/support/ingestion.ts';

const basic = (user: string) => `Basic ${Buffer.from(`${user}:`).toString('base64')}`;
/** As analytics.js 1.84 sends it. */
const track = (overrides: Record<string, unknown> = {}) => ({
  type: 'track',
  messageId: 'ajs-next-1',
  event: 'Order Completed',
  anonymousId: 'anon-1',
  userId: null,
  timestamp: '2026-11-21T11:59:00.000Z',
  sentAt: '2026-11-21T11:59:01.000Z',
  writeKey: MERCHANT,
  integrations: { 'Segment.io': { apiHost: 'ingestion.example/v1/browser' } },
  context: {
    page: { url: 'https://shop.example/thanks?gclid=g-1', referrer: '' },
    userAgent: BROWSER,
    library: { name: 'analytics.js', version: 'npm:next-1.84.3' },
  },
  properties: { order_id: 'o-1', revenue: 20, currency: 'EUR' },
  _metadata: { bundled: ['Segment.io'], unbundled: [], bundledIds: [] },
  ...overrides,
});
const batch = (messages: readonly unknown[], writeKey: unknown = MERCHANT) => ({
  writeKey,
  batch: messages,
  sentAt: '2026-11-21T12:00:00.000Z',
});
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => track({ messageId: `m-${from + i}` }));
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const from = { authorization: basic(MERCHANT), 'content-type': 'text/plain', 'user-agent': BROWSER };
  return request(`/v1/browser/${path}`, body, { ...from, ...headers });
};
const bodies = ({ events }: ReturnType<typeof testIngestion>) =>
  events.rows().map((row) => (row.state === 'accepted' ? { ...row.body, channel: row.key.channel } : null));
const withMerchant = (settings: Parameters<typeof testMerchant>[0]) =>
  testIngestion({ config: { apiKey: async () => null, merchant: async () => testMerchant(settings) } });
const refusal = (status: number, code: string) => ({ status, json: { code } });

describe('a call of a page', () => {
  it('is a browser event, mapped as those of servers are, with address and agent of the request', async () => {
    const ingestion = testIngestion();
    const reply = await send(ingestion.app, post('t', track()));
    expect([reply.status, reply.json]).toEqual([200, { success: true }]);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'ratelimit-remaining': '29',
    });
    expect(bodies(ingestion)).toEqual([
      expect.objectContaining({
        channel: 'browser',
        event_name: 'Order Completed',
        source: 'segment',
        value: 20,
        currency: 'EUR',
        order_id: 'o-1',
        event_source_url: 'https://shop.example/thanks?gclid=g-1',
        user_data: { anon_id: 'anon-1', client_ip: '203.0.113.7', user_agent: BROWSER },
      }),
    ]);
    expect(ingestion.sent).toHaveLength(1);
  });

  it.each([
    ['t', {}, 'Order Completed'],
    ['p', { type: 'page', name: 'Home' }, 'PageView'],
    ['s', { type: 'screen', name: 'Cart' }, 'PageView'],
    ['i', { type: 'identify', userId: 'u' }, 'Identify'],
    ['g', { type: 'group', groupId: 'g' }, 'Group'],
    ['a', { type: 'alias', userId: 'u', previousId: 'v' }, 'Alias'],
  ])('to /%s is known by its path', async (path, message, name) => {
    const ingestion = testIngestion();
    const { type: _type, ...bare } = track(message);
    expect((await send(ingestion.app, post(path, bare))).status).toBe(200);
    expect(bodies(ingestion)).toMatchObject([{ event_name: name }]);
    const isSent = ['t', 'p', 's'].includes(path);
    expect(bodies(ingestion)[0]?.internal).toEqual(isSent ? undefined : { only_platforms: [] });
  });

  it('sent again is a success and one event', async () => {
    const ingestion = testIngestion();
    await send(ingestion.app, post('t', track()));
    expect((await send(ingestion.app, post('t', track({ properties: {} })))).status).toBe(200);
    expect(ingestion.events.rows()).toHaveLength(1);
  });

  it('neither displaces the event of a server under its id, nor learns of it', async () => {
    const ingestion = testIngestion();
    await send(ingestion.app, request('/v1/events', purchase({ event_id: 'ajs-next-1' })));
    const reply = await send(ingestion.app, post('t', track()));
    expect(reply.json).toEqual({ success: true });
    expect(bodies(ingestion).map((body) => [body?.channel, body?.value])).toEqual([
      ['server', 29.99],
      ['browser', 20],
    ]);
  });

  it.each([
    ['a header', 'application/json', {}],
    ['a beacon, which has no credential', 'text/plain;charset=UTF-8', { authorization: '' }],
    ['no type', '', {}],
  ])('comes with %s', async (_name, type, headers) => {
    const { app } = testIngestion();
    expect((await send(app, post('t', track(), { 'content-type': type, ...headers }))).status).toBe(200);
  });

  it('names the field that is wrong as the page wrote it', async () => {
    const ingestion = testIngestion();
    const reply = await send(ingestion.app, post('t', track({ properties: { revenue: -1 } })));
    expect(reply).toMatchObject({ status: 400, json: { details: [{ path: 'properties.revenue' }] } });
    expect(ingestion.events.rows()).toEqual([]);
  });
});

describe('the write key', () => {
  it('may come in the header alone', async () => {
    const { app } = testIngestion();
    expect((await send(app, post('t', track({ writeKey: undefined })))).status).toBe(200);
    const noBody = post('t', track({ writeKey: undefined }), { authorization: '' });
    const details = [{ path: 'writeKey', message: expect.stringContaining('merchant') as string }];
    expect(await send(app, noBody)).toMatchObject({ status: 400, json: { details } });
  });

  it.each([
    ['in the body', track({ writeKey: API_KEY }), {}],
    ['in the header', track(), { authorization: basic(API_KEY) }],
    ['as bearer', track(), { authorization: `Bearer ${API_KEY}` }],
    ['of a batch', batch([track()], API_KEY), {}],
    ['in a message of a batch', batch([track({ writeKey: API_KEY })]), {}],
  ])('that is secret is refused %s, says what to use, and is kept nowhere', async (_name, body, headers) => {
    const ingestion = testIngestion();
    const reply = await send(ingestion.app, post('batch' in body ? 'b' : 't', body, headers));
    expect(reply.status).toBe(400);
    const [{ path, message }] = reply.json.details as [{ path: string; message: string }];
    expect(path).toBe('writeKey');
    expect(message).toMatch(/secret.*merchant id/);
    const { events, counted, refusals, sent, rings } = ingestion;
    expect([events.rows(), sent, rings.size]).toEqual([[], [], 0]);
    expect(JSON.stringify([reply, counted, refusals])).not.toContain(API_KEY);
  });

  it('of a merchant there is not costs no write', async () => {
    const { app, rings } = testIngestion();
    const unknown = track({ writeKey: '8f14e45f-ceea-467f-a111-0000000000aa' });
    expect(await send(app, post('t', unknown))).toMatchObject(refusal(404, 'unknown_merchant'));
    expect(rings.size).toBe(0);
  });
});

describe('the rules of browser events', () => {
  it('say which pages may send, and whether any may', async () => {
    const off = withMerchant({ enabled: false });
    expect(await send(off.app, post('t', track()))).toMatchObject(refusal(403, 'browser_ingestion_disabled'));
    const strict = withMerchant({ origins: ['https://shop.example'] });
    const evil = post('t', track(), { origin: 'https://evil.example' });
    expect(await send(strict.app, evil)).toMatchObject(refusal(403, 'origin_not_allowed'));
    const own = post('t', track(), { origin: 'https://shop.example' });
    expect((await send(strict.app, own)).status).toBe(200);
    expect([off.events.rows().length, strict.events.rows().length]).toEqual([0, 1]);
  });

  it('limit an address to 30 in a minute; a batch of which a part was taken comes again whole', async () => {
    const ingestion = testIngestion();
    expect((await send(ingestion.app, post('b', batch(numbered(20))))).status).toBe(200);
    const over = await send(ingestion.app, post('b', batch(numbered(20, 20))));
    expect(over).toMatchObject(refusal(429, 'rate_limited'));
    expect(over.headers['retry-after']).toBe('60');
    expect(ingestion.events.rows()).toHaveLength(30);
    expect((await send(ingestion.app, post('t', track()))).status).toBe(429);
    ingestion.clock.advanceTo(NOW_MS + 60_000);
    const again = await send(ingestion.app, post('b', batch(numbered(20, 20))));
    expect(again).toMatchObject({ status: 200, json: { success: true } });
    expect(ingestion.events.rows()).toHaveLength(40);
  });

  it('hear Global Privacy Control, keep consent, mark bots, and let a page keep platforms out', async () => {
    const ingestion = testIngestion();
    const context = {
      consent: { categoryPreferences: { advertising: true, analytics: true, C0099: false } },
    };
    const integrations = { All: false, 'Facebook Pixel': true };
    const headers = { 'sec-gpc': '1', 'user-agent': 'HeadlessChrome' };
    await send(ingestion.app, post('t', track({ context, integrations }), headers));
    expect(bodies(ingestion)[0]).toMatchObject({
      consent: {
        ad_user_data: 'denied',
        ad_personalization: 'denied',
        ad_storage: 'denied',
        analytics: 'denied',
      },
      internal: { bot: true, only_platforms: ['meta'], unknown_consent: ['C0099'] },
    });
  });

  it('let no page say what only this service says', async () => {
    const ingestion = testIngestion();
    await send(ingestion.app, post('t', track({ internal: { replay: true }, merchant_id: 'x' })));
    expect(bodies(ingestion)[0]).not.toHaveProperty('internal');
  });

  it('bound a message, a batch and a request', async () => {
    const { app } = testIngestion();
    const large = (size: number) => track({ properties: { pad: 'x'.repeat(size) } });
    expect((await send(app, post('t', large(16_384)))).status).toBe(413);
    expect((await send(app, post('b', batch([large(70_000)])))).status).toBe(413);
    const mixed = await send(
      app,
      post('b', batch([large(15_000), large(16_384), track({ messageId: 'm-2' })])),
    );
    expect(mixed.json).toMatchObject({
      success: false,
      results: [{ status: 200 }, { status: 413 }, { status: 200 }],
    });
    for (const messages of [[], numbered(31)])
      expect(await send(app, post('b', batch(messages)))).toMatchObject({
        status: 400,
        json: { details: [{ path: 'batch' }] },
      });
  });
});

describe('a page of another origin', () => {
  it('may send the headers that the library adds, also with what it sends again', async () => {
    for (const path of ['t', 'b', 'batch']) {
      const { app } = testIngestion();
      const reply = await app({ ...post(path, ''), method: 'OPTIONS' });
      expect(reply.status).toBe(204);
      const allowed = reply.headers['access-control-allow-headers']?.split(', ');
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-retry-count']));
      expect(reply.headers['access-control-allow-origin']).toBe('*');
    }
  });

  it('hears from the function of servers that its address is another', async () => {
    const { app } = testIngestion({}, 'server');
    expect(await send(app, post('t', track()))).toMatchObject(refusal(421, 'misdirected_request'));
  });
});

it('a message that could not be stored is answered 503, so that it comes again', async () => {
  const { events } = testIngestion();
  const failing = testIngestion({
    events: { ...events, claim: () => Promise.reject(new Error('no answer')) },
  });
  for (const message of [post('t', track()), post('b', batch([track()]))])
    expect((await send(failing.app, message)).status).toBe(503);
});
