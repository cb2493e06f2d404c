// What is particular to the networks; what every platform promises is in test/conformance/platforms.
import { describe, expect, it } from 'vitest';
import { SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { postbackCredentials } from './credentials.ts';
import platform from './index.ts';

const AWIN = { network: 'awin', account_id: '1001', api_key: 'awin-sandbox-key' };
const TABOOLA = { network: 'taboola', event_ids: { Purchase: 'purchase', Lead: 'lead' } };
const ENTERED: Readonly<Record<string, object>> = {
  awin: AWIN,
  taboola: TABOOLA,
  outbrain: { ...TABOOLA, network: 'outbrain' },
  impact: { ...TABOOLA, ...AWIN, network: 'impact', campaign_id: '3641' },
  criteo: { network: 'criteo', account_id: '12345', caller_id: '70', region: 'eu' },
};
const CLICKS = { awc: 'a', tblci: 't', ob_click_id: 'o', irclickid: 'i', crto_mapped_user_id: 'c' };
const read = (entered: object) => postbackCredentials.parse(entered);
const fault = (entered: object, changes: Partial<NormalizedEvent> = {}) =>
  platform.unsendable(sampleEvent({ raw: { ...SAMPLE_RAW, browserIds: CLICKS }, ...changes }), read(entered))
    ?.detail;
const urlOf = (changes: Partial<NormalizedEvent>, more: object = {}) =>
  new URL(
    platform.buildRequest(
      [sampleEvent({ raw: { ...SAMPLE_RAW, browserIds: CLICKS }, ...changes })],
      read({ ...TABOOLA, ...more }),
      { test: false },
    ).url,
  );

describe('a connection', () => {
  it.each([
    ['awin', 'account_id', 'api_key'],
    ['criteo', 'account_id', 'caller_id', 'region'],
    ['impact', 'account_id', 'api_key', 'campaign_id', 'event_ids'],
    ['outbrain', 'event_ids'],
    ['taboola', 'event_ids'],
  ])('of %s needs %s %s %s %s', (network, ...needed) => {
    const { error } = postbackCredentials.safeParse({ network });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(needed);
    expect(postbackCredentials.safeParse(ENTERED[network]).success).toBe(true);
  });

  it.each([{ network: 'tradedoubler' }, { ...TABOOLA, event_ids: {} }, { ...AWIN, account_id: '../x' }])(
    '%j is none',
    (entered) => {
      expect(postbackCredentials.safeParse(entered).success).toBe(false);
    },
  );
});

describe('not sent, by the field', () => {
  it.each(Object.entries(ENTERED))('to %s: an event without its click', (network, entered) => {
    const field = { awin: 'awc', taboola: 'tblci', outbrain: 'ob_click_id', impact: 'irclickid' }[network];
    const key = field ?? 'crto_mapped_user_id';
    expect(fault(entered)).toBeUndefined();
    const { [key as keyof typeof CLICKS]: _left, ...others } = CLICKS;
    expect(fault(entered, { raw: { ...SAMPLE_RAW, browserIds: others } })).toBe(`browser_ids.${key}`);
    expect(fault(entered, { consent: { ad_storage: 'denied' } })).toBe(`browser_ids.${key}`);
  });

  it.each<[object, Partial<NormalizedEvent>, string]>([
    [TABOOLA, { name: 'Refund' }, 'no_way'],
    [TABOOLA, { name: 'PageView' }, 'PageView'],
    [TABOOLA, { currency: 'SEK' }, 'currency'],
    [AWIN, { orderId: 'x'.repeat(51) }, 'order_id'],
    [AWIN, { noOrderDedup: true, dedupId: 'x'.repeat(51) }, 'event_id'],
    [AWIN, { name: 'Lead' }, 'Lead'],
  ])('%j %j', (entered, changes, detail) => {
    expect(fault(entered, changes)).toBe(detail);
  });

  it('to Awin: a purchase without an amount, which Taboola takes', () => {
    const {
      value: _value,
      currency: _currency,
      ...bare
    } = sampleEvent({ raw: { ...SAMPLE_RAW, browserIds: CLICKS } });
    expect(platform.unsendable(bare, read(AWIN))?.detail).toBe('value');
    expect(platform.unsendable(bare, read(TABOOLA))).toBeNull();
  });
});

describe('a postback', () => {
  it('says texts of any kind as they are', () => {
    const params = urlOf({ orderId: 'a&b=c #ü/?' }, { event_ids: { Purchase: 'Kauf & mehr' } }).searchParams;
    expect(Object.fromEntries(params)).toEqual({
      'click-id': 't',
      name: 'Kauf & mehr',
      revenue: '59.98',
      currency: 'USD',
      orderid: 'a&b=c #ü/?',
      quantity: '3',
    });
  });

  it('is known by its order, where that may not be guessed, else by its event', () => {
    const id = (changes: Partial<NormalizedEvent>, more: object = {}) =>
      urlOf(changes, more).searchParams.get('orderid');
    expect(id({})).toBe('1001');
    expect(id({ noOrderDedup: true })).toBe('order-1001');
    expect(id({ name: 'Lead' })).toBe('order-1001');
    expect(id({}, { conversion_id: 'event_id' })).toBe('order-1001');
  });
});

it.each([
  [200, '{"errors":["UserIdentifierMissing"],"warnings":[]}', 'permanent'],
  [206, '{"failedOrders":[{}]}', 'permanent'],
  [200, '<html>', 'retry'],
  [400, '', 'retry'],
  [307, '', 'retry'],
  [403, '{"status":403,"title":"Access Denied"}', 'auth'],
])('an answer %i %s is %s', (status, body, kind) => {
  const [one] = platform.readResponse({ kind: 'response', status, headers: {}, body }, [sampleEvent()]);
  expect(one?.kind).toBe(kind);
});
