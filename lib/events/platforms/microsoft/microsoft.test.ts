import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/microsoft/examples.ts';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import microsoft from './index.ts';

const credentials = microsoft.credentials.parse(examples[0]?.credentials);
const build = (event: OutgoingEvent, more: object = {}) =>
  JSON.parse(microsoft.buildRequest([event], { ...credentials, ...more }, { test: false }).body).data[0];
const CLICK = '6f1d2c3b-4a59-6877-8695-a4b3c2d1e0f1';

describe('user data', () => {
  it.each([
    [CLICK, CLICK],
    [CLICK.replaceAll('-', ''), CLICK.replaceAll('-', '')],
    [`_uet${CLICK}`, CLICK],
    ['N/A', undefined],
    ['6f1d2c3b', undefined],
  ])('takes the click id %s as %s', (msclkid, expected) => {
    expect(build(sampleEvent({ raw: { browserIds: { msclkid } } })).userData.msclkid).toBe(expected);
  });

  it.each([
    ['Shop/3.1 CFNetwork/1568 Darwin/24.0', 'idfa'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'idfa'],
    ['Mozilla/5.0 (Linux; Android 16; Pixel 10)', 'gaid'],
  ])('names the advertiser id after the system of %s', (userAgent, key) => {
    const madid = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
    const { userData } = build(sampleEvent({ raw: { madid, userAgent } }));
    expect(userData[key]).toBe(madid);
    expect(userData).not.toHaveProperty(key === 'idfa' ? 'gaid' : 'idfa');
  });
});

describe('what is not sent', () => {
  it('events of nobody: address and browser are not enough', () => {
    expect(microsoft.unsendable(strangersPageView())).toEqual(invalid('user_data'));
    expect(microsoft.unsendable(strangersPageView({ raw: { anonId: 'a-1' } }))).toBeNull();
  });

  it('page views without a page', () => {
    const { eventSourceUrl: _url, ...nowhere } = strangersPageView({ raw: { anonId: 'a-1' } });
    for (const event of [nowhere, { ...nowhere, eventSourceUrl: 'shop.example/x' }])
      expect(microsoft.unsendable(event)).toEqual(invalid('event_source_url'));
  });
});

describe('the event', () => {
  it('goes under the event action of the connection’s goal, names of one’s own as they are', () => {
    const event_names = { Lead: 'contact_form', Custom: 'never' };
    expect(build(sampleEvent({ name: 'Lead' }), { event_names }).eventName).toBe('contact_form');
    expect(build(sampleEvent({ name: 'Purchase' }), { event_names }).eventName).toBe('purchase');
    const spin = sampleEvent({ name: 'Custom', customName: 'Spin The Wheel' });
    expect(build(spin, { event_names }).eventName).toBe('Spin The Wheel');
  });

  it('has no revenue as a page load', () => {
    const view = build(sampleEvent({ name: 'PageView' }));
    expect(view).toMatchObject({ eventType: 'pageLoad', customData: { transactionId: '1001' } });
    expect(view).not.toHaveProperty('eventName');
    for (const key of ['value', 'currency', 'items', 'ecommTotalValue'])
      expect(view.customData).not.toHaveProperty(key);
  });

  it('takes of custom properties only what the API knows', () => {
    const refused = { event_label: '', event_category: 5, value: 'free', other: 1 };
    const customData = { search_string: 'shoes', content_category: 'c1', ...refused };
    expect(build(sampleEvent({ name: 'Search', items: [], customData })).customData).toEqual({
      searchTerm: 'shoes',
      ecommCategory: 'c1',
      eventValue: 59.98,
      transactionId: '1001',
      pageType: 'searchresults',
      value: 59.98,
      currency: 'USD',
      ecommTotalValue: 59.98,
    });
  });
});

