// Promise: code written for Segment's libraries sends here by a change of host and write key, and what is sent again is
// one event.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { API_KEY, MERCHANT, request, send, testIngestion } from '#test/support/ingestion.ts';

const basic = (user: string, password = '') =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const WRITE_KEY = { authorization: basic(API_KEY) };
const track = (overrides: Record<string, unknown> = {}) => ({
  type: 'track',
  messageId: 'm-1',
  event: 'Order Completed',
  userId: 'u-1',
  timestamp: '2026-11-21T11:59:00.000Z',
  properties: { order_id: 'o-1', revenue: 20, currency: 'USD' },
  ...overrides,
});
const post = (path: string, body: unknown, headers: Record<string, string> = WRITE_KEY) =>
  request(path, body, headers);
const stored = (app: ReturnType<typeof testIngestion>, eventId: string) =>
  app.events.read({ merchantId: MERCHANT, channel: 'server', eventId });

describe('the write key', () => {
  it.each([
    ['as user of Basic', basic(API_KEY), 200],
    ['with a password that is ignored', basic(API_KEY, 'x'), 200],
    ['as bearer', `Bearer ${API_KEY}`, 200],
    ['of nobody', basic('evk_live_nobody'), 401],
    ['empty', basic(''), 401],
    ['not base64', 'Basic ****', 401],
    ['none', '', 401],
  ])('%s', async (_name, authorization, status) => {
    const { app } = testIngestion();
    expect((await send(app, post('/v1/track', track(), { authorization }))).status).toBe(status);
  });

  it('is no way to authenticate elsewhere', async () => {
    const { app } = testIngestion();
    expect((await send(app, post('/v1/ingest', {}))).status).toBe(401);
  });
});

describe('a single call', () => {
  it('is accepted as the event it describes', async () => {
    const ingestion = testIngestion();
    const reply = await send(ingestion.app, post('/v1/track', track()));
    expect([reply.status, reply.json]).toEqual([200, { success: true }]);
    expect(await stored(ingestion, 'm-1')).toMatchObject({
      state: 'accepted',
      body: { event_name: 'Order Completed', source: 'segment', value: 20, order_id: 'o-1' },
    });
    expect(ingestion.sent).toHaveLength(1);
  });

  it('sent again is a success and one event, even where it says something else', async () => {
    const { app, sent } = testIngestion();
    await send(app, post('/v1/track', track()));
    const again = await send(app, post('/v1/track', track({ properties: {} })));
    expect([again.status, again.json]).toEqual([200, { success: true }]);
    expect(sent).toHaveLength(1);
  });

  it.each([
    [{ userId: null }, 'userId'],
    [{ event: '' }, 'event'],
    [{ properties: { revenue: -1, currency: 'USD' } }, 'properties.revenue'],
    [{ properties: { revenue: 1, currency: 'nothing' } }, 'properties.currency'],
    [{ messageId: 'a\u0001b' }, 'messageId'],
    [{ timestamp: 'soon' }, 'timestamp'],
    [{ context: { traits: { email: { a: 1 } } } }, 'context.traits.email'],
    [
      { properties: { products: [{ sku: 'a' }, { sku: 'b', quantity: 0 }] } },
      'properties.products.1.quantity',
    ],
  ])('%j is refused with the name its sender gave the field', async (wrong, path) => {
    const ingestion = testIngestion();
    const reply = await send(ingestion.app, post('/v1/track', track(wrong)));
    expect(reply.status).toBe(400);
    expect(reply.json.details).toContainEqual(expect.objectContaining({ path }));
    expect(ingestion.sent).toEqual([]);
  });

  it('that says who somebody is reaches no platform', async () => {
    const ingestion = testIngestion();
    const identify = { messageId: 'i-1', userId: 'u', traits: { email: 'a@b.example' } };
    expect((await send(ingestion.app, post('/v1/identify', identify))).status).toBe(200);
    expect(await stored(ingestion, 'i-1')).toMatchObject({
      body: { event_name: 'Identify', internal: { only_platforms: [] } },
    });
  });

  it('with a refusal under an unknown name is withheld from everybody, and says which', async () => {
    const connections = PLATFORMS.map(({ slug }) => ({ id: slug, platform: slug }));
    const sent = async (isAllowed: boolean) => {
      const ingestion = testIngestion();
      const person = {
        ip: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (X11)',
        traits: { email: 'a@example.com' },
      };
      const context = {
        ...person,
        page: { url: 'https://shop.example/' },
        consent: { categoryPreferences: { C0099: isAllowed } },
      };
      await send(ingestion.app, post('/v1/track', track({ context })));
      const row = await stored(ingestion, 'm-1');
      if (row?.state !== 'accepted') throw new Error('not stored');
      const routing = { merchantId: MERCHANT, version: 1, connections, rules: [] };
      const lookups = { nationalPhone: () => null, countryCode: () => null, regionCode: () => null };
      const { event, verdicts } = normalizeEvent(row, routing, PLATFORMS, lookups);
      return { issues: event.issues, verdicts: PLATFORMS.map(({ slug }) => verdicts[slug]) };
    };
    const refused = await sent(false);
    expect(refused.issues).toEqual([{ field: 'C0099', code: 'unknown_consent' }]);
    expect(refused.verdicts.filter((verdict) => verdict?.startsWith('consent_denied') !== true)).toEqual([]);
    const allowed = await sent(true);
    expect(allowed.issues).toEqual([]);
    const pending = allowed.verdicts.filter((verdict) => verdict === 'pending');
    expect(pending.length).toBeGreaterThan(PLATFORMS.length / 2);
  });

  it('cannot smuggle in what only this service says', async () => {
    const ingestion = testIngestion();
    const hostile = track({ internal: { bot: true }, properties: { internal: { replay: true } } });
    await send(ingestion.app, post('/v1/track', hostile));
    expect(await stored(ingestion, 'm-1')).not.toHaveProperty('body.internal');
  });
});

