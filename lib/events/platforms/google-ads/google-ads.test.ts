import { describe, expect, it } from 'vitest';
import { violationsOf } from '#services/local/sandbox/platforms/google-ingest/ingest-schema.ts';
import { examples } from '#test/platforms/google-ads/examples.ts';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_PLAINTEXT,
  SAMPLE_TIME_SEC,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import type { EventName } from '../../domain/event/names.ts';
import type { RefundedPurchase } from '../../domain/event/normalized-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import googleAds from './index.ts';

const credentials = googleAds.credentials.parse(examples[0]?.credentials);
const context = { test: false, accessToken: 'ya29.token' };
const build = (events: readonly OutgoingEvent[], more: object = {}) =>
  JSON.parse(googleAds.buildRequest(events, { ...credentials, ...more }, context).body);
const first = (event: OutgoingEvent, more: object = {}) => build([event], more).events[0];

describe('the request', () => {
  it('needs an access token, and keeps it out of sight', () => {
    expect(() => googleAds.buildRequest([sampleEvent()], credentials, { test: false })).toThrow(RangeError);
    expect(googleAds.buildRequest([sampleEvent()], credentials, context).secrets).toEqual(['ya29.token']);
  });

  it('is of the transcribed schema for every sendable event and setting', () => {
    const events = Object.keys(credentials.event_ids).map((name) => sampleEvent({ name: name as EventName }));
    const all = { send_ip_address: true, login_customer_id: '9876543210', merchant_center_id: '42' };
    const feed = { merchant_feed_label: 'US', merchant_feed_language: 'en' };
    expect(violationsOf(build(events, { ...all, ...feed }), 'IngestEventsRequest')).toEqual([]);
  });

  it('names each conversion action once, with the manager account where there is one', () => {
    const events = [sampleEvent(), sampleEvent({ name: 'Lead' }), sampleEvent({ dedupId: 'b' })];
    const { destinations } = build(events, { login_customer_id: '9876543210' });
    const references = destinations.map(({ reference }: { reference: string }) => reference);
    expect(references).toEqual(['100013', '100020']);
    const loginAccount = { accountType: 'GOOGLE_ADS', accountId: '9876543210' };
    expect(destinations[0]).toMatchObject({ loginAccount });
  });

  it('never holds more conversion actions than Google takes', () => {
    const groups = new Map<string, Set<string>>();
    for (const [name, id] of Object.entries(credentials.event_ids)) {
      const key = googleAds.groupKey?.(sampleEvent({ name: name as EventName }), credentials) ?? '';
      groups.set(key, (groups.get(key) ?? new Set()).add(id));
    }
    expect(groups.size).toBe(Math.ceil(new Set(Object.values(credentials.event_ids)).size / 10));
    for (const ids of groups.values()) expect(ids.size).toBeLessThanOrEqual(10);
  });

  it('counts by the event id, or for purchases by the order number where the site does', () => {
    const order = { transaction_id: 'order_id' };
    expect(first(sampleEvent()).transactionId).toBe('order-1001');
    expect(first(sampleEvent(), order).transactionId).toBe('1001');
    expect(first(sampleEvent({ name: 'Lead' }), order).transactionId).toBe('order-1001');
    const { orderId: _none, ...withoutOrder } = sampleEvent();
    expect(first(withoutOrder, order).transactionId).toBe('order-1001');
  });

  it('sends an address only whole, and the Google form of the e-mail', () => {
    const identifiers = (event: OutgoingEvent) => first(event).userData.userIdentifiers;
    expect(identifiers(sampleEvent())).toHaveLength(3);
    for (const field of ['country', 'postalCode'] as const) {
      const { [field]: _left, ...plaintext } = SAMPLE_PLAINTEXT;
      expect(identifiers(sampleEvent({ plaintext }))).toEqual([
        { emailAddress: SAMPLE_HASHED.emailGoogle },
        { phoneNumber: SAMPLE_HASHED.phoneE164 },
      ]);
    }
  });

  it('sends one click id', () => {
    const ids = { gclid: 'g', gbraid: 'b', wbraid: 'w' };
    const click = (browserIds: object) => first(sampleEvent({ raw: { browserIds } })).adIdentifiers;
    expect(click(ids)).toEqual({ gclid: 'g' });
    expect(click({ gbraid: 'b', wbraid: 'w' })).toEqual({ gbraid: 'b' });
    expect(click({ wbraid: 'w' })).toEqual({ wbraid: 'w' });
  });

  it('sends addresses of the network only where switched on and matched', () => {
    const ip = (country: string | undefined, send_ip_address = true) => {
      const { country: _left, ...plaintext } = SAMPLE_PLAINTEXT;
      const event = sampleEvent({ plaintext: country === undefined ? plaintext : { ...plaintext, country } });
      return first(event, { send_ip_address }).eventDeviceInfo.ipAddress;
    };
    expect(ip('US')).toBe('203.0.113.7');
    expect(ip('US', false)).toBeUndefined();
    for (const country of ['DE', 'NO', 'GB', 'CH', undefined]) expect(ip(country)).toBeUndefined();
  });

  it('leaves out a cart Google would ignore or misread', () => {
    expect(first(sampleEvent()).cartData.items).toHaveLength(2);
    const half = [{ id: 'cheese', quantity: '0.5', price: '20' }];
    expect(first(sampleEvent({ items: half }))).not.toHaveProperty('cartData');
    const byApp = { browserIds: { gbraid: 'b' } };
    expect(first(sampleEvent({ raw: byApp }))).not.toHaveProperty('cartData');
    expect(first(sampleEvent(), { merchant_center_id: '42' }).cartData.merchantId).toBe('42');
    const coupons = (coupon: unknown) => first(sampleEvent({ customData: { coupon } })).cartData.couponCodes;
    expect([coupons('SPRING'), coupons(['A', 'B', 3])]).toEqual([['SPRING'], ['A', 'B']]);
    for (const none of ['', 5, [], null]) expect(coupons(none)).toBeUndefined();
    const discounted = (discount: unknown) => first(sampleEvent({ customData: { discount } })).cartData;
    expect(discounted(5.5).transactionDiscount).toBe(5.5);
    for (const none of [-1, '5', Number.NaN, undefined])
      expect(discounted(none)).not.toHaveProperty('transactionDiscount');
  });

  it.each([
    ['website', 'WEB'],
    ['app', 'APP'],
    ['physical_store', 'IN_STORE'],
    ['phone_call', 'PHONE'],
    ['chat', 'MESSAGE'],
    ['system_generated', 'OTHER'],
  ] as const)('says that %s is %s', (actionSource, source) =>
    expect(first(sampleEvent({ actionSource })).eventSource).toBe(source),
  );
});

