import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/x/examples.ts';
import { sampleEvent, sha256, strangersPageView } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { HttpResult } from '../platform.ts';
import x from './index.ts';

const credentials = x.credentials.parse(examples[0]?.credentials);
const NOW_MS = 1_795_176_060_000;
const context = { test: false, nowMs: NOW_MS, nonce: 'nonce' };
const conversion = (event: NormalizedEvent) =>
  JSON.parse(x.buildRequest([event], credentials, context).body).conversions[0];

describe('the credentials', () => {
  const { pixel_id, event_ids, ...keys } = credentials;
  const base = { pixel_id, event_ids };

  it.each<[object, boolean]>([
    [{ ...base, ...keys }, true],
    [{ ...base, pixel_token: 'pixel-token-1' }, true],
    [{ ...base, ...keys, pixel_token: 'pixel-token-1' }, true],
    [base, false],
    [{ ...base, ...keys, access_token_secret: undefined }, false],
    [{ ...base, consumer_key: 'consumer-key', pixel_token: 'pixel-token-1' }, false],
    [{ ...base, ...keys, pixel_id: 'OKA/17' }, false],
    [{ ...base, ...keys, event_ids: { Purchase: 'tw-oka17' } }, false],
  ])('%j are valid: %s', (given, valid) => expect(x.credentials.safeParse(given).success).toBe(valid));

  it('sign where they can, with time and nonce of the caller', () => {
    const both = { ...credentials, pixel_token: 'pixel-token-1' };
    const { headers, secrets } = x.buildRequest([sampleEvent()], both, context);
    expect(headers).not.toHaveProperty('x-pixel-token');
    expect(headers.authorization).toContain('oauth_timestamp="1795176060"');
    expect(secrets).toHaveLength(3);
    expect(() => x.buildRequest([sampleEvent()], credentials, { test: false })).toThrow(RangeError);
    expect(() => x.buildRequest([sampleEvent()], credentials, { ...context, test: true })).toThrow(
      RangeError,
    );
  });
});

describe('the request', () => {
  it('groups by event id, so that a missing one hurts nobody else', () => {
    const key = (name: 'Purchase' | 'Lead' | 'Contact') => x.groupKey?.(sampleEvent({ name }), credentials);
    expect(key('Purchase')).toBe('ol113');
    expect(key('Lead')).toBe('tw-oka17-ol288');
    expect(key('Contact')).toBe(key('Lead'));
  });

  it('carries the value as text and prices as numbers, in their own digits', () => {
    const items = [{ id: 'a', quantity: '2', price: '1.005' }];
    const event = sampleEvent({ value: '2.010', currency: 'KWD', items });
    const { body } = x.buildRequest([event], credentials, context);
    expect(body).toContain('"value":"2.010","price_currency":"KWD","number_items":2');
    expect(body).toContain('"content_price":1.005');
  });

  it('counts pieces only', () => {
    const half = [
      { id: 'a', quantity: '1', price: '1' },
      { id: 'b', quantity: '0.5', price: '1' },
    ];
    expect(conversion(sampleEvent({ items: half }))).not.toHaveProperty('number_items');
    expect(conversion(sampleEvent({ items: half })).contents).toEqual([
      { content_id: 'a', content_price: 1, num_items: 1 },
      { content_id: 'b', content_price: 1 },
    ]);
  });

  it('names what was looked for, and events of one’s own', () => {
    const event = sampleEvent({
      name: 'Custom',
      customName: 'Quiz done',
      customData: { search_string: 'shoes' },
    });
    expect(conversion(event)).toMatchObject({
      event_id: 'tw-oka17-ol288',
      description: 'Quiz done',
      search_string: 'shoes',
    });
    expect(conversion(sampleEvent({ customData: { search_string: { a: 1 } } }))).not.toHaveProperty(
      'search_string',
    );
  });

  it('hashes the phone with its plus, as in X’s example', () => {
    expect(sha256('+11234567890')).toBe('1fa6b8d986d9b9cd01bf36951815158bbde9f520c0567c835dfe34783d0a4231');
    const hashed = { phoneE164: sha256('+11234567890') };
    expect(conversion(sampleEvent({ hashed, raw: {} })).identifiers).toEqual([
      { hashed_phone_number: '1fa6b8d986d9b9cd01bf36951815158bbde9f520c0567c835dfe34783d0a4231' },
    ]);
  });

  it('never lets an address or a browser stand alone', () => {
    const hashed = { emailPlain: 'a'.repeat(64) };
    const [clientIp, userAgent] = ['203.0.113.7', 'Mozilla/5.0'];
    const sent = (raw: object, who: object = hashed) =>
      conversion(sampleEvent({ hashed: who, raw })).identifiers;
    const email = { hashed_email: 'a'.repeat(64) };
    expect(sent({ clientIp })).toEqual([email]);
    expect(sent({ userAgent })).toEqual([email]);
    expect(sent({ clientIp, userAgent })).toEqual([email, { ip_address: clientIp, user_agent: userAgent }]);
    for (const raw of [{ clientIp }, { userAgent }])
      expect(x.unsendable(sampleEvent({ hashed: {}, raw }))).toEqual({
        verdict: 'invalid',
        detail: 'user_data',
      });
    expect(x.unsendable(sampleEvent({ hashed: {}, raw: { clientIp, userAgent } }))).toBeNull();
  });

  it('leaves out the click id when storage was denied', () => {
    const raw = { browserIds: { twclid: 't' } };
    expect(conversion(sampleEvent({ raw })).identifiers[0]).toEqual({ twclid: 't' });
    expect(conversion(sampleEvent({ raw, consent: { ad_storage: 'denied' } })).identifiers).toHaveLength(2);
  });
});

