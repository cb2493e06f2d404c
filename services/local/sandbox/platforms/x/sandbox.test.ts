import { describe, expect, it } from 'vitest';
import x from '#lib/events/platforms/x/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/x/examples.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const credentials = x.credentials.parse(examples[0]?.credentials);
const NOW_MS = 1_795_176_060_000;
const context = { test: false, nowMs: NOW_MS, nonce: 'nonce' };

describe('the sandbox', () => {
  const send = (
    { nowMs = NOW_MS, ...keys }: Partial<typeof credentials> & { nowMs?: number },
    change: (conversion: Record<string, unknown>) => void = () => {},
    tamper: (authorization: string) => string = (same) => same,
  ) => {
    const request = x.buildRequest([sampleEvent()], { ...credentials, ...keys }, { ...context, nowMs });
    const body = JSON.parse(request.body);
    change(body.conversions[0]);
    const { authorization = '' } = request.headers;
    const headers = { authorization: tamper(authorization) };
    const { answer } = sandbox.handle(asReceived(request, { headers, body: JSON.stringify(body) }), {
      nowMs: NOW_MS,
      check: () => 'ok',
      credentialsOf: () => credentials,
    });
    const { errors } = JSON.parse(answer.body);
    return errors === undefined ? answer.status : `${answer.status} ${errors[0].code}: ${errors[0].message}`;
  };

  it('checks the signature, and the time it was made', () => {
    expect(send({})).toBe(200);
    const refused = '401 UNAUTHORIZED_ACCESS: This request is not properly authenticated';
    expect(send({ consumer_secret: 'another-secret' })).toBe(refused);
    expect(send({ access_token_secret: 'another-secret' })).toBe(refused);
    expect(send({ consumer_key: 'another-key' })).toBe(refused);
    expect(send({ nowMs: NOW_MS - 301_000 })).toBe(refused);
    expect(send({ nowMs: NOW_MS - 299_000 })).toBe(200);
    expect(send({}, undefined, (header) => header.replace('nonce="nonce"', 'nonce="other"'))).toBe(refused);
    expect(send({}, undefined, () => 'Bearer abc')).toBe(refused);
    expect(send({}, undefined, () => '')).toBe(refused);
  });

  const identified =
    (...identifiers: object[]) =>
    (conversion: Record<string, unknown>) =>
      (conversion.identifiers = identifiers);
  const NOBODY = 'At least one user identifier must be provided';
  const NO_TIME = 'Expected time, got "1795176000" for conversion_time';
  it.each<[string, (conversion: Record<string, unknown>) => void, string]>([
    ['nobody', identified({ user_agent: 'x' }), NOBODY],
    ['an address that stands alone', identified({ ip_address: '203.0.113.7' }), NOBODY],
    [
      'a plain e-mail',
      identified({ hashed_email: 'jane@example.com' }),
      'Hashed_email is not a valid SHA-256 hash',
    ],
    ['seconds for a time', (c) => (c.conversion_time = 1_795_176_000), NO_TIME],
    ['no pieces', (c) => (c.number_items = 0), 'Expected positive integer for number_items'],
    ['no such currency', (c) => (c.price_currency = 'USDT'), 'Expected currency for price_currency'],
    ['a value that is none', (c) => (c.value = 'free'), 'Expected number for value'],
  ])('refuses %s', (_, change, message) =>
    expect(send({}, change)).toBe(`400 INVALID_PARAMETER: ${message}`),
  );

  it('does not know event ids of others', () =>
    expect(send({}, (c) => (c.event_id = 'ol999'))).toBe(
      '404 WEB_EVENT_TAG_NOT_FOUND: Web event tag was not found',
    ));
});