describe('what is not sent', () => {
  const unsendable = (event: OutgoingEvent, more?: object) =>
    googleAds.unsendable(event, more === undefined ? undefined : { ...credentials, ...more });

  it('is what has no conversion action once the connection is known', () => {
    const only = { event_ids: { Purchase: '1' } };
    expect(unsendable(sampleEvent({ name: 'Lead' }))).toBeNull();
    expect(unsendable(sampleEvent({ name: 'Lead' }), only)).toEqual({ verdict: 'unmapped', detail: 'Lead' });
    expect(unsendable(sampleEvent(), only)).toBeNull();
    expect(unsendable(sampleEvent({ name: 'Custom', customName: 'X' }), only)?.verdict).toBe('unmapped');
  });

  it('is what nobody can be matched by', () => {
    expect(unsendable(strangersPageView())).toEqual(invalid('user_data'));
    expect(unsendable(strangersPageView({ raw: { browserIds: { gclid: 'g' } } }))).toBeNull();
  });

  it('is decided by digests of the address until the address itself is known', () => {
    const known = SAMPLE_HASHED as Required<typeof SAMPLE_HASHED>;
    const { firstNameGoogle, lastNameGoogle, country, postalCode } = known;
    const hashed = { firstNameGoogle, lastNameGoogle, country, postalCode };
    const byAddress = strangersPageView({ hashed });
    expect(unsendable(byAddress)).toBeNull();
    expect(unsendable(byAddress, {})?.detail).toBe('user_data');
    expect(unsendable({ ...byAddress, plaintext: SAMPLE_PLAINTEXT }, {})).toBeNull();
    const digestOnly = { ...byAddress, issues: [{ field: 'zip', code: 'already_hashed' } as const] };
    expect(unsendable(digestOnly)?.detail).toBe('user_data');
  });
});

