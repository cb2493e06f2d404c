// What is particular to OpenAI Ads; what every platform promises is in test/conformance/platforms.
import { describe, expect, it } from 'vitest';
import { SAMPLE_RAW, sampleEvent } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import platform from './index.ts';

const credentials = { pixel_id: 'px1', api_key: 'sk-svcacct-0123456789' };
const sent = (changes: Partial<NormalizedEvent>) =>
  JSON.parse(platform.buildRequest([sampleEvent(changes)], credentials, { test: false }).body).events[0];

describe('OpenAI Ads does not get', () => {
  it.each<[Partial<NormalizedEvent>, string]>([
    [{ name: 'Refund' }, 'no_way'],
    [{ eventSourceUrl: 'app://cart' }, 'event_source_url'],
    [{ name: 'AppInstall' }, 'action_source'],
    [{ name: 'Custom', customName: 'app_opened' }, 'action_source'],
    [{ name: 'Custom', customName: '結帳' }, 'event_name'],
  ])('%j', (changes, detail) => {
    expect(platform.unsendable(sampleEvent(changes))?.detail).toBe(detail);
  });

  it('needs no page where the event has none', () => {
    const { eventSourceUrl: _left, ...bare } = sampleEvent({ actionSource: 'physical_store' });
    expect(platform.unsendable(bare)).toBeNull();
  });
});

describe('a name of one’s own', () => {
  it.each([
    ['Size Guide', 'size_guide'],
    ['--Größe--', 'gr_e'],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
    ['custom', 'custom_event'],
    ['ORDER-CREATED!', 'order-created'],
  ])('%s goes as %s', (customName, wanted) => {
    const { type, custom_event_name: name, data } = sent({ name: 'Custom', customName });
    expect([type, name, data.type]).toEqual(['custom', wanted, 'custom']);
  });

  it('that is one of theirs is theirs', () => {
    expect(sent({ name: 'Custom', customName: 'lead_created' })).toMatchObject({
      type: 'lead_created',
      data: { type: 'customer_action' },
    });
  });
});

it('the amounts are whole minor units, and prices that are none are left out', () => {
  const items = ['10', '10.5', '0.005'].map((price) => ({ id: 'a', quantity: '0.5', price }));
  expect(sent({ items }).data).toMatchObject({
    amount: 5_998,
    contents: [{ amount: 1_000 }, { amount: 1_050 }, {}],
  });
  expect(sent({ items }).data.contents[2]).toEqual({ id: 'a', content_type: 'product' });
  expect(sent({ value: '1200', currency: 'JPY' }).data.amount).toBe(1_200);
  expect(sent({ name: 'Lead' }).data).not.toHaveProperty('contents');
});

it('the click goes with the event, a city is cut, a postal code of other signs stays here', () => {
  const raw = { ...SAMPLE_RAW, browserIds: { oppref: 'oppref_abc' } };
  const plaintext = { city: 'x'.repeat(200), postalCode: '94025/7', country: 'US' };
  expect(sent({ raw, plaintext })).toMatchObject({ oppref: 'oppref_abc', user: { city: 'x'.repeat(128) } });
  expect(sent({ raw, plaintext }).user).not.toHaveProperty('zip_code');
  expect(sent({ raw, consent: { ad_storage: 'denied' } })).not.toHaveProperty('oppref');
});

describe('an answer', () => {
  const read = (status: number, body: unknown, count = 1) =>
    platform.readResponse(
      { kind: 'response', status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) },
      Array.from({ length: count }, () => sampleEvent()),
    )[0];

  it('of success says it by its status', () => {
    expect(read(200, {})).toEqual({ kind: 'delivered' });
    expect(read(200, '<html>')).toMatchObject({ kind: 'retry', maybeDelivered: true });
  });

  it.each([
    [400, 1, 'permanent'],
    [400, 2, 'batch_refused'],
    [401, 1, 'auth'],
    [404, 2, 'auth'],
  ])('%i to %i events is %s', (status, count, kind) => {
    expect(read(status, { error: { message: 'm', type: 'invalid_request_error' } }, count)?.kind).toBe(kind);
  });
});
