import { describe, expect, it } from 'vitest';
import { examples } from '#test/platforms/linkedin/examples.ts';
import { answersOf, sampleEvents } from '#test/support/platform-answers.ts';
import {
  SAMPLE_HASHED,
  SAMPLE_PLAINTEXT,
  sampleEvent,
  strangersPageView,
} from '#test/support/sample-event.ts';
import type { OutgoingEvent } from '../../domain/privacy/outgoing-event.ts';
import linkedin from './index.ts';

const credentials = linkedin.credentials.parse(examples[0]?.credentials);
const context = { test: false, accessToken: 'AQVtoken' };
const element = (event: OutgoingEvent, more: object = {}) =>
  JSON.parse(linkedin.buildRequest([event], { ...credentials, ...more }, context).body).elements[0];
const byToken = { event_ids: credentials.event_ids, access_token: 'AQV-made-by-hand-0123456789' };

describe('the credentials', () => {
  const { client_id, client_secret, refresh_token, event_ids } = credentials;
  const refresh = { client_id, client_secret, refresh_token };

  it.each([
    [{ ...refresh, event_ids }, true],
    [byToken, true],
    [{ event_ids }, false],
    [{ ...refresh, ...byToken }, false],
    [{ ...byToken, client_id }, false],
    [{ client_id, client_secret, event_ids }, false],
    [{ ...refresh, event_ids: {} }, false],
    [{ ...refresh, event_ids: { Purchase: 'urn:lla:1' } }, false],
    [{ ...refresh, event_ids: { Bought: '1' } }, false],
  ])('%j are valid: %s', (given, valid) => expect(linkedin.credentials.safeParse(given).success).toBe(valid));

  it('need an access token to be asked for unless they hold one', () => {
    const own = linkedin.credentials.parse(byToken);
    expect(linkedin.oauth?.needed?.(own, [])).toBe(false);
    expect(linkedin.oauth?.needed?.(credentials, [])).toBe(true);
    const request = linkedin.buildRequest([sampleEvent()], own, { test: false });
    expect(request.headers.authorization).toBe(`Bearer ${byToken.access_token}`);
    expect(request.secrets).toEqual([byToken.access_token]);
    expect(() => linkedin.buildRequest([sampleEvent()], credentials, { test: false })).toThrow(RangeError);
  });
});

describe('the request', () => {
  it('goes to the version of the connection', () => {
    const version = (more: { readonly version?: string }) =>
      linkedin.buildRequest([sampleEvent()], credentials, { ...context, ...more }).headers[
        'linkedin-version'
      ];
    expect([version({}), version({ version: '202607' })]).toEqual([linkedin.api.version, '202607']);
  });

  it('sends names only in pairs, and no empty list', () => {
    const { firstName: _none, ...plaintext } = SAMPLE_PLAINTEXT;
    expect(element(sampleEvent({ plaintext })).user).toEqual({
      userIds: [{ idType: 'SHA256_EMAIL', idValue: SAMPLE_HASHED.emailPlain }],
      externalIds: ['Cust-42'],
    });
    expect(element(sampleEvent({ plaintext: {} })).user).not.toHaveProperty('externalIds');
  });

  it('sends the click id', () => {
    const { userIds } = element(sampleEvent({ raw: { browserIds: { li_fat_id: 'uuid' } } })).user;
    expect(userIds[1]).toEqual({ idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: 'uuid' });
  });

  it('sends addresses of version 4 only, and only where switched on', () => {
    const ips = (clientIp: string, send_ip_address: boolean) =>
      element(sampleEvent({ raw: { clientIp } }), { send_ip_address }).user.userIds.slice(1);
    expect(ips('203.0.113.7', true)).toEqual([{ idType: 'PLAINTEXT_IP_ADDRESS', idValue: '203.0.113.7' }]);
    expect(ips('203.0.113.7', false)).toEqual([]);
    expect(ips('2001:db8::1', true)).toEqual([]);
  });
});

