import { describe, expect, it } from 'vitest';
import linkedin from '#lib/events/platforms/linkedin/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/linkedin/examples.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = linkedin.credentials.parse(examples[0]?.credentials);
const context = { test: false, accessToken: 'AQVtoken' };

describe('the sandbox', () => {
  const send = (headers: object, change: (body: { elements: Record<string, unknown>[] }) => void) => {
    const request = linkedin.buildRequest([sampleEvent(), sampleEvent()], credentials, context);
    const body = JSON.parse(request.body);
    change(body);
    const { answer } = sandbox.handle(
      asReceived(request, { headers: { ...request.headers, ...headers }, body: JSON.stringify(body) }),
      {
        nowMs: 1_795_176_060_000,
        check: () => 'ok',
        credentialsOf: () => ({ event_ids: { Purchase: '20013' } }),
      },
    );
    return `${answer.status} ${JSON.parse(answer.body).message}`;
  };
  const second = (part: object) => (body: { elements: Record<string, unknown>[] }) =>
    Object.assign(body.elements[1] ?? {}, part);

  it.each([
    ['a missing user', {}, second({ user: {} }), /^422 Index: 1, ERROR :: \/user\/userIds/],
    ['one name', {}, second({ user: { userIds: [], userInfo: { firstName: 'J' } } }), /^422 .*lastName/],
    [
      'a number for an amount',
      {},
      second({ conversionValue: { currencyCode: 'USD', amount: 5 } }),
      /^422 .*amount/,
    ],
    ['an unknown rule', {}, second({ conversion: 'urn:lla:llaPartnerConversion:9' }), /^400 .*indices \[1\]/],
    [
      'a plain e-mail',
      {},
      second({ user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: 'j@x.com' }] } }),
      /^400 .*indices \[1\]/,
    ],
    ['a version that has ended', { 'linkedin-version': '202510' }, () => {}, /^426/],
    ['a version to come', { 'linkedin-version': '202612' }, () => {}, /^426/],
    ['a list sent as one event', { 'x-restli-method': 'CREATE' }, () => {}, /^422/],
  ])('refuses %s', (_, headers, change, said) => expect(send(headers, change)).toMatch(said));

  it('takes the same request unchanged', () => expect(send({}, () => {})).toBe('200 undefined'));
});