describe('what a client says of its body', () => {
  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream', 'nonsense', ''])(
    'is not looked at: %j',
    async (type) => {
      const headers = { ...WRITE_KEY, 'content-type': type };
      const plain = testIngestion();
      expect((await send(plain.app, post('/v1/track', track(), headers))).status).toBe(200);
      expect(plain.sent).toHaveLength(1);
      const packed = { ...post('/v1/batch', '', { ...headers, 'content-encoding': 'gzip' }) };
      const body = gzipSync(JSON.stringify({ batch: [track()] }));
      expect((await send(testIngestion().app, { ...packed, body })).json).toMatchObject({ success: true });
      expect((await send(plain.app, post('/v1/track', 'event=A&userId=u', headers))).status).toBe(400);
      const anonymous = { ...headers, authorization: '' };
      expect((await send(plain.app, post('/v1/track', track(), anonymous))).status).toBe(401);
      expect((await send(plain.app, post('/v1/events', '{}', { 'content-type': type }))).status).toBe(415);
    },
  );
});

describe('the short paths of RudderStack', () => {
  it.each([
    ['/v1/t', track(), 'Order Completed'],
    ['/v1/p', { messageId: 'm-1', userId: 'u', name: 'Home' }, 'PageView'],
    ['/v1/s', { messageId: 'm-1', userId: 'u', name: 'Cart' }, 'PageView'],
    ['/v1/i', { messageId: 'm-1', userId: 'u' }, 'Identify'],
    ['/v1/g', { messageId: 'm-1', userId: 'u', groupId: 'g' }, 'Group'],
    ['/v1/a', { messageId: 'm-1', userId: 'u', previousId: 'v' }, 'Alias'],
    ['/v1/b', { batch: [track()] }, 'Order Completed'],
    ['/v1/import', { batch: [track()] }, 'Order Completed'],
  ])('%s', async (path, body, name) => {
    const ingestion = testIngestion();
    expect((await send(ingestion.app, post(path, body))).status).toBe(200);
    expect(await stored(ingestion, 'm-1')).toMatchObject({ body: { event_name: name } });
    expect((await send(ingestion.app, { ...post(path, body), method: 'GET' })).status).toBe(405);
  });
});

describe('a batch', () => {
  const batch = (...messages: readonly unknown[]) => ({ batch: messages, sentAt: '2026-11-21T12:00:00Z' });

  it('takes every message for itself', async () => {
    const ingestion = testIngestion();
    const nameless = track({ messageId: 'm-2', event: undefined });
    const body = batch(track(), 7, nameless, track({ messageId: 'm-3' }));
    const reply = await send(ingestion.app, post('/v1/batch', body));
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      success: false,
      results: [
        { event_id: 'm-1', status: 200 },
        { event_id: null, status: 400 },
        { event_id: 'm-2', status: 400, details: [{ path: 'event' }] },
        { event_id: 'm-3', status: 200 },
      ],
    });
    const rows = ['m-1', 'm-3'].map((id) => ['s', id]);
    expect(ingestion.sent).toEqual([{ merchant: MERCHANT, rows }]);
  });

  it('sent again is a success without a second event', async () => {
    const { app, sent } = testIngestion();
    const body = batch(track(), track({ messageId: 'm-2' }));
    await send(app, post('/v1/batch', body));
    expect((await send(app, post('/v1/batch', body))).json).toMatchObject({ success: true });
    expect(sent).toHaveLength(1);
  });

  it('is answered 503 with Retry-After where one message could not be stored, so that it comes again', async () => {
    const { events } = testIngestion();
    const claim: typeof events.claim = (row) =>
      row.key.eventId === 'm-2' ? Promise.reject(new Error('no answer')) : events.claim(row);
    const failing = testIngestion({ events: { ...events, claim } });
    const reply = await send(failing.app, post('/v1/batch', batch(track(), track({ messageId: 'm-2' }))));
    expect(reply.status).toBe(503);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['no list', {}],
    ['an empty list', { batch: [] }],
    ['too many', { batch: Array.from({ length: 501 }, (_, i) => track({ messageId: `m-${i}` })) }],
  ])('%s is refused', async (_name, body) => {
    const { app, sent } = testIngestion();
    const reply = await send(app, post('/v1/batch', body));
    expect([reply.status, sent]).toEqual([400, []]);
    expect(reply.json.details).toEqual([expect.objectContaining({ path: 'batch' })]);
  });

  it('one message that is no JSON spoils itself alone', async () => {
    const { app } = testIngestion();
    const text = JSON.stringify(batch(track(), 'x')).replace('"x"', '{"messageId": 01}');
    const reply = await send(app, post('/v1/batch', text));
    expect(reply.json).toMatchObject({ results: [{ status: 200 }, { status: 400, code: 'invalid_json' }] });
  });
});