describe('what is not sent', () => {
  it('is what has no event id, and what nobody can be matched by', () => {
    for (const name of ['Refund', 'AppInstall', 'RemoveFromCart'] as const)
      expect(x.unsendable(sampleEvent({ name }))).toEqual({ verdict: 'unmapped', detail: name });
    const only = { ...credentials, event_ids: { Purchase: 'ol1' } };
    expect(x.unsendable(sampleEvent({ name: 'Lead' }), only)).toEqual({
      verdict: 'unmapped',
      detail: 'Lead',
    });
    expect(x.unsendable(strangersPageView())).toBeNull();
    for (const raw of [{ clientIp: '203.0.113.7' }, { userAgent: 'x' }, {}])
      expect(x.unsendable(strangersPageView({ raw }))?.detail).toBe('user_data');
  });
});

describe('the answer', () => {
  const events = [sampleEvent({ dedupId: 'a' }), sampleEvent({ dedupId: 'b' })];
  const read = (status: number, body: unknown, headers: Record<string, string> = {}, sent = events) => {
    const result: HttpResult = { kind: 'response', status, headers, body: JSON.stringify(body) };
    return x.readResponse(result, sent);
  };
  const error = (status: number, code: unknown, more: object = {}) =>
    read(status, { errors: [{ code, message: 'm', ...more }], request: { params: {} } });

  it.each([
    [400, 'INVALID_PARAMETER', 'batch_refused'],
    [400, 'MISSING_PARAMETER', 'batch_refused'],
    [404, 'WEB_EVENT_TAG_NOT_FOUND', 'permanent'],
    [404, 'NOT_FOUND', 'auth'],
    [404, 'ROUTE_NOT_FOUND', 'auth'],
    [401, 'UNAUTHORIZED_ACCESS', 'auth'],
    [403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'auth'],
    [403, 'ACCOUNT_NOT_FOUND', 'auth'],
    [408, 'CANCELLED_REQUEST', 'retry'],
    [423, 'LOCK_ACQUISITION_TIMEOUT', 'retry'],
    [500, 'INTERNAL_ERROR', 'retry'],
    [503, 'OVER_CAPACITY', 'retry'],
    [429, 'TOO_MANY_REQUESTS', 'rate_limited'],
    [200, 'INVALID_PARAMETER', 'retry'],
  ])('%i %s means %s', (status, code, kind) => {
    expect(error(status, code)).toEqual(
      events.map(() => expect.objectContaining({ kind, code: `x.${code}`, message: 'm' })),
    );
  });

  it('keeps codes of other forms out', () => {
    expect(error(401, 89)[0]).toMatchObject({ kind: 'auth', code: 'http_401' });
    expect(error(400, 'not a code!')[0]).toMatchObject({ kind: 'batch_refused', code: 'http_400' });
    expect(read(400, { errors: [] })[0]).toMatchObject({ kind: 'batch_refused', code: 'http_400' });
  });

  it('says when the window ends', () => {
    const date = 'Fri, 20 Nov 2026 12:01:00 GMT';
    const wait = (headers: Record<string, string>) =>
      read(429, { errors: [{ code: 'TOO_MANY_REQUESTS' }] }, headers)[0]?.retryAfterSec;
    expect(wait({ date, 'x-rate-limit-reset': '1795176090' })).toBe(30);
    expect(
      wait({ date, 'x-rate-limit-reset': '1795176090', 'x-account-rate-limit-reset': '1795176200' }),
    ).toBe(140);
    expect(wait({ date, 'x-rate-limit-reset': '1795176090', 'retry-after': '5' })).toBe(5);
    expect(wait({ 'x-rate-limit-reset': '1795176090' })).toBeUndefined();
    expect(wait({ date, 'x-rate-limit-reset': '9' })).toBeUndefined();
  });

  it('is a delivery only when all were processed', () => {
    const processed = (conversions_processed: unknown) => read(200, { data: { conversions_processed } })[0];
    expect(processed(2)).toEqual({ kind: 'delivered' });
    expect(processed(1)).toMatchObject({ kind: 'retry', code: 'wrong_count', maybeDelivered: true });
    expect(processed('many')).toMatchObject({ kind: 'retry', code: 'unreadable_answer' });
  });
});
