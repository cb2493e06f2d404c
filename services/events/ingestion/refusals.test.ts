// Which refusals the service counts, for which merchant, under which name, and with how many writes.
import { describe, expect, it } from 'vitest';
import { formatApiKey } from '#lib/core/tenancy/api-key.ts';
import { REFUSAL_REASONS, type RefusalName } from '#lib/events/domain/event/refusal.ts';
import { EVENTS_ERRORS } from '#lib/events/routes/errors.ts';
import {
  API_KEY,
  MERCHANT,
  NOW_MS,
  purchase,
  request,
  send,
  testIngestion,
  testMerchant,
} from '#test/support/ingestion.ts';

const DAY_MS = 86_400_000;
const LATER = 90_000;
const OTHER = '8f14e45f-ceea-467f-a111-00000000000f';
type Ingestion = ReturnType<typeof testIngestion>;

/** All counts so far, after a request that writes those that are due. */
async function countedOf({ app, clock, refusals }: Ingestion): Promise<Record<string, number>> {
  clock.advanceTo(clock.now() + LATER);
  // A function writes due counts with its next request of any kind: one request for each of the two functions.
  await send(app, { ...request('/v1/nothing', {}), method: 'GET' });
  await app({ ...request('/v1/pixel.js', ''), method: 'GET' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals.additions.every(({ merchantId }) => merchantId === MERCHANT)).toBe(true);
  return Object.fromEntries(await refusals.sum(MERCHANT, NOW_MS - DAY_MS, NOW_MS + DAY_MS));
}
const browser = (body: unknown, headers: Record<string, string> = {}) => ({
  ...request('/v1/browser/events', body, { authorization: '', ...headers }),
});
const ofShop = (overrides: Record<string, unknown> = {}) => purchase({ merchant_id: MERCHANT, ...overrides });
const basic = { authorization: `Basic ${Buffer.from(`${API_KEY}:`).toString('base64')}` };

it('counts codes of the catalogue only', () => {
  expect(REFUSAL_REASONS.filter((reason) => !Object.hasOwn(EVENTS_ERRORS, reason))).toEqual([]);
});

describe('a request with a key', () => {
  const events = [purchase(), purchase(), purchase({ event_id: '' }), 7, purchase({ event_id: 'b' })];
  const order = { type: 'track', event: 'Order Completed', userId: 'u', messageId: 'm1' };
  const negative = { event: 'A', userId: 'u', properties: { value: -1, currency: 'EUR' } };
  const batch = [
    order,
    order,
    { ...negative, type: 'track', messageId: 'm2' },
    { type: 'nonsense', messageId: 'm3' },
  ];
  it.each<[string, Parameters<typeof request>, Partial<Record<RefusalName, number>>]>([
    ['no JSON', ['/v1/events', '{'], { invalid_json: 1 }],
    ['no schema', ['/v1/events', purchase({ event_time: 'soon' })], { '.event_time': 1 }],
    ['a nested value', ['/v1/events', purchase({ items: [{ price: 'x' }] })], { '.items': 1 }],
    ['no object', ['/v1/events', [1]], { invalid_request: 1 }],
    ['another type', ['/v1/events', 'a', { 'content-type': 'text/csv' }], { unsupported_media_type: 1 }],
    ['too large', ['/v1/events', purchase({ referrer_url: 'x'.repeat(300_000) })], { payload_too_large: 1 }],
    ['another merchant', ['/v1/events', purchase({ merchant_id: OTHER })], { merchant_mismatch: 1 }],
    ['an empty batch', ['/v1/ingest', { events: [] }], { '.events': 1 }],
    [
      'a batch of good and bad',
      ['/v1/ingest', { events }],
      { duplicate_event: 1, '.event_id': 1, invalid_request: 1 },
    ],
    [
      "a batch of Segment's, of which a duplicate is a success",
      ['/v1/batch', { batch }, basic],
      { '.value': 1, '.type': 1 },
    ],
    ["a call of Segment's", ['/v1/track', negative, basic], { '.value': 1 }],
  ])('counts %s', async (_, message, expected) => {
    const ingestion = testIngestion();
    await send(ingestion.app, request(...message));
    expect(await countedOf(ingestion)).toEqual(expected);
  });

  it('counts a duplicate, a key that may not, and one that has ended', async () => {
    const ingestion = testIngestion();
    const [reads, revoked] = [1, 2].map((fill) => formatApiKey('evk_live', new Uint8Array(32).fill(fill)));
    ingestion.addKey(reads ?? '', ['events:read' as never]);
    ingestion.addKey(revoked ?? '', ['events:write'], NOW_MS - 1);
    for (const _ of [1, 2]) await send(ingestion.app, request('/v1/events', purchase()));
    for (const key of [reads, revoked])
      await send(ingestion.app, request('/v1/events', purchase(), { authorization: `Bearer ${key}` }));
    expect(await countedOf(ingestion)).toEqual({ duplicate_event: 1, forbidden: 1, unauthorized: 1 });
  });

  it('counts nothing for an unknown key or none, nor for a path, method or failure', async () => {
    const pick = () => {
      throw new Error('down');
    };
    const ingestion = testIngestion({ shards: { pick } as never });
    const { app } = ingestion;
    const stranger = formatApiKey('evk_live', new Uint8Array(32).fill(9));
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${stranger}`])
      expect((await send(app, request('/v1/events', '{', { authorization }))).status).toBe(401);
    expect((await send(app, { ...request('/v1/events', ''), method: 'GET' })).status).toBe(405);
    expect((await send(app, request('/v1/eventz', '{'))).status).toBe(404);
    expect((await send(app, request('/v1/events', purchase()))).status).toBe(503);
    expect(await countedOf(ingestion)).toEqual({});
    expect(ingestion.refusals.additions).toEqual([]);
  });
});

describe('a request of a browser', () => {
  it('counts what is wrong, what the limit refuses, and what is of another merchant', async () => {
    const ingestion = testIngestion();
    const { app } = ingestion;
    await send(app, browser(ofShop({ event_time: 'soon' })));
    const events = Array.from({ length: 30 }, (_, i) => purchase({ event_id: `e${i}` }));
    await send(app, browser({ merchant_id: MERCHANT.toUpperCase(), events: events.slice(1) }));
    const foreign = { ...events[0], merchant_id: OTHER };
    await send(app, browser({ merchant_id: MERCHANT, events: [foreign, events[1]] }));
    await send(app, browser(ofShop({ event_id: 'x' })));
    expect(await countedOf(ingestion)).toEqual({ '.event_time': 1, merchant_mismatch: 1, rate_limited: 2 });
  });

  it.each<[string, Parameters<typeof testMerchant>[0], RefusalName]>([
    ['a merchant that takes none', { enabled: false }, 'browser_ingestion_disabled'],
    ['an origin that is not listed', { origins: ['https://shop.example'] }, 'origin_not_allowed'],
    ['a ceiling', { eventsPerMinuteMax: 0 }, 'browser_limit_reached'],
  ])('counts %s', async (_, settings, reason) => {
    const config = { apiKey: async () => null, merchant: async () => testMerchant(settings) };
    const ingestion = testIngestion({ config });
    await send(ingestion.app, browser(ofShop()));
    expect(await countedOf(ingestion)).toEqual({ [reason]: 1 });
  });

  it('counts nothing for a merchant that does not exist, or is none', async () => {
    const ingestion = testIngestion();
    for (const merchant_id of [OTHER, 'constructor', 7, undefined])
      for (const event_time of [NOW_MS / 1_000, 'soon'])
        await send(ingestion.app, browser(purchase({ merchant_id, event_time })));
    await send(ingestion.app, browser('{'));
    expect(await countedOf(ingestion)).toEqual({});
    expect(ingestion.refusals.additions).toEqual([]);
  });
});

describe('what it costs', () => {
  it('an accepted request makes no call for it', async () => {
    const ingestion = testIngestion();
    for (let i = 0; i < 50; i++) {
      ingestion.clock.advanceTo(NOW_MS + i * 10_000);
      await send(ingestion.app, request('/v1/events', purchase({ event_id: `e${i}` })));
    }
    expect(ingestion.refusals.additions).toEqual([]);
  });

  it('a thousand refused requests in a minute make one write at once, and one that a later request carries', async () => {
    const ingestion = testIngestion();
    const { app, clock, refusals } = ingestion;
    for (let i = 0; i < 1_000; i++) {
      clock.advanceTo(NOW_MS + i * 59);
      await send(app, request('/v1/events', '{'));
      expect(refusals.additions).toHaveLength(1);
    }
    clock.advanceTo(NOW_MS + LATER);
    expect((await send(app, request('/v1/events', purchase()))).status).toBe(202);
    expect(refusals.additions).toHaveLength(2);
    expect(await countedOf(ingestion)).toEqual({ invalid_json: 1_000 });
    expect(refusals.additions).toHaveLength(2);
  });

  it('a store that hangs or fails keeps nobody from an answer, and what is counted is not sent', async () => {
    for (const add of [() => new Promise<void>(() => {}), () => Promise.reject(new Error('down'))]) {
      const { app } = testIngestion({ refusals: { add } });
      const reply = await app(request('/v1/events', '{'));
      expect(reply.status).toBe(400);
      expect(Object.keys(reply).sort()).toEqual(['body', 'facts', 'headers', 'status']);
    }
  });
});