describe('the answer', () => {
  const { read } = answersOf(googleAds, sampleEvents('a', 'b', 'c'), {});
  const error = (status: number, word: string, ...details: unknown[]) =>
    read(status, { error: { code: status, message: 'm', status: word, details } });
  const fields = (...named: string[]) => ({
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: named.map((field) => ({ field, reason: 'INVALID_FORMAT', description: field })),
  });

  it.each([
    [409, 'ABORTED', undefined, 'retry'],
    [400, 'INVALID_ARGUMENT', 'RESOURCE_EXHAUSTED', 'rate_limited'],
    [400, 'FAILED_PRECONDITION', 'TERMS_AND_CONDITIONS_NOT_SIGNED', 'auth'],
    [400, 'INVALID_ARGUMENT', 'INVALID_CONVERSION_ACTION_ID', 'retry'],
    [400, 'INVALID_ARGUMENT', 'TOO_MANY_EVENTS', 'batch_refused'],
    [404, 'NOT_FOUND', undefined, 'batch_refused'],
  ])('%i %s %s means %s', (status, word, reason, kind) => {
    const outcomes = error(status, word, ...(reason === undefined ? [] : [{ reason }]));
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind, kind, kind]);
    expect(outcomes[0]?.code).toBe(`google_ads.${reason ?? word}`);
  });

  it('says what is wrong with a field, and not the words of `ErrorInfo` before it', () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_ARGUMENT' };
    const said = (...named: string[]) => error(400, 'INVALID_ARGUMENT', info, fields(...named));
    const field = 'events.events[1].user_data';
    const [other, named] = said(field);
    expect(named).toEqual({ kind: 'permanent', code: 'google_ads.INVALID_FORMAT', message: field });
    expect(other).toEqual({ kind: 'batch_refused', code: 'google_ads.INVALID_ARGUMENT', message: 'm' });
    const ofAll = { kind: 'batch_refused', code: 'google_ads.INVALID_FORMAT', message: 'destinations[0]' };
    expect(said('destinations[0]')).toEqual([ofAll, ofAll, ofAll]);
  });

  it('refuses the events it names, and lets the others go again', () => {
    const kinds = (...named: string[]) =>
      error(400, 'INVALID_ARGUMENT', fields(...named)).map(({ kind }) => kind);
    const [p, b] = ['permanent', 'batch_refused'];
    expect(kinds('events.events[1].user_data')).toEqual([b, p, b]);
    expect(kinds('events[0].currency', 'events.events[2]')).toEqual([p, b, p]);
    expect(kinds('events.events[9].user_data', 'destinations[0]')).toEqual([b, b, b]);
    expect(kinds('destinations[0].events[1]')).toEqual([b, b, b]);
  });

  it('lets events of an action wait that Google does not know, and the others go again', () => {
    const [sale, lead, refund] = [
      sampleEvent(),
      sampleEvent({ name: 'Lead', dedupId: 'l' }),
      sampleEvent({ name: 'Refund', dedupId: 'r' }),
    ];
    const kinds = (events: readonly (typeof sale)[], ...named: string[]) => {
      const reason = 'INVALID_CONVERSION_ACTION_ID';
      const details = [{ fieldViolations: named.map((field) => ({ field, reason, description: field })) }];
      const error = { code: 400, message: 'm', status: 'INVALID_ARGUMENT', details };
      const { read: readOf } = answersOf(googleAds, events, {});
      return readOf(400, { error }).map(({ kind, setting }) => (setting === true ? 'waits' : kind));
    };
    expect(kinds([sale, lead, refund], 'destinations[0].product_destination_id')).toEqual([
      ...['waits', 'batch_refused', 'waits'],
    ]);
    expect(kinds([sale, lead], 'destinations[1]')).toEqual(['batch_refused', 'waits']);
    expect(kinds([sale, lead], 'elsewhere')).toEqual(['batch_refused', 'batch_refused']);
    expect(kinds([sale, refund], 'destinations[7]')).toEqual(['waits', 'waits']);
    expect(kinds([sale], 'elsewhere')).toEqual(['waits']);
  });

  it('waits as long as it is told to', () => {
    const wait = (...details: unknown[]) => error(429, 'RESOURCE_EXHAUSTED', ...details)[0]?.retryAfterSec;
    expect(wait({ retryDelay: '12.5s' })).toBe(13);
    expect(wait({ retryDelay: '999999s' })).toBe(86_400);
    expect(wait({ metadata: { quota_limit: 'IngestRequestsPerMinutePerProject' } })).toBe(60);
    expect(wait({ metadata: { quota_limit: 'IngestRequestsPerDayPerProject' } })).toBe(3_600);
    expect(wait({ metadata: { quota_limit: 7 } }, 'x', { retryDelay: 'soon' })).toBeUndefined();
  });

  it('is accepted only with a request id; warnings go to their events', () => {
    expect(read(200, {}).map(({ kind }) => kind)).toEqual(['retry', 'retry', 'retry']);
    expect(read(200, { requestId: '' })[0]?.maybeDelivered).toBe(true);
    const message = 'no such product';
    const fieldWarnings = [{ field: 'events.events[1].cart_data', reason: 'X', description: message }];
    const kind = 'delivered';
    const request = 'r';
    expect(read(200, { requestId: 'r', fieldWarnings })).toEqual([
      { kind, request },
      { kind, message, request },
      { kind, request },
    ]);
  });
});

