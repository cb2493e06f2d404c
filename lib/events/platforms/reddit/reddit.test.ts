import { describe, expect, it } from 'vitest';
import { answersOf, invalid, sampleEvents } from '#test/support/platform-answers.ts';
import { SAMPLE_HASHED, SAMPLE_RAW, sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import reddit from './index.ts';

const credentials = reddit.credentials.parse({
  pixel_id: 'a2_abc123def',
  access_token: 'reddit-sandbox-token',
});
const request = (event: OutgoingEvent) => reddit.buildRequest([event], credentials, { test: false });
const build = (event: OutgoingEvent) => JSON.parse(request(event).body).data.events[0];
const uuid = 'b8f7eb7d-b357-437b-8bd3-e1c8166c7132';

describe('the event', () => {
  it.each([
    [`1795000000000.${uuid}`, true],
    [uuid, true],
    [uuid.toUpperCase(), true],
    ['1700000000.abcd-uuid', false],
    ['', false],
    [`x.${uuid}`, false],
    [`${uuid}0`, false],
  ])('takes the cookie value %j: %s', (rdt_uuid, taken) => {
    const { user } = build(sampleEvent({ raw: { browserIds: { rdt_uuid } } }));
    expect(user.uuid).toBe(taken ? rdt_uuid : undefined);
  });

  it('of a shop carries nothing of a device', () => {
    const raw = { ...SAMPLE_RAW, madid: 'aa', browserIds: { rdt_cid: 'c', rdt_uuid: uuid } };
    const event = build(sampleEvent({ actionSource: 'physical_store', raw }));
    expect(event.action_source).toBe('PHYSICAL_STORE');
    expect(Object.keys(event.user)).toEqual(['email', 'phone_number', 'external_id']);
    expect(event).not.toHaveProperty('click_id');
    expect(event).not.toHaveProperty('event_source_url');
  });

  it('writes the advertising id the way its maker does', () => {
    const madid = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
    const user = (userAgent: string) =>
      build(sampleEvent({ actionSource: 'app', raw: { madid, userAgent } })).user;
    expect(user('Shop/1 (iPhone; iOS 19.0)').idfa).toBe(madid.toUpperCase());
    expect(user('Shop/1 (iPhone; iOS 19.0)')).not.toHaveProperty('aaid');
    expect(user('Dalvik/2.1.0 (Linux; U; Android 16)').aaid).toBe(SAMPLE_HASHED.madid);
    expect(Object.keys(user('Shop/1'))).not.toContain('idfa');
    expect(Object.keys(user('Shop/1'))).not.toContain('aaid');
  });

  it.each([
    ['website', 'WEBSITE'],
    ['app', 'APP'],
    ['physical_store', 'PHYSICAL_STORE'],
    ['email', 'OTHER'],
    ['phone_call', 'OTHER'],
  ] as const)('of %s comes from %s', (actionSource, expected) => {
    expect(build(sampleEvent({ actionSource })).action_source).toBe(expected);
  });

  it('has a name of its own only where Reddit has none', () => {
    expect(build(sampleEvent()).type).toEqual({ tracking_type: 'PURCHASE' });
    const called = (name: string) => ({ tracking_type: 'CUSTOM', custom_event_name: name });
    expect(build(sampleEvent({ name: 'Login' })).type).toEqual(called('Login'));
    const custom = (customName: string) => build(sampleEvent({ name: 'Custom', customName })).type;
    for (const name of ['Spin The Wheel', 'LEAD']) expect(custom(name)).toEqual(called(name));
    expect([...custom('🎡'.repeat(100)).custom_event_name]).toHaveLength(64);
  });
});

describe('what is not sent', () => {
  it('events of nobody', () => {
    const nobody = { hashed: {}, raw: { clientIp: '203.0.113.7' } };
    expect(reddit.unsendable(sampleEvent(nobody))).toEqual(invalid('user_data'));
    expect(reddit.unsendable(strangersPageView())).toBeNull();
    const inShop = strangersPageView({ actionSource: 'physical_store' });
    expect(reddit.unsendable(inShop)?.detail).toBe('user_data');
    for (const browserIds of [{ rdt_cid: 'c' }, { rdt_uuid: uuid }])
      expect(reddit.unsendable(sampleEvent({ hashed: {}, raw: { browserIds } }))).toBeNull();
  });
});

describe('the answer', () => {
  const { read, kinds } = answersOf(reddit, sampleEvents('a', 'b', 'c'));
  const WRONG_TYPE = 'JSON error unexpected type number on field events event_metadata value';
  const three = (kind: string) => [kind, kind, kind];
  const fields = (...indices: readonly number[]) =>
    indices.map((i) => ({ field: `$.data.events[${i}].user.UUID`, message: 'invalid UUID' }));

  it.each([
    [200, { data: { message: 'Successfully processed 3 conversion events.' } }, 'delivered'],
    [200, { message: 'Successfully processed 3 conversion events.' }, 'delivered'],
    [200, { data: { message: 'Successfully processed 2 conversion events.' } }, 'retry'],
    [200, { data: { message: 'There were 3 invalid conversion events.' } }, 'retry'],
    [400, { error: { code: 400, message: 'Bad Request' } }, 'batch_refused'],
    [401, { error: { code: 401, message: 'No bearer token provided' } }, 'auth'],
    [401, { success: false, error: { reason: 'UNAUTHORIZED', explanation: 'expired' } }, 'auth'],
    [401, { error: { message: 'x', fields: fields(0) } }, 'auth'],
    [403, { success: false, error: { reason: 'UNAUTHORIZED', explanation: WRONG_TYPE } }, 'batch_refused'],
    [403, { error: { code: 403, message: 'Missing adsconversions scope' } }, 'auth'],
    [500, { error: { code: 500, message: 'unavailable', fields: fields(0) } }, 'retry'],
  ])('%i with %j means %s for all', (status, body, kind) => {
    expect(kinds(status, body)).toEqual(three(kind));
  });

  it.each([
    { code: 403, message: 'JSON schema validation failed', fields: [{ field: 'data', message: 'unknown' }] },
    { code: 403, message: 'Request does not match the schema' },
    { reason: 'FORBIDDEN', explanation: 'Unexpected field in the event' },
    { code: 403, message: 'Forbidden', fields: [{ field: '$.data.test_id', message: 'is no text' }] },
  ])('403 with %j is about the events: the connection goes on', (error) => {
    expect(kinds(403, { error })).toEqual(three('batch_refused'));
  });

  it('fails the named events alone, and sends the others again together', () => {
    const message = 'There were 2 invalid conversion events. None were processed.';
    const error = { code: 400, message, fields: fields(0, 2, 2) };
    const named = { kind: 'permanent', code: 'reddit.400', message: 'invalid UUID' };
    const other = { kind: 'batch_refused', code: 'reddit.400', message };
    expect(read(400, { error })).toEqual([named, other, named]);
    expect(kinds(403, { error })).toEqual(['permanent', 'batch_refused', 'permanent']);
    const naming = (...wrong: unknown[]) => kinds(400, { error: { ...error, fields: wrong } });
    expect(naming(...fields(7))).toEqual(three('batch_refused'));
    expect(naming({ field: 'data' }, null, 5)).toEqual(three('batch_refused'));
    expect(naming(...fields(0, 1, 2))).toEqual(three('permanent'));
  });

  it('understands version 2, which quotes the event', () => {
    const invalid_events = [
      { error_message: 'too old', event: { event_metadata: { conversion_id: 'b' } } },
      { error_message: 'too old', event: { metadata: { conversion_id: 'unknown' } } },
    ];
    const message = 'There were 1 invalid conversion events.';
    const refused = kinds(400, { message, invalid_events });
    expect(refused).toEqual(['batch_refused', 'permanent', 'batch_refused']);
  });

  it('keeps Reddit’s word for what is wrong with the token', () => {
    const [said] = read(401, { error: { reason: 'UNAUTHORIZED', explanation: 'expired' } });
    expect(said).toEqual({ kind: 'auth', code: 'reddit.UNAUTHORIZED', message: 'expired' });
  });
});
