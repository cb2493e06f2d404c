import { describe, expect, it } from 'vitest';
import microsoft from '#lib/events/platforms/microsoft/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/microsoft/examples.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = microsoft.credentials.parse(examples[0]?.credentials);
const request = microsoft.buildRequest([sampleEvent()], credentials, { test: false });
const [good] = JSON.parse(request.body).data;

describe('the sandbox', () => {
  const send = (data: readonly unknown[], more: object = {}) => {
    const body = JSON.stringify({ data, continueOnValidationError: true, ...more });
    const context = { nowMs: sampleEvent().receivedAtMs, check: () => 'ok' as const };
    return sandbox.handle(asReceived(request, { body }), context);
  };

  it.each([
    [{ eventType: 'purchase' }, 'eventType'],
    [{ eventName: undefined }, 'eventName'],
    [{ eventTime: good.eventTime * 1_000 }, 'eventTime'],
    [{ eventTime: good.eventTime - 700_000 }, 'eventTime'],
    [{ eventType: 'pageLoad', eventSourceUrl: undefined }, 'eventSourceUrl'],
    [{ adStorageConsent: 'granted' }, 'adStorageConsent'],
    [{ userData: { clientIpAddress: '203.0.113.7' } }, 'userData'],
    [{ userData: { em: 'jane@example.com' } }, 'userData.em'],
    [{ userData: { msclkid: 'x' } }, 'userData.msclkid'],
    [{ customData: { value: '9.99', currency: 'USD' } }, 'customData.value'],
    [{ customData: { value: 9.99 } }, 'customData.currency'],
    [{ customData: { pageType: 'checkout' } }, 'customData.pageType'],
    [{ customData: { items: [{ id: 'a', quantity: 0.5 }] } }, 'customData.items'],
    [{ eventType: 'pageLoad', customData: { value: 1, currency: 'USD' } }, 'customData.value'],
  ])('refuses %j for its %s, and only it', (change, propertyName) => {
    const { answer, events } = send([good, { ...good, ...change }]);
    expect(answer.status).toBe(200);
    const { error, eventsReceived } = JSON.parse(answer.body);
    expect(error.details).toMatchObject([{ index: 1, propertyName }]);
    expect(eventsReceived).toBe(1);
    expect(events.map(({ accepted }) => accepted)).toEqual([true, false]);
  });

  it('refuses all for one where it is not told to go on', () => {
    const { answer, events } = send([good, {}], { continueOnValidationError: false });
    expect(answer.status).toBe(400);
    expect(events.map(({ accepted }) => accepted)).toEqual([false, false]);
  });
});

describe('the Ads API', () => {
  const refunds = examples.find(({ title }) => title.startsWith('a refund'));
  if (refunds === undefined) throw new Error('no example of a refund');
  const adjusting = microsoft.buildRequest(
    refunds.events,
    microsoft.credentials.parse(refunds.credentials),
    refunds.context,
  );
  const [restated, retracted] = JSON.parse(adjusting.body).OnlineConversionAdjustments;
  const apply = (all: readonly unknown[], more: object = {}) =>
    sandbox.handle(
      asReceived({ ...adjusting, ...more }, { body: JSON.stringify({ OnlineConversionAdjustments: all }) }),
      {
        nowMs: Date.UTC(2026, 10, 23, 10),
        check: () => 'ok',
      },
    );

  it('takes adjustments, and counts none', () => {
    const { answer, events } = apply([restated, retracted]);
    expect(JSON.parse(answer.body)).toEqual({ PartialErrors: [] });
    expect(events).toMatchObject([
      { adjusts: true, accepted: true, account: '150012345', eventName: 'Restate', eventId: '1001' },
      { adjusts: true, accepted: true, eventName: 'Retract' },
    ]);
  });

  it.each([
    [{ TransactionId: '' }, 'TransactionIdNullOrEmpty'],
    [{ ConversionName: undefined }, 'OfflineConversionNameNullOrEmpty'],
    [{ AdjustmentTime: '2026-11-23T09:30:00' }, 'OfflineConversionAdjustmentTimeInvalid'],
    [{ AdjustmentTime: '2026-11-24T09:30:00Z' }, 'OfflineConversionFutureAdjustmentTimeCannotBeSet'],
    [{ AdjustmentType: 'Retract' }, 'OfflineConversionAdjustmentValueNotExpected'],
    [{ AdjustmentType: 'RETRACT' }, 'OfflineConversionInvalidAdjustmentType'],
    [{ AdjustmentValue: '39.98' }, 'OfflineConversionAdjustmentValueRequired'],
    [{ AdjustmentCurrencyCode: undefined }, 'OfflineConversionCurrencyValueRequired'],
    [{ OrderId: '1001' }, 'UnknownField'],
  ])('refuses %j by index, and only it', (change, ErrorCode) => {
    const { answer, events } = apply([retracted, { ...restated, ...change }]);
    expect(JSON.parse(answer.body).PartialErrors).toMatchObject([{ Index: 1, ErrorCode }]);
    expect(events.map(({ accepted }) => accepted)).toEqual([true, false]);
  });

  it('wants a developer token', () => {
    const { developertoken: _left, ...headers } = adjusting.headers;
    expect(apply([restated], { headers }).answer.status).toBe(400);
  });
});
