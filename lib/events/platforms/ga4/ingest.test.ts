// Promise: what goes to Google Analytics by the Data Manager API is what the Measurement Protocol would have had, in the form that
// refuses no request; what is asked about it later is read as Google documents it; and credentials name what they lack.
import { describe, expect, it } from 'vitest';
import { violationsOf } from '#services/local/sandbox/platforms/google-ingest/ingest-schema.ts';
import { examples } from '#test/platforms/ga4-other/examples.ts';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import ga4 from './index.ts';

const analytics = ga4.other?.platform ?? expect.unreachable();
const given = examples[0]?.credentials ?? expect.unreachable();
const credentials = ga4.credentials.parse(given);
const build = (...events: readonly OutgoingEvent[]) =>
  JSON.parse(analytics.buildRequest(events, credentials, { test: false, accessToken: 'ya29.t' }).body);
const first = (more: Partial<OutgoingEvent>) => build(sampleEvent(more)).events[0];
const parametersOf = (more: Partial<OutgoingEvent>): Record<string, string> =>
  Object.fromEntries(
    first(more).additionalEventParameters.map(
      ({ parameterName, value }: { parameterName: string; value: string }) => [parameterName, value],
    ),
  );

describe('an event', () => {
  it('has parameters as text, without those that are fields', () => {
    const customData = {
      ...{ shipping: 4.5, gift: true, discount: 0, coupon: ['SPRING', 'B'], customer_type: 'new' },
      ...{ value: 7, currency: 'XXX', transaction_id: 'other', items: 'none', search_string: 'shoes' },
    };
    const sent = first({ customData });
    expect(parametersOf({ customData })).toMatchObject({
      ...{ shipping: '4.5', gift: 'true', discount: '0', search_term: 'shoes' },
    });
    for (const name of ['value', 'currency', 'transaction_id', 'items', 'coupon', 'customer_type'])
      expect(parametersOf({ customData })).not.toHaveProperty(name);
    expect(sent).toMatchObject({ transactionId: '1001', currency: 'USD', conversionValue: 59.98 });
    expect(sent.cartData.couponCodes).toEqual(['SPRING']);
    expect(sent.userProperties).toEqual({ customerType: 'NEW' });
    expect(violationsOf(sent, 'Event')).toEqual([]);
  });

  it('has no text of more than 100 characters: an address first loses its query', () => {
    const long = `https://shop.example/${'a'.repeat(40)}`;
    const cut = (eventSourceUrl: string) => parametersOf({ eventSourceUrl }).page_location;
    expect(cut(`${long}?${'q'.repeat(90)}#f`)).toBe(long);
    expect(cut(`${long}?q=1`)).toBe(`${long}?q=1`);
    expect(cut(`https://shop.example/${'b'.repeat(200)}?q`)).toHaveLength(100);
    const words = { name: 'n'.repeat(150), brand: '😀'.repeat(120) };
    const [item] = first({ items: [{ id: 'i'.repeat(200), quantity: '1', price: '1', ...words }] }).cartData
      .items;
    const values: string[] = item.additionalItemParameters.map(({ value }: { value: string }) => value);
    for (const value of [item.itemId, ...values]) expect([...value].length).toBe(100);
  });

  it('is of a client id in Google’s form, the same for the same id of another form', () => {
    const clientOf = (ga_client_id: string) => first({ raw: { browserIds: { ga_client_id } } }).clientId;
    expect(clientOf('GA1.1.11.22')).toBe('11.22');
    expect(clientOf('my-own-id')).toMatch(/^\d+\.\d+$/);
    expect(clientOf('my-own-id')).toBe(clientOf('my-own-id'));
    expect(clientOf('my-own-id')).not.toBe(clientOf('another'));
  });

  it('has no cart that Google would misread or refuse', () => {
    const cart = (item: object) =>
      first({ items: [{ id: 'a', quantity: '1', price: '2', ...item }] }).cartData;
    expect(cart({})).toEqual({ items: [{ itemId: 'a', quantity: 1, unitPrice: 2 }] });
    expect(cart({ quantity: '0.5' })).toBeUndefined();
    expect(cart({ price: undefined })).toBeUndefined();
  });

  it('is withheld where it is a refund of nothing', () => {
    const { value: _, ...bare } = sampleEvent({ name: 'Refund' });
    expect(analytics.unsendable(bare, credentials)).toEqual(invalid('value'));
    expect(analytics.unsendable(sampleEvent({ name: 'Refund' }), credentials)).toBeNull();
    expect(ga4.unsendable(bare, credentials)).toBeNull();
  });

  it('shares a request with any of its stream, and with none of the other', () => {
    const key = (more: Partial<OutgoingEvent>) => analytics.groupKey?.(sampleEvent(more), credentials);
    expect(key({ raw: {}, consent: { ad_user_data: 'denied' } })).toBe(key({}));
    expect(key({ actionSource: 'app' })).not.toBe(key({}));
  });
});

