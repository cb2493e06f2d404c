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
