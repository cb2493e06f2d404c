import { describe, expect, it } from 'vitest';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import pinterest from './index.ts';

const credentials = pinterest.credentials.parse({
  ad_account_id: '549757463328',
  access_token: 'pina_sandbox_token',
});
const build = (event: OutgoingEvent) =>
  JSON.parse(pinterest.buildRequest([event], credentials, { test: false }).body).data[0];

describe('the event', () => {
  it('passes properties Pinterest knows, as text, and nothing else', () => {
    const known = { content_name: 'Shoes', search_string: 'shoes' };
    const refused = { content_brand: 5, np: 'ss-other', value: 'x', note: 'x' };
    const customData = { ...known, ...refused, predicted_ltv: 2794.82 };
    const sent = build(strangersPageView({ customData })).custom_data;
    expect(sent).toEqual({ ...known, predicted_ltv: '2794.82' });
  });

  it.each([
    [0.0000001, '0.0000001'],
    ['12.30', '12.30'],
    [-1, undefined],
    [1e300, undefined],
    ['1e5', undefined],
    [null, undefined],
  ])('a lifetime value of %j is sent as %j', (predicted_ltv, expected) => {
    const custom = build(sampleEvent({ customData: { predicted_ltv } })).custom_data;
    expect(custom.predicted_ltv).toBe(expected);
  });

  it.each([
    ['website', 'x', 'web'],
    ['system_generated', 'x', 'web'],
    ['physical_store', 'x', 'offline'],
    ['phone_call', 'x', 'offline'],
    ['app', 'MyShop/3 (iPhone; iOS 19.0)', 'app_ios'],
    ['app', 'MyShop/3 CFNetwork/1490 Darwin/23.0', 'app_ios'],
    ['app', 'Dalvik/2.1.0 (Linux; U; Android 16)', 'app_android'],
    ['app', 'okhttp/5.0', 'app_android'],
  ] as const)('of %s with %s comes from %s', (actionSource, userAgent, expected) => {
    expect(build(sampleEvent({ actionSource, raw: { userAgent } })).action_source).toBe(expected);
  });

  it('carries the click id as it is, and the advertising id hashed', () => {
    const raw = { ...SAMPLE_RAW, browserIds: { epik: 'dj0y' } };
    expect(build(sampleEvent({ raw })).user_data.click_id).toBe('dj0y');
    expect(build(sampleEvent({ raw: { ...raw, madid: 'plain' } })).user_data.hashed_maids).toEqual([
      SAMPLE_HASHED.madid,
    ]);
  });

  it.each([
    ['Spin', 'Spin'],
    ['app_open', 'app_open'],
    ['Quiz done!', 'Quiz_done'],
    ['Größe XL', 'Gro_e_XL'],
    ['x'.repeat(120), 'x'.repeat(100)],
    ['抽奖', 'custom'],
  ])('calls %s of one’s own %s', (customName, sent) => {
    expect(build(strangersPageView({ name: 'Custom', customName })).event_name).toBe(sent);
  });
});

describe('what is not sent', () => {
  it('app events of an unknown system, and events of nobody', () => {
    expect(pinterest.unsendable(sampleEvent({ actionSource: 'app' }))).toEqual(invalid('app.platform'));
    const { phoneDigits, externalIds, madid, emailPlain } = SAMPLE_HASHED;
    const hashed = { phoneDigits, externalIds } as OutgoingEvent['hashed'];
    expect(pinterest.unsendable(sampleEvent({ hashed, raw: {} }))?.detail).toBe('user_data');
    for (const known of [{ emailPlain }, { madid }] as OutgoingEvent['hashed'][])
      expect(pinterest.unsendable(sampleEvent({ hashed: known, raw: {} }))).toBeNull();
    const raw = { clientIp: '203.0.113.7', userAgent: 'x' };
    expect(pinterest.unsendable(sampleEvent({ hashed: {}, raw }))).toBeNull();
  });
});

it('comes back when its quota begins anew', () => {
  const waits = (status: number, reset: string) =>
    pinterest.readResponse(
      { kind: 'response', status, headers: { 'x-ratelimit-reset': reset }, body: '{"code":8,"message":"m"}' },
      sampleEvents('a'),
    )[0]?.retryAfterSec;
  expect([waits(429, '12'), waits(429, '0.4'), waits(429, '0')]).toEqual([12, 1, 0]);
  for (const odd of ['', 'soon', '-1', '1795176000']) expect(waits(429, odd)).toBeUndefined();
  expect(waits(503, '12')).toBeUndefined();
});

describe('the answer', () => {
  const { read, kinds } = answersOf(pinterest, sampleEvents('a', 'b'));
  const ok = { status: 'processed' };
  const bad = { status: 'failed', error_message: 'no' };
  const report = (entries: readonly object[], processed: number, received = 2) => ({
    num_events_received: received,
    num_events_processed: processed,
    events: entries,
  });

  it.each([
    [200, report([ok, ok], 2), ['delivered', 'delivered']],
    [200, report([ok, bad], 1), ['delivered', 'permanent']],
    [422, report([bad, ok], 1), ['permanent', 'delivered']],
    [422, { code: 953, message: 'm', details: report([bad, bad], 0) }, ['permanent', 'permanent']],
    [422, { code: 953, message: 'm', details: {} }, ['batch_refused', 'batch_refused']],
    [200, report([ok, ok], 1), ['retry', 'retry']],
    [200, report([ok, ok], 2, 3), ['retry', 'retry']],
    [200, report([ok], 1), ['retry', 'retry']],
    [200, { events: [ok, ok] }, ['delivered', 'delivered']],
    [200, report([ok, { status: 'pending' }], 1), ['delivered', 'retry']],
    [200, { code: 1, message: 'm' }, ['retry', 'retry']],
    [500, report([ok, ok], 2), ['retry', 'retry']],
    [400, { code: 4196, message: 'm' }, ['batch_refused', 'batch_refused']],
    [404, {}, ['batch_refused', 'batch_refused']],
  ])('%i with %j means %j', (status, body, expected) => {
    expect(kinds(status, body)).toEqual(expected);
  });

  it('keeps Pinterest’s words, and when to come back', () => {
    expect(read(422, report([bad, { ...ok, warning_message: 'em is recommended' }], 1))).toEqual([
      { kind: 'permanent', code: 'pinterest.failed', message: 'no' },
      { kind: 'delivered', message: 'em is recommended' },
    ]);
    const [limited] = read(429, { code: 8, message: 'slow down' });
    const said = { code: 'pinterest.8', message: 'slow down' };
    expect(limited).toEqual({ kind: 'rate_limited', ...said, retryAfterSec: 5 });
  });
});