describe('what is not sent', () => {
  it('is what has no rule, and nobody to match', () => {
    const only = { ...credentials, event_ids: { Purchase: '1' } };
    expect(linkedin.unsendable(sampleEvent({ name: 'Lead' }), only)?.verdict).toBe('unmapped');
    expect(linkedin.unsendable(sampleEvent({ name: 'Lead' }))).toBeNull();
    expect(linkedin.unsendable(sampleEvent({ hashed: {}, raw: {} }))?.detail).toBe('user_data');
  });

  it('is what only its address tells, once the connection says that addresses are not sent', () => {
    const stranger = strangersPageView();
    expect(linkedin.unsendable(stranger)).toBeNull();
    expect(linkedin.unsendable(stranger, credentials)?.detail).toBe('user_data');
    expect(linkedin.unsendable(stranger, { ...credentials, send_ip_address: true })).toBeNull();
  });
});

it('leaves out the version, of which earlier releases made a credential, and which is refused where it is entered', () => {
  const upgraded = linkedin.upgradeCredentials?.({ ...credentials, api_version: '202511' });
  expect(upgraded).toEqual(credentials);
  expect(linkedin.credentials.safeParse(upgraded).success).toBe(true);
  expect(linkedin.credentials.safeParse({ ...credentials, api_version: '202608' }).success).toBe(false);
});

describe('the answer', () => {
  const { read, kinds } = answersOf(linkedin, sampleEvents('a', 'b', 'c'), {});
  const [p, b] = ['permanent', 'batch_refused'];

  it.each([
    [401, { code: 'INVALID_ACCESS_TOKEN', serviceErrorCode: 65600 }, 'auth', 'linkedin.INVALID_ACCESS_TOKEN'],
    [401, { serviceErrorCode: 65601 }, 'auth', 'linkedin.65601'],
    [403, { code: 'ACCESS_DENIED', serviceErrorCode: 100 }, 'auth', 'linkedin.ACCESS_DENIED'],
    [426, { status: 426, code: 'NONEXISTENT_VERSION' }, 'auth', 'linkedin.no_such_version'],
    [504, { message: 'timeout' }, 'retry', 'linkedin.504'],
    [400, { message: 'no' }, 'batch_refused', 'linkedin.400'],
    [404, { code: 'NOT_FOUND' }, 'batch_refused', 'linkedin.NOT_FOUND'],
    [422, { message: 'ERROR :: no index' }, 'batch_refused', 'linkedin.422'],
    [201, {}, 'retry', 'unreadable_answer'],
    [200, { elements: 'none' }, 'retry', 'unreadable_answer'],
    [200, { elements: [{ status: 201 }] }, 'retry', 'wrong_count'],
  ])('%i %j means %s', (status, body, kind, code) => {
    const expected = { kind, code, ...(status >= 500 ? { maybeDelivered: true } : {}) };
    expect(read(status, body)).toEqual(Array(3).fill(expect.objectContaining(expected)));
  });

  it('refuses the events it names, and lets the others go again', () => {
    expect(kinds(400, { message: 'wrong, indices [0, 2] (0-indexed)' })).toEqual([p, b, p]);
    expect(kinds(400, { message: 'wrong, indices [7] (0-indexed)' })).toEqual([b, b, b]);
    const message = 'Index: 0, ERROR :: /a :: x\nERROR :: /b :: y\nIndex: 2, ERROR :: /c :: z\n';
    const outcomes = read(422, { message });
    expect(outcomes.map(({ kind }) => kind)).toEqual([p, b, p]);
    expect(outcomes[0]?.message).toBe('ERROR :: /a :: x ERROR :: /b :: y');
    expect(outcomes[2]?.message).toBe('ERROR :: /c :: z');
    expect(kinds(503, { message: 'Index: 0, ERROR :: /a :: x' })).toEqual(['retry', 'retry', 'retry']);
  });

  it('reads the status of each event', () => {
    const of = (...elements: unknown[]) => kinds(200, { elements });
    const mixed = of({ status: 201 }, { status: 422, error: { message: 'x' } }, { status: 500 });
    expect(mixed).toEqual(['delivered', 'permanent', 'retry']);
    expect(of({ status: 429 }, { status: 403 }, null)).toEqual(['rate_limited', 'auth', 'retry']);
  });
});