describe('an answer', () => {
  const { read } = answersOf(analytics, sampleEvents('a', 'b'), {});
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_ARGUMENT' };
  const said = (...fieldViolations: readonly object[]) =>
    read(400, {
      error: { code: 400, status: 'INVALID_ARGUMENT', message: 'm', details: [info, { fieldViolations }] },
    });
  const refused = (...fieldViolations: readonly object[]) =>
    said(...fieldViolations).map(({ kind, setting }) => (setting === true ? 'waits' : kind));

  it('about the destination is about the settings, about an event about that one', () => {
    const unknown = { field: 'destinations.product_destination_id', description: 'Resource not found.' };
    expect(refused(unknown)).toEqual(['waits', 'waits']);
    expect(said(unknown)[0]?.message).toBe('Resource not found.');
    expect(refused({ field: 'destinations[0].login_account', reason: 'INVALID_FORMAT' })).toEqual([
      'waits',
      'waits',
    ]);
    const old = { field: 'events.events[1].event_timestamp', reason: 'EVENT_TIME_INVALID' };
    expect(refused(old)).toEqual(['batch_refused', 'permanent']);
    expect(refused({ field: 'events.events[0].destination_references', reason: 'X' })).toEqual([
      ...['permanent', 'batch_refused'],
    ]);
  });
});

describe('what is asked later', () => {
  const source = analytics.statusOf ?? expect.unreachable();
  const ask = (status: number, body: unknown, more: object = {}) =>
    source.readStatus(
      {
        kind: 'response',
        status,
        headers: {},
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...more,
      },
      credentials,
    )('Purchase');
  const of = (requestStatus: string, accountId = credentials.property_id, more: object = {}) => ({
    requestStatusPerDestination: [
      {
        destination: { operatingAccount: { accountType: 'GOOGLE_ANALYTICS_PROPERTY', accountId } },
        ...{ requestStatus, ...more },
      },
    ],
  });

  it('is of the one stream of the request', () => {
    expect(ask(200, of('SUCCESS'))).toEqual({ word: 'confirmed' });
    expect(ask(200, of('PROCESSING'))).toEqual({ word: 'waiting' });
    const errorCounts = [{ recordCount: '2', reason: 'PROCESSING_ERROR_REASON_INVALID_EVENT' }];
    expect(ask(200, of('FAILED', undefined, { errorInfo: { errorCounts } }))).toEqual({
      ...{ word: 'rejected', reason: 'ga4.INVALID_EVENT' },
    });
  });

  it('ends where Google does not know the request, or it was another property’s; and for no other answer', () => {
    const error = (code: number, status: string) => ({ error: { code, status, message: 'm' } });
    expect(ask(404, error(404, 'NOT_FOUND'))).toEqual({ word: 'never', reason: 'unknown_request' });
    expect(ask(400, error(400, 'INVALID_ARGUMENT'))).toEqual({ word: 'never', reason: 'unknown_request' });
    const foreign = { word: 'never', reason: 'another_account' };
    expect(ask(403, error(403, 'PERMISSION_DENIED'))).toEqual(foreign);
    expect(ask(200, of('SUCCESS', '999'))).toEqual(foreign);
    const large = { truncated: true };
    for (const [status, body, more] of [
      [403, '<html>blocked</html>', {}],
      [403, { message: 'Forbidden' }, {}],
      [403, '', {}],
      [403, error(403, 'PERMISSION_DENIED'), large],
      [200, of('SUCCESS'), large],
    ] as const)
      expect(ask(status, body, more)).toEqual({ word: 'waiting' });
  });
});

describe('credentials', () => {
  const faults = (more: object) =>
    ga4.credentials.safeParse({ ...given, ...more }).error?.issues.map(({ path }) => path.join('.')) ?? [];
  const NONE = {
    client_id: undefined,
    client_secret: undefined,
    refresh_token: undefined,
    property_id: undefined,
  };

  it('name each field that the chosen interface lacks', () => {
    expect(faults({})).toEqual([]);
    expect(faults(NONE)).toEqual(['property_id', 'client_id', 'client_secret', 'refresh_token']);
    expect(faults({ property_id: 'properties/1' })).toEqual(['property_id']);
    expect(faults({ api: 'measurement_protocol', firebase_app_id: undefined })).toEqual(['api_secret']);
    expect(faults({ api: 'another' })).toEqual(['api']);
    expect(faults({ firebase_app_id: undefined, app_api_secret: 'secret_0123456789' })).toEqual([
      'app_api_secret',
    ]);
  });

  it('that were stored before there was a choice go on by the Measurement Protocol', () => {
    const former = ga4.credentials.parse({ measurement_id: 'G-TEST123456', api_secret: 'secret_0123456789' });
    expect(ga4.other?.isChosen(former)).toBe(false);
    expect(ga4.other?.isChosen(credentials)).toBe(true);
  });
});
