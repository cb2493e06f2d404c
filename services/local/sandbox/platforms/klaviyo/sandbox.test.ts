import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import type { KlaviyoCredentials } from '#lib/events/platforms/klaviyo/credentials.ts';
import klaviyo from '#lib/events/platforms/klaviyo/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/klaviyo/examples.ts';
import { SAMPLE_PLAINTEXT, sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = klaviyo.credentials.parse(examples[0]?.credentials);
const request = (event: OutgoingEvent, own: Partial<KlaviyoCredentials> = {}) =>
  klaviyo.buildRequest([event], { ...credentials, ...own }, { test: false });

describe('the sandbox', () => {
  const context = {
    nowMs: sampleEvent().receivedAtMs,
    check: (_account: string, secret: string) =>
      secret === credentials.private_api_key ? ('ok' as const) : ('wrong_secret' as const),
  };
  const lead = request(sampleEvent({ name: 'Lead' }));
  const send = (change: object) => {
    const { data } = JSON.parse(lead.body);
    const body = JSON.stringify({ data: { ...data, attributes: { ...data.attributes, ...change } } });
    return sandbox.handle(asReceived(lead, { body }), context);
  };
  const profileOf = (attributes: object) => ({ profile: { data: { type: 'profile', attributes } } });

  it('counts an order with its products once, with the order’s money', () => {
    const reply = sandbox.handle(asReceived(request(sampleEvent())), context);
    expect(reply.answer).toEqual({ status: 202, headers: {}, body: '' });
    expect(reply.events).toMatchObject([
      { eventName: 'Placed Order', eventId: 'order-1001', accepted: true, value: 59.98, currency: 'USD' },
    ]);
  });

  it('tells people and metrics apart, not spellings of a request', () => {
    const key = (event: OutgoingEvent, own: Partial<KlaviyoCredentials> = {}) =>
      sandbox.handle(asReceived(request(event, own)), context).events[0]?.dedupeKey;
    expect(key(sampleEvent())).toBe(key(sampleEvent(), { ordered_product: false }));
    expect(key(sampleEvent())).not.toBe(key(sampleEvent({ name: 'Refund' })));
    const other = { ...SAMPLE_PLAINTEXT, email: 'john@example.com' };
    expect(key(sampleEvent())).not.toBe(key(sampleEvent({ plaintext: other })));
  });

  it.each([
    [{ value: '9.99' }, 'value'],
    [{ value_currency: 'dollars' }, 'value_currency'],
    [{ time: '20 November 2026' }, 'time'],
    [{ time: '1989-12-31T00:00:00Z' }, 'time'],
    [{ time: '2028-01-01T00:00:00Z' }, 'time'],
    [{ properties: undefined }, 'properties'],
    [
      { metric: { data: { type: 'metric', attributes: { name: 'x'.repeat(128) } } } },
      'metric/data/attributes/name',
    ],
    [{ backfill: 'yes' }, 'backfill'],
    [{ event_id: 'x' }, 'event_id'],
    [profileOf({ first_name: 'Jane' }), 'profile/data/attributes'],
    [profileOf({ email: 'jane' }), 'profile/data/attributes/email'],
    [profileOf({ phone_number: '650 555 1212' }), 'profile/data/attributes/phone_number'],
    [profileOf({ email: 'a@b.co', em: 'x' }), 'profile/data/attributes/em'],
    [profileOf({ email: 'a@b.co', location: { postal: '1' } }), 'profile/data/attributes/location/postal'],
  ])('refuses %j at %s', (change, pointer) => {
    const { answer, events } = send(change);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).errors).toMatchObject([
      { code: 'invalid', source: { pointer: `/data/attributes/${pointer}` } },
    ]);
    expect(events).toMatchObject([{ accepted: false }]);
  });

  it('refuses an order that names a product’s id twice, and takes nothing of it', () => {
    const built = request(sampleEvent());
    const body = built.body.replace('order-1001:2', 'order-1001:1');
    const { answer, events } = sandbox.handle(asReceived(built, { body }), context);
    expect(events).toMatchObject([{ accepted: false }]);
    const result = { kind: 'response' as const, ...answer };
    expect(klaviyo.readResponse(result, [sampleEvent()])[0]).toMatchObject({ kind: 'duplicate' });
  });

  it.each([
    [{ authorization: '' }, 401],
    [{ authorization: 'Klaviyo-API-Key pk_other' }, 401],
    [{ authorization: `Bearer ${credentials.private_api_key}` }, 401],
    [{ revision: '' }, 400],
    [{ revision: '2023-02-22' }, 410],
    [{ 'content-type': 'text/plain' }, 415],
  ])('refuses the headers %j with %i', (headers, status) => {
    const changed = asReceived(lead, { headers: { ...lead.headers, ...headers } });
    expect(sandbox.handle(changed, context).answer.status).toBe(status);
  });

  it.each([
    [{ email: 'jane@example.com' }, 202],
    [{ phone_number: '+16505551212' }, 202],
    [{ email: 'jane@example.com', phone_number: '+16505551212' }, 400],
    [{ email: 'jane' }, 400],
    [{ phone_number: '650 555 1212' }, 400],
    [{ external_id: 'c-1' }, 400],
    [{}, 400],
  ])('deletes by exactly one identifier: %j', (attributes, status) => {
    const body = JSON.stringify({
      data: {
        type: 'data-privacy-deletion-job',
        attributes: { profile: { data: { type: 'profile', attributes } } },
      },
    });
    const url = 'https://a.klaviyo.com/api/data-privacy-deletion-jobs';
    const { answer, events } = sandbox.handle(asReceived({ ...lead, url }, { body }), context);
    expect(answer.status).toBe(status);
    expect(events).toMatchObject([{ deletes: true, accepted: status === 202 }]);
  });
});
