import { describe, expect, it } from 'vitest';
import {
  BROWSER,
  MERCHANT,
  NOW_MS,
  purchase,
  request,
  send,
  testIngestion,
  testMerchant,
} from '../../../test/support/ingestion.ts';

const fromBrowser = (body: unknown, headers: Record<string, string> = {}) => {
  const message = request('/v1/browser/events', body, {
    'user-agent': BROWSER,
    'content-type': 'text/plain',
    ...headers,
  });
  const { authorization: _, ...open } = message.headers as Record<string, string>;
  return { ...message, headers: open };
};
const view = (id: string, extra: Record<string, unknown> = {}) =>
  purchase({ event_id: id, merchant_id: MERCHANT, user_data: {}, ...extra });

describe('POST /v1/browser/events', () => {
  it('accepts without a credential, fills address and agent from the request, allows any origin', async () => {
    const { app, events } = testIngestion();
    const reply = await send(app, fromBrowser(view('v1')));
    expect(reply.status).toBe(202);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const [row] = events.rows();
    expect(row).toMatchObject({
      key: { channel: 'browser' },
      body: { source: 'browser', user_data: { client_ip: '203.0.113.7', user_agent: BROWSER } },
    });
  });

  it('answers an unknown, a disabled and a foreign-origin merchant like any other, and stores nothing', async () => {
    const { app, events } = testIngestion();
    const known = await send(app, fromBrowser(view('v1')));
    const unknown = await send(
      app,
      fromBrowser(view('v1', { merchant_id: '8f14e45f-ceea-467f-a111-0000000000aa' })),
    );
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: known.status,
      body: known.body,
    });
    expect(events.rows()).toHaveLength(1);
    const strict = testIngestion({
      config: {
        apiKey: async () => null,
        merchant: async () => testMerchant({ origins: ['https://shop.example'] }),
      },
    });
    expect((await send(strict.app, fromBrowser(view('v1'), { origin: 'https://evil.example' }))).status).toBe(
      202,
    );
    expect(strict.events.rows()).toHaveLength(0);
    await send(strict.app, fromBrowser(view('v1'), { origin: 'https://shop.example' }));
    expect(strict.events.rows()).toHaveLength(1);
  });

  it('keeps what headless browsers send, marked, and merchants cannot mark events themselves', async () => {
    const { app, events } = testIngestion();
    expect((await send(app, fromBrowser(view('v1'), { 'user-agent': 'HeadlessChrome' }))).status).toBe(202);
    await send(app, fromBrowser(view('v2', { internal: { bot: true, only_platforms: [] } })));
    const rows = events.rows().map((row) => row.state === 'accepted' && row.body.internal);
    expect(rows).toEqual([{ bot: true }, undefined]);
  });

  it('grants 30 in any minute, tells the rest when to come back, and grants again', async () => {
    const { app, clock } = testIngestion();
    const batch = (from: number, count: number) => ({
      merchant_id: MERCHANT,
      events: Array.from({ length: count }, (_, i) => view(`v${from + i}`)),
    });
    const first = await send(app, fromBrowser(batch(0, 20)));
    expect(first.headers['ratelimit-remaining']).toBe('10');
    const second = await send(app, fromBrowser(batch(20, 20)));
    const statuses = (second.json.results as { status: number }[]).map((r) => r.status);
    expect(statuses).toEqual([...Array(10).fill(202), ...Array(10).fill(429)]);
    const third = await send(app, fromBrowser(view('v99')));
    expect(third.status).toBe(429);
    expect(third.headers['retry-after']).toBe('60');
    clock.advanceTo(NOW_MS + 60_000);
    expect((await send(app, fromBrowser(view('v99')))).status).toBe(202);
  });

  it('never blocks a server event, and yields to one', async () => {
    const { app, events } = testIngestion();
    expect((await send(app, fromBrowser(view('order-1')))).status).toBe(202);
    expect((await send(app, request('/v1/events', purchase()))).status).toBe(202);
    expect(events.rows()).toHaveLength(2);
    expect((await send(app, request('/v1/events', purchase({ event_id: 'order-2' })))).status).toBe(202);
    expect((await send(app, fromBrowser(view('order-2')))).status).toBe(409);
  });

  it.each([
    ['nothing', undefined],
    ['everything granted', { ad_user_data: 'granted', ad_personalization: 'granted', ad_storage: 'granted' }],
    ['a part', { ad_storage: 'granted', analytics: 'granted' }],
  ])(
    'takes Global Privacy Control for a refusal of advertising where the page stated %s',
    async (_said, consent) => {
      const { app, events } = testIngestion();
      const refused = { ad_user_data: 'denied', ad_personalization: 'denied', ad_storage: 'denied' };
      const stated = consent === undefined ? {} : { consent };
      await send(app, fromBrowser(view('alone', stated), { 'sec-gpc': '1' }));
      await send(
        app,
        fromBrowser({ merchant_id: MERCHANT, events: [view('in a batch', stated)] }, { 'sec-gpc': '1' }),
      );
      const bodies = events.rows().map((row) => row.state === 'accepted' && row.body.consent);
      expect(bodies).toEqual([
        { ...consent, ...refused },
        { ...consent, ...refused },
      ]);
    },
  );

  it.each(['0', '', 'true', '1, 1'])('hears no refusal in Sec-GPC: %s', async (value) => {
    const { app, events } = testIngestion();
    const consent = { ad_user_data: 'granted' };
    await send(app, fromBrowser(view('v1', { consent }), { 'sec-gpc': value }));
    expect(events.rows()[0]).toMatchObject({ body: { consent } });
  });

  it('hears none from a server, whose headers are not those of a person', async () => {
    const { app, events } = testIngestion();
    await send(
      app,
      request('/v1/events', purchase({ consent: { ad_storage: 'granted' } }), { 'sec-gpc': '1' }),
    );
    expect(events.rows()[0]).toMatchObject({ body: { consent: { ad_storage: 'granted' } } });
  });

  it.each([
    ['no merchant', { ...view('v'), merchant_id: undefined }],
    ['a merchant that is no UUID', view('v', { merchant_id: 'shop' })],
    ['an empty batch', { merchant_id: MERCHANT, events: [] }],
    ['31 events', { merchant_id: MERCHANT, events: Array.from({ length: 31 }, (_, i) => view(`v${i}`)) }],
  ])('400 for %s, at no cost to the allowance', async (_name, body) => {
    const { app } = testIngestion();
    expect((await send(app, fromBrowser(body))).status).toBe(400);
    expect((await send(app, fromBrowser(view('next')))).headers['ratelimit-remaining']).toBe('29');
  });

  it('answers the preflight', async () => {
    const { app } = testIngestion();
    const reply = await app({ ...fromBrowser(''), method: 'OPTIONS' });
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('POST'),
    });
  });
});

describe('GET /v1/pixel.js', () => {
  it('is cacheable and revalidates', async () => {
    const { app } = testIngestion();
    const message = { ...request('/v1/pixel.js', ''), method: 'GET' };
    const reply = await app(message);
    expect(reply).toMatchObject({ status: 200, body: 'pixel()' });
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=300, s-maxage=3600',
      'content-type': 'text/javascript; charset=utf-8',
      etag: '"abc"',
    });
    const again = await app({ ...message, headers: { 'if-none-match': 'W/"abc"' } });
    expect(again).toMatchObject({ status: 304, body: '' });
  });
});
