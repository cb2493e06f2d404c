import { describe, expect, it } from 'vitest';
import { ACTION_SOURCES } from '#lib/events/domain/event/event.ts';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import tiktok from './index.ts';

const credentials = tiktok.credentials.parse({
  event_source_id: 'C4ABCDEFGH123',
  access_token: 'tiktok-sandbox-token',
});
const build = (event: Parameters<typeof tiktok.buildRequest>[0][number], more: object = {}) =>
  JSON.parse(tiktok.buildRequest([event], { ...credentials, ...more }, { test: false }).body);

describe('the request', () => {
  it('goes to the web source under current names unless told otherwise', () => {
    expect(credentials).toMatchObject({ event_source: 'web', legacy_event_names: false });
    expect(build(sampleEvent()).data[0].event).toBe('Purchase');
    const legacy = { legacy_event_names: true };
    expect(build(sampleEvent({ name: 'Lead' }), legacy).data[0].event).toBe('SubmitForm');
    expect(build(sampleEvent({ name: 'AddToCart' }), legacy).data[0].event).toBe('AddToCart');
    expect(build(sampleEvent(), { event_source: 'offline' }).event_source).toBe('offline');
  });

  it('names pages of the web only', () => {
    for (const url of ['/checkout', 'javascript:alert(1)', 'shop.example'])
      expect(build(sampleEvent({ eventSourceUrl: url, referrerUrl: url })).data[0]).not.toHaveProperty(
        'page',
      );
  });

  it('is not for what happened in a shop or by phone, unless the source is an offline one', () => {
    for (const actionSource of ['physical_store', 'phone_call'] as const)
      for (const [event_source, taken] of [
        ['web', false],
        ['app', false],
        ['offline', true],
        ['crm', true],
      ] as const) {
        const problem = tiktok.unsendable(sampleEvent({ actionSource }), { ...credentials, event_source });
        expect(problem).toEqual(taken ? null : invalid('action_source'));
      }
    expect(tiktok.unsendable(sampleEvent({ actionSource: 'email' }), credentials)).toBeNull();
  });

  it('is of one of web, app and offline, wherever it happened: with all connected it counts once', () => {
    const takenBy = (event: Parameters<typeof tiktok.buildRequest>[0][number]) =>
      (['web', 'app', 'offline', 'crm'] as const).filter(
        (event_source) =>
          tiktok.unsendable(event, { ...credentials, event_source })?.detail !== 'action_source',
      );
    const taken = Object.fromEntries(
      ACTION_SOURCES.map((actionSource) => [actionSource, takenBy(sampleEvent({ actionSource })).join(' ')]),
    );
    expect(taken).toEqual({
      ...{ website: 'web', app: 'app', physical_store: 'offline crm', phone_call: 'offline crm' },
      ...{ email: 'web crm', chat: 'web crm', business_messaging: 'web crm' },
      ...{ system_generated: 'web crm', other: 'web crm' },
    });
  });

  it('keeps custom properties, but not in place of its own', () => {
    const customData = { search_string: 'shoes', description: 'd', value: 'x', currency: 1, contents: {} };
    const { properties } = build(strangersPageView({ customData })).data[0];
    expect(properties).toEqual({ query: 'shoes', description: 'd' });
  });
});

describe('what is not sent', () => {
  it('events of nobody', () => {
    const knownBy = (raw: object) => tiktok.unsendable(sampleEvent({ hashed: {}, raw }));
    expect(knownBy({})).toEqual(invalid('user_data'));
    expect(knownBy({ clientIp: '203.0.113.7' })?.detail).toBe('user_data');
    expect(knownBy({ clientIp: '203.0.113.7', userAgent: 'x' })).toBeNull();
  });
});

describe('the answer', () => {
  const events = sampleEvents('a', 'b');
  const { read, kinds } = answersOf(tiktok, events);

  it.each([
    [0, 200, 'delivered'],
    [0, 500, 'retry'],
    ['0', 200, 'delivered'],
    [40102, 401, 'auth'],
    [40002, 400, 'batch_refused'],
    [99, 200, 'retry'],
  ])('%s with status %i means %s', (code, status, kind) => {
    expect(kinds(status, { code, message: 'm', request_id: 'r' })).toEqual([kind, kind]);
  });

  it('names the refused ones of a part by id or index, wherever the list is', () => {
    const partly = (data: unknown) => kinds(200, { code: 20001, message: 'partial', data });
    const second = { failed_events: [{ event_id: 'b', error_code: 40002 }] };
    expect(partly(second)).toEqual(['delivered', 'permanent']);
    expect(partly([{ index: 0, error_msg: 'x' }])).toEqual(['permanent', 'delivered']);
    const ofNoEvent = { failed_events: [{ index: 7 }, { index: -1 }, null, 5] };
    for (const unclear of [{ failed_events: [{ event_id: 'unknown' }] }, ofNoEvent, undefined])
      expect(partly(unclear)).toEqual(['batch_refused', 'batch_refused']);
    const retry = { kind: 'retry', code: 'tiktok.20001', maybeDelivered: true };
    expect(read(200, { code: 20001 }, events.slice(1))).toEqual([retry]);
  });
});