describe('a refund', () => {
  const SALE = {
    dedupId: 'sale',
    eventTimeSec: SAMPLE_TIME_SEC,
    actionSource: 'website',
    value: '19.98',
  } as const;
  const refunded = (purchase?: Partial<RefundedPurchase>) =>
    sampleEvent({
      ...{ name: 'Refund', dedupId: 'refund-1', value: '40', eventTimeSec: SAMPLE_TIME_SEC + 3_600 },
      refund: {
        ...{ touch: 'direct', currency: 'EUR', minor: '4000' },
        ...(purchase === undefined ? {} : { purchase: { ...SALE, ...purchase } }),
      },
    });
  const credentialsOf = (transaction_id: string) => ({ ...credentials, transaction_id });

  it('is its purchase once more, with what is left, and without what came back', () => {
    const sent = first(refunded({}));
    const time = new Date(SAMPLE_TIME_SEC * 1_000).toISOString();
    expect(sent).toMatchObject({
      ...{ transactionId: 'sale', eventTimestamp: time, conversionValue: 19.98, currency: 'EUR' },
      destinationReferences: [credentials.event_ids.Purchase],
    });
    expect(sent).not.toHaveProperty('cartData');
    expect(first(refunded({ value: '0.00' })).conversionValue).toBe(0);
  });

  it('goes by the order number where its purchase did', () => {
    const byOrder = credentialsOf('order_id');
    expect(first(refunded({}), byOrder).transactionId).toBe('1001');
    expect(first(refunded({ noOrderDedup: true }), byOrder).transactionId).toBe('sale');
  });

  it.each([
    ['of which no purchase is known', undefined, 'order_unknown'],
    ['of a sale in a shop', { actionSource: 'physical_store' }, 'no_way'],
    ['of a purchase by phone', { actionSource: 'phone_call' }, 'no_way'],
    ['of a purchase of long ago', { eventTimeSec: SAMPLE_TIME_SEC - 91 * 86_400 }, 'too_late'],
  ] as const)('%s is not sent', (_, purchase, detail) => {
    const expected = { verdict: 'not_taken_back', detail };
    expect(googleAds.unsendable(refunded(purchase), credentials)).toEqual(expected);
  });

  it('is sent otherwise, where there is an action for purchases', () => {
    expect(googleAds.unsendable(refunded({}), credentials)).toBeNull();
    const { Purchase: _, ...event_ids } = credentials.event_ids;
    expect(googleAds.unsendable(refunded({}), { ...credentials, event_ids })?.verdict).toBe('unmapped');
  });
});
