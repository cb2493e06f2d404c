import { describe, expect, it } from 'vitest';
import { sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import tiktok from './index.ts';

const credentials = tiktok.credentials.parse({
  event_source_id: 'C4ABCDEFGH123',
  access_token: 'tiktok-sandbox-token',
});
const build = (event: Parameters<typeof tiktok.unsendable>[0], more: object = {}) =>
  JSON.parse(tiktok.buildRequest([event], { ...credentials, ...more }, { test: false }).body);

describe('the request', () => {
  it('goes to the web source under current names unless told otherwise', () => {
    expect(credentials).toMatchObject({ event_source: 'web', legacy_event_names: false });
    expect(build(sampleEvent()).data[0].event).toBe('Purchase');
    expect(build(sampleEvent({ name: 'Lead' }), { legacy_event_names: true }).data[0].event).toBe(
      'SubmitForm',
    );
    expect(build(sampleEvent({ name: 'AddToCart' }), { legacy_event_names: true }).data[0].event).toBe(
      'AddToCart',
    );
    expect(build(sampleEvent(), { event_source: 'offline' }).event_source).toBe('offline');
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
        expect(problem).toEqual(taken ? null : { verdict: 'invalid', detail: 'action_source' });
      }
    expect(tiktok.unsendable(sampleEvent({ actionSource: 'email' }), credentials)).toBeNull();
  });

  it('keeps custom properties, but not in place of its own', () => {
    const customData = { search_string: 'shoes', description: 'd', value: 'x', currency: 1, contents: {} };
    expect(build(strangersPageView({ customData })).data[0].properties).toEqual({
      query: 'shoes',
      description: 'd',
    });
  });
});

describe('what is not sent', () => {
  it('events of nobody', () => {
    expect(tiktok.unsendable(sampleEvent({ hashed: {}, raw: {} }))).toEqual({
      verdict: 'invalid',
      detail: 'user_data',
    });
    expect(tiktok.unsendable(sampleEvent({ hashed: {}, raw: { clientIp: '203.0.113.7' } }))?.detail).toBe(
      'user_data',
    );
    expect(
      tiktok.unsendable(sampleEvent({ hashed: {}, raw: { clientIp: '203.0.113.7', userAgent: 'x' } })),
    ).toBeNull();
  });
});

describe('the answer', () => {
  const events = [sampleEvent({ dedupId: 'a' }), sampleEvent({ dedupId: 'b' })];
  const read = (body: unknown, status = 200, sent = events) =>
    tiktok.readResponse(
      { kind: 'response', status, headers: { 'retry-after': '4' }, body: JSON.stringify(body) },
      sent,
    );

  it.each([
    [0, 200, 'delivered'],
    [0, 500, 'retry'],
    ['0', 200, 'delivered'],
    [40102, 401, 'auth'],
    [40002, 400, 'batch_refused'],
    [99, 200, 'retry'],
  ])('%s with status %i means %s', (code, status, kind) => {
    expect(read({ code, message: 'm' }, status).map((outcome) => outcome.kind)).toEqual([kind, kind]);
  });

  it('names the refused ones of a part by id or index, wherever the list is', () => {
    const kinds = (data: unknown) => read({ code: 20001, message: 'partial', data }).map(({ kind }) => kind);
    expect(kinds({ failed_events: [{ event_id: 'b', error_code: 40002 }] })).toEqual([
      'delivered',
      'permanent',
    ]);
    expect(kinds([{ index: 0, error_msg: 'x' }])).toEqual(['permanent', 'delivered']);
    expect(kinds({ failed_events: [{ event_id: 'unknown' }] })).toEqual(['batch_refused', 'batch_refused']);
    expect(kinds({ failed_events: [{ index: 7 }, { index: -1 }, null, 5] })).toEqual([
      'batch_refused',
      'batch_refused',
    ]);
    expect(kinds(undefined)).toEqual(['batch_refused', 'batch_refused']);
    expect(read({ code: 20001 }, 200, events.slice(1))).toEqual([
      { kind: 'retry', code: 'tiktok.20001', maybeDelivered: true },
    ]);
  });
});