describe('the answer', () => {
  const events = sampleEvents('a', 'b');
  const { read, kinds } = answersOf(microsoft, events);
  const OF_NO_EVENT = [{ index: 7 }, { index: -1 }, null, 'x'];
  const error = (details: unknown, code: unknown = 'ValidationError') => ({
    error: { code, message: 'm', details },
  });

  it.each([
    [200, { eventsReceived: 2 }, ['delivered', 'delivered']],
    [200, { traceId: 't' }, ['delivered', 'delivered']],
    [200, { eventsReceived: 3 }, ['retry', 'retry']],
    [200, { eventsReceived: 0, traceId: 't' }, ['retry', 'retry']],
    [200, { eventsReceived: 'x', traceId: 't' }, ['retry', 'retry']],
    [200, {}, ['retry', 'retry']],
    // The count may be of what was taken, or of what came.
    [200, { eventsReceived: 1, ...error([{ index: 0 }]) }, ['permanent', 'delivered']],
    [200, { eventsReceived: 2, ...error([{ index: 0 }]) }, ['permanent', 'delivered']],
    [200, { eventsReceived: 0, ...error([{ index: 0 }, { index: 1 }]) }, ['permanent', 'permanent']],
    [200, { eventsReceived: 2, ...error([{ index: 1, isWarning: true }]) }, ['delivered', 'delivered']],
    [200, { eventsReceived: 2, ...error(OF_NO_EVENT) }, ['delivered', 'delivered']],
    [200, error([]), ['batch_refused', 'batch_refused']],
    [400, error([{ index: 0 }]), ['permanent', 'batch_refused']],
    [400, error('none'), ['batch_refused', 'batch_refused']],
    [403, {}, ['retry', 'retry']],
    [404, {}, ['retry', 'retry']],
    [413, {}, ['batch_refused', 'batch_refused']],
  ])('%i %j means %j', (status, body, expected) => expect(kinds(status, body)).toEqual(expected));

  it('refuses a lone event for good', () => {
    const refused = { kind: 'permanent', code: 'microsoft.ValidationError', message: 'm' };
    expect(read(400, error([]), events.slice(1))).toEqual([refused]);
  });

  it('keeps warnings, and the reason of a refusal, without what was attempted', () => {
    const wrong = { propertyName: 'userData.em', attemptedValue: 'jane@example.com' };
    const details = [
      { index: 0, propertyName: 'userData.ph', errorMessage: 'ignored', isWarning: true },
      { index: 1, ...wrong, errorCode: 'E7', errorMessage: 'x' },
    ];
    expect(read(200, { eventsReceived: 2, ...error(details) })).toEqual([
      { kind: 'delivered', message: 'userData.ph: ignored' },
      { kind: 'permanent', code: 'microsoft.E7', message: 'userData.em: x' },
    ]);
  });

  it('says when to come back', () => {
    expect(read(429, error([]))[0]).toMatchObject({ retryAfterSec: 5, code: 'microsoft.ValidationError' });
  });
});

describe('access to the Ads API, for refunds', () => {
  const refund = sampleEvent({ name: 'Refund' });
  const ads = microsoft.credentials.parse(examples.at(-1)?.credentials);

  it.each([
    [
      'purchase_goal',
      ['customer_id', 'account_id', 'developer_token', 'client_id', 'client_secret', 'refresh_token'],
    ],
    [
      'refresh_token',
      ['purchase_goal', 'customer_id', 'account_id', 'developer_token', 'client_id', 'client_secret'],
    ],
  ] as const)('with only %s lacks the others, each of which is named', (name, missing) => {
    const given = { ...credentials, [name]: 'one-of-seven-0123456789' };
    const { error } = microsoft.credentials.safeParse(given);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(missing);
  });

  it('is asked for by refunds alone', () => {
    expect(microsoft.oauth?.needed?.(ads, [sampleEvent()])).toBe(false);
    expect(microsoft.oauth?.needed?.(ads, [refund])).toBe(true);
    const body = new URLSearchParams(microsoft.oauth?.buildTokenRequest(ads).body);
    expect(body.get('scope')).toBe('https://ads.microsoft.com/msads.manage');
  });

  it('is needed, and so is what the order was worth', () => {
    const why = (detail: string) => ({ verdict: 'not_taken_back', detail });
    expect(microsoft.unsendable(refund, credentials)).toEqual(why('no_grant'));
    expect(microsoft.unsendable(refund, ads)).toEqual(why('order_unknown'));
    expect(microsoft.unsendable(refund)).toBeNull();
  });

  it.each([
    [200, { PartialErrors: null }, ['delivered', 'delivered']],
    [200, { PartialErrors: [{ Index: 0, ErrorCode: 'E' }] }, ['permanent', 'delivered']],
    [
      200,
      { PartialErrors: [{ Index: 1, ErrorCode: 'OfflineConversionNameInvalid' }] },
      ['delivered', 'retry'],
    ],
    // Blames none of those that were sent.
    [200, { PartialErrors: [{ Index: 2, ErrorCode: 'E' }] }, ['batch_refused', 'batch_refused']],
    [200, {}, ['retry', 'retry']],
    [200, 'x', ['retry', 'retry']],
    [400, { OperationErrors: [{ ErrorCode: 'CallRateExceeded' }] }, ['rate_limited', 'rate_limited']],
    [400, { BatchErrors: [{ ErrorCode: 'E' }] }, ['batch_refused', 'batch_refused']],
    [401, { Errors: [{ ErrorCode: 'AuthenticationTokenExpired' }] }, ['retry', 'retry']],
    [403, { Errors: [{ ErrorCode: 'Other' }] }, ['retry', 'retry']],
    [404, {}, ['retry', 'retry']],
    [500, { Errors: [{ ErrorCode: 'InternalError' }] }, ['retry', 'retry']],
  ])('answers %i %j: %j', (status, body, expected) => {
    const { kinds } = answersOf(microsoft, [refund, refund]);
    expect(kinds(status, body)).toEqual(expected);
  });
});
