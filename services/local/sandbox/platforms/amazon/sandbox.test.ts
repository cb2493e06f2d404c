import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import amazon from '#lib/events/platforms/amazon/index.ts';
import { examples } from '#test/platforms/amazon/examples.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { SAMPLE_RAW, sampleEvent, strangersPageView } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = amazon.credentials.parse(examples[0]?.credentials);

describe('the sandbox', () => {
  const context = {
    nowMs: sampleEvent().receivedAtMs,
    check: (account: string, secret: string) => {
      if (secret !== credentials.refresh_token) return 'wrong_secret' as const;
      return ['', credentials.account_id].includes(account) ? ('ok' as const) : ('unknown_account' as const);
    },
  };
  const tokenOf = (own: typeof credentials) => {
    const request = amazon.oauth?.buildTokenRequest(own);
    if (request === undefined) throw new Error('no token source');
    const { answer } = sandbox.handle(asReceived(request), context);
    return amazon.oauth?.readTokenResponse({ kind: 'response', ...answer });
  };
  const token = tokenOf(credentials);
  const accessToken = token?.kind === 'token' ? token.accessToken : '';
  const send = (event: OutgoingEvent, change: object = {}, headers: Record<string, string> = {}) => {
    const request = amazon.buildRequest([event], credentials, { test: false, accessToken });
    const [first] = JSON.parse(request.body).events;
    const body = JSON.stringify({ events: [{ ...first, ...change }] });
    return sandbox.handle(
      asReceived(request, { body, headers: { ...request.headers, ...headers } }),
      context,
    );
  };

  it('gives tokens for an hour to who has the refresh token, and knows them again', () => {
    expect(token).toMatchObject({ kind: 'token', expiresInSec: 3_600 });
    expect(tokenOf({ ...credentials, refresh_token: 'Atzr|another-token' })).toMatchObject({
      kind: 'auth',
      code: 'oauth.invalid_grant',
    });
    expect(send(sampleEvent()).events).toMatchObject([{ accepted: true, value: 59.98, currency: 'USD' }]);
    const expired = { ...context, nowMs: context.nowMs + 3_700_000 };
    const request = amazon.buildRequest([sampleEvent()], credentials, { test: false, accessToken });
    expect(sandbox.handle(asReceived(request), expired).answer.status).toBe(401);
  });

  it('knows one event per id, whatever its name', () => {
    const [purchase] = send(sampleEvent()).events;
    const [lead] = send(sampleEvent({ name: 'Lead' })).events;
    expect(purchase?.dedupeKey).toBe(lead?.dedupeKey);
  });

  it.each([
    [{ countryCode: 'us' }, 'countryCode'],
    [{ eventTime: '1795176000' }, 'eventTime'],
    [{ eventTime: '2001-09-09T01:46:40.000Z' }, 'eventTime'],
    [{ matchKeys: [] }, 'matchKeys'],
    [{ matchKeys: [{ type: 'EMAIL', values: ['jane@example.com'] }] }, 'matchKeys.values'],
    [{ matchKeys: [{ type: 'FIP', values: ['a', 'b'] }] }, 'matchKeys.0.values'],
    [{ matchKeys: [{ type: 'SSN', values: ['a'] }] }, 'matchKeys.0.type'],
    [{ value: '9.99' }, 'value'],
    [{ value: 12.345 }, 'value'],
    [{ currencyCode: 'ISK' }, 'currencyCode'],
    [{ unitsSold: 0.5 }, 'unitsSold'],
    [{ consent: undefined }, 'consent'],
    [{ consent: { amazonConsent: { amznAdStorage: 'GRANTED' } } }, 'consent.amazonConsent.amznUserData'],
    [{ customData: [{ name: 'a', value: '9.99' }] }, 'customData.0.value'],
    [{ eventDescription: {} }, 'eventDescription.conversionType'],
  ])('refuses %j for its %s', (change, field) => {
    const { answer, events } = send(sampleEvent(), change);
    expect(answer.status).toBe(207);
    expect(JSON.parse(answer.body).error[0]).toMatchObject({
      index: 0,
      errors: [{ fieldLocation: `$.events[0].${field}` }],
    });
    expect(events).toMatchObject([{ accepted: false }]);
  });

  it('refuses other accounts, foreign tokens and unnamed clients', () => {
    const status = (headers: Record<string, string>) => send(sampleEvent(), {}, headers).answer.status;
    expect(status({ 'amazon-ads-accountid': '999' })).toBe(403);
    expect(status({ authorization: 'Bearer Atza|foreign' })).toBe(401);
    expect(status({ 'amazon-ads-clientid': '' })).toBe(400);
  });

  it('takes a stranger’s page view by the address', () => {
    expect(send(strangersPageView({ raw: SAMPLE_RAW })).events).toMatchObject([
      { accepted: true, eventName: 'PAGE_VIEW' },
    ]);
  });
});
