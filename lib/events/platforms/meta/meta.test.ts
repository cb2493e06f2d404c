import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/meta/examples.ts';
import { answersOf, invalid } from '#test/support/platform-answers.ts';
import { SAMPLE_RAW, sampleEvent, sha256, strangersPageView } from '#test/support/sample-event.ts';
import meta from './index.ts';
import { isMatchable } from './user-data.ts';

const credentials = meta.credentials.parse(examples[0]?.credentials);
const build = (...events: Parameters<typeof meta.buildRequest>[0]) => {
  const { body } = meta.buildRequest(events, credentials, { test: false });
  return { text: body, first: JSON.parse(body).data[0] };
};

describe('user_data', () => {
  it('writes Meta’s own ids as integers of any length, and leaves out what is none', () => {
    const raw = { leadId: '12345678901234567890', fbLoginId: '42' };
    const { text } = build(sampleEvent({ raw }));
    expect(text).toContain('"lead_id":12345678901234567890');
    expect(text).toContain('"fb_login_id":42');
    for (const leadId of ['lead-1', '012', '-5', '1.5', '123456789012345678901', ''])
      expect(build(sampleEvent({ raw: { leadId } })).first.user_data).not.toHaveProperty('lead_id');
  });

  it('carries every other id as it is', () => {
    const raw = { madid: 'a-b', subscriptionId: 's1', anonId: 'an', ctwaClid: 'c' };
    const { first } = build(sampleEvent({ raw }));
    const sent = { madid: 'a-b', subscription_id: 's1', anon_id: 'an', ctwa_clid: 'c' };
    expect(first.user_data).toMatchObject(sent);
  });

  it.each([
    [{}, false],
    [{ client_user_agent: 'x' }, false],
    [{ ct: 'x', country: 'x', st: 'x', zp: 'x', ge: 'x', client_user_agent: 'x' }, false],
    [{ db: 'x', client_user_agent: 'x' }, false],
    [{ fn: 'x', ge: 'x' }, false],
    [{ ln: 'x' }, false],
    [{ fn: 'x', ln: 'x' }, true],
    [{ em: ['x'] }, true],
    [{ client_ip_address: 'x' }, true],
    [{ fbp: 'x', ct: 'x' }, true],
    [{ em: undefined, ge: 'x' }, false],
  ])('%j can match somebody: %s', (userData, expected) => expect(isMatchable(userData)).toBe(expected));
});

describe('what is not sent', () => {
  const { value: _v, currency: _c, ...unpriced } = sampleEvent();
  it('purchases without amount', () => {
    expect(meta.unsendable(unpriced)).toEqual(invalid('value'));
    expect(meta.unsendable({ ...unpriced, name: 'Lead' })).toBeNull();
  });
  it('events of nobody', () => {
    expect(meta.unsendable(sampleEvent({ hashed: {}, raw: {} }))).toEqual(invalid('user_data'));
    const raw = { userAgent: SAMPLE_RAW.userAgent ?? '' };
    expect(meta.unsendable(sampleEvent({ hashed: { gender: sha256('f') }, raw }))?.detail).toBe('user_data');
  });
  it('website events without user agent or page are, as the live endpoint takes them', () => {
    const { eventSourceUrl: _url, ...bare } = sampleEvent({ raw: {} });
    expect(meta.unsendable(bare)).toBeNull();
  });
});

describe('the event', () => {
  it('keeps custom properties, but not in place of its own', () => {
    const kept = { content_name: 'Shoes', nested: { a: [1] } };
    const refused = { value: 'free', currency: 'XXX', order_id: 5, contents: 'none', empty: null };
    const { first } = build(strangersPageView({ customData: { ...kept, ...refused } }));
    expect(first.custom_data).toEqual(kept);
  });

  it('goes under the name the merchant chose when it is none of the known ones', () => {
    const customName = 'Spin The Wheel';
    expect(build(sampleEvent({ name: 'Custom', customName })).first.event_name).toBe(customName);
    expect(build(sampleEvent({ name: 'Custom' })).first.event_name).toBe('Custom');
  });

  it('loses a page address that is none', () => {
    const at = (eventSourceUrl: string) => build(sampleEvent({ eventSourceUrl })).first;
    expect(at('shop.example/x')).not.toHaveProperty('event_source_url');
    expect(at('HTTPS://shop.example').event_source_url).toBe('HTTPS://shop.example');
  });

  it('of a shop may be 62 days old', () => {
    expect(meta.ageMaxSec?.(sampleEvent({ actionSource: 'physical_store' }))).toBe(62 * 86_400);
    expect(meta.ageMaxSec?.(sampleEvent())).toBe(7 * 86_400);
  });
});

describe('the answer', () => {
  const { read } = answersOf(meta, [sampleEvent(), sampleEvent()]);
  const error = (code: number, more: object = {}) => ({
    error: { code, message: 'm', type: 'OAuthException', ...more },
  });

  it.each([
    [400, error(80004, { error_subcode: 2446079 }), 'rate_limited', 'meta.80004.2446079'],
    [400, error(190, { error_subcode: 460 }), 'auth', 'meta.190.460'],
    [400, error(999, { is_transient: true }), 'retry', 'meta.999'],
    [500, error(999), 'retry', 'meta.999'],
    [400, error(100, { error_subcode: 2804003 }), 'batch_refused', 'meta.100.2804003'],
    [200, error(100), 'batch_refused', 'meta.100'],
    [400, { error: { message: 'no code' } }, 'batch_refused', 'http_400'],
    [200, { events_received: 1, messages: [] }, 'retry', 'wrong_count'],
    [200, { events_received: 3, messages: [] }, 'retry', 'wrong_count'],
    [200, { events_received: '2x' }, 'retry', 'unreadable_answer'],
    [200, { messages: [] }, 'retry', 'unreadable_answer'],
    [400, { events_received: 2 }, 'batch_refused', 'http_400'],
  ])('%i %j means %s (%s)', (status, body, kind, code) => {
    expect(read(status, body)[0]).toMatchObject({ kind, code });
  });

  it('comes back when its use cases may call again, the last of them, where it was too much', () => {
    const use = (minutes: number) => ({ type: 'ads_management', estimated_time_to_regain_access: minutes });
    const hint = (usage: unknown) => ({
      'x-business-use-case-usage': typeof usage === 'string' ? usage : JSON.stringify(usage),
    });
    const waits = (code: number, headers: Record<string, string>) =>
      meta.readResponse({ kind: 'response', status: 400, headers, body: JSON.stringify(error(code)) }, [
        sampleEvent(),
      ])[0]?.retryAfterSec;
    expect(waits(80004, hint({ '66782684': [use(3), use(19)], '5': [use(0)] }))).toBe(19 * 60);
    expect(waits(80004, { ...hint({ '1': [use(19)] }), 'retry-after': '7' })).toBe(7);
    expect(waits(80004, hint({ '1': [use(100_000)] }))).toBe(86_400);
    expect(waits(190, hint({ '1': [use(19)] }))).toBeUndefined();
    for (const odd of ['', '{', '[]', 'null', { a: 1 }, { a: [null, 1, use(-1)] }, { a: [use(0)] }])
      expect(waits(80004, hint(odd))).toBeUndefined();
  });

  it('keeps Meta’s hints about accepted events', () => {
    const message = 'event_source_url is missing';
    const [first] = read(200, { events_received: 2, messages: [message] });
    expect(first).toEqual({ kind: 'delivered', message });
  });
});
