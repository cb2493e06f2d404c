import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/x/examples.ts';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import x from './index.ts';

const credentials = x.credentials.parse(examples[0]?.credentials);
const NOW_MS = 1_795_176_060_000;
const context = { test: false, nowMs: NOW_MS, nonce: 'nonce' };
const conversion = (event: OutgoingEvent) =>
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
  });
});

describe('the request', () => {
  it('groups by event id, so that a missing one hurts nobody else', () => {
    const key = (name: 'Purchase' | 'Lead' | 'Contact') => x.groupKey?.(sampleEvent({ name }), credentials);
    expect(key('Purchase')).toBe('ol113');
    expect(key('Lead')).toBe('tw-oka17-ol288');
    expect(key('Contact')).toBe(key('Lead'));
  });

  it('names what was looked for, and events of one’s own', () => {
    const customData = { search_string: 'shoes' };
    const event = sampleEvent({ name: 'Custom', customName: 'Quiz done', customData });
    const named = { event_id: 'tw-oka17-ol288', description: 'Quiz done' };
    expect(conversion(event)).toMatchObject({ ...named, ...customData });
    const odd = conversion(sampleEvent({ customData: { search_string: { a: 1 } } }));
    expect(odd).not.toHaveProperty('search_string');
  });

  it('lets an address or a browser go beside another identifier, and never alone', () => {
    const hashed = { emailPlain: 'a'.repeat(64) };
    const [clientIp, userAgent] = ['203.0.113.7', 'Mozilla/5.0'];
    const sent = (raw: object, who: object = hashed) =>
      conversion(sampleEvent({ hashed: who, raw })).identifiers;
    const email = { hashed_email: 'a'.repeat(64) };
    expect(sent({ clientIp })).toEqual([email, { ip_address: clientIp }]);
    expect(sent({ userAgent })).toEqual([email, { user_agent: userAgent }]);
    expect(sent({ clientIp, userAgent })).toEqual([email, { ip_address: clientIp, user_agent: userAgent }]);
    for (const raw of [{ clientIp }, { userAgent }])
      expect(x.unsendable(sampleEvent({ hashed: {}, raw }))).toEqual(invalid('user_data'));
    expect(x.unsendable(sampleEvent({ hashed: {}, raw: { clientIp, userAgent } }))).toBeNull();
  });
});

describe('what is not sent', () => {
  it('is what has no event id, and what nobody can be matched by', () => {
    const only = { ...credentials, event_ids: { Purchase: 'ol1' } };
    const lead = x.unsendable(sampleEvent({ name: 'Lead' }), only);
    expect(lead).toEqual({ verdict: 'unmapped', detail: 'Lead' });
    expect(x.unsendable(strangersPageView())).toBeNull();
    for (const raw of [{ clientIp: '203.0.113.7' }, { userAgent: 'x' }, {}])
      expect(x.unsendable(strangersPageView({ raw }))?.detail).toBe('user_data');
  });
});

describe('the answer', () => {
  const events = sampleEvents('a', 'b');
  const { read } = answersOf(x, events, {});
  const error = (status: number, code: unknown, more: object = {}) =>
    read(status, { errors: [{ code, message: 'm', ...more }], request: { params: {} } });

  it.each([
    [400, 'INVALID_PARAMETER', 'batch_refused'],
    [400, 'MISSING_PARAMETER', 'batch_refused'],
    [404, 'WEB_EVENT_TAG_NOT_FOUND', 'retry'],
    [403, 'ACCOUNT_NOT_FOUND', 'auth'],
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
    const wait = (headers: Record<string, string>) => {
      const limited = answersOf(x, events, headers);
      return limited.read(429, { errors: [{ code: 'TOO_MANY_REQUESTS' }] })[0]?.retryAfterSec;
    };
    const reset = { 'x-rate-limit-reset': '1795176090' };
    expect(wait({ date, ...reset })).toBe(30);
    expect(wait({ date, ...reset, 'x-account-rate-limit-reset': '1795176200' })).toBe(140);
    expect(wait({ date, ...reset, 'retry-after': '5' })).toBe(5);
    expect(wait(reset)).toBeUndefined();
    expect(wait({ date, 'x-rate-limit-reset': '9' })).toBeUndefined();
  });

  it('is a delivery only when all were processed', () => {
    const processed = (conversions_processed: unknown) => read(200, { data: { conversions_processed } })[0];
    expect(processed(2)).toEqual({ kind: 'delivered' });
    expect(processed(1)).toMatchObject({ kind: 'retry', code: 'wrong_count', maybeDelivered: true });
    expect(processed('many')).toMatchObject({ kind: 'retry', code: 'unreadable_answer' });
  });
});
