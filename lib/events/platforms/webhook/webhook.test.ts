// What is particular to Webhook; what every platform promises is in test/conformance/platforms.
import { describe, expect, it } from 'vitest';
import { sampleEvent } from '#test/support/sample-event.ts';
import { webhookCredentials } from './credentials.ts';
import platform from './index.ts';

const GOOD = { url: 'https://hooks.shop.example/x', secret: `whsec_${'A'.repeat(32)}` };
const problems = (changes: object): readonly string[] => {
  const { error } = webhookCredentials.safeParse({ ...GOOD, ...changes });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
};
const bodyOf = (template: unknown, changes = {}) =>
  JSON.parse(
    platform.buildRequest(
      [sampleEvent(changes)],
      { ...GOOD, body: JSON.stringify(template) },
      { test: false },
    ).body,
  ) as unknown;

describe('what is entered', () => {
  it.each([
    ['https://hooks.shop.example/a?b=c'],
    ['https://hooks.shop.example:8443/'],
    ['https://münchen.example/'],
    ['https://1.example/'],
  ])('may be %s', (url) => {
    expect(problems({ url })).toEqual([]);
  });

  it.each([
    ['http://hooks.shop.example/', 'https'],
    ['https://user:pw@hooks.shop.example/', 'user name'],
    ['https://hooks.shop.example/#a', 'fragment'],
    ['https://localhost/', 'public host'],
    ['https://169.254.169.254/latest', 'public host'],
    ['https://0x7f.1/', 'public host'],
    ['https://2130706433/', 'public host'],
    ['https://[::1]/', 'public host'],
    ['https://hooks.shop.example/ a', 'spaces'],
    ['ftp://hooks.shop.example/', 'https'],
    ['hooks', 'is not a URL'],
    [`https://hooks.shop.example/${'a'.repeat(2_100)}`, 'at most'],
  ])('is not %s', (url, words) => {
    expect(problems({ url })).toEqual([expect.stringMatching(`^url .*${words}`)]);
  });

  it.each([
    '',
    'whsec_',
    'whsec_short',
    `whsec_${'A'.repeat(100)}`,
    'A'.repeat(32),
    `whsec_${'é'.repeat(32)}`,
  ])('is no secret: %s', (secret) => {
    expect(problems({ secret })).toEqual([expect.stringMatching('^secret must be whsec_')]);
  });

  it.each<[unknown, string]>([
    ['{', 'must be a JSON object'],
    ['[]', 'must be a JSON object'],
    ['"{{type}}"', 'must be a JSON object'],
    ['{"a":"{{data.valeu}}"}', 'names {{data.valeu}}, which no event has'],
    ['{"a":"{{constructor}}"}', 'names {{constructor}}, which no event has'],
    ['{"a":"{{data}}}}"}', 'has {{ or }} around'],
    ['{"a":"{{ }}"}', 'has {{ or }} around'],
    ['{"a":"{{a b}}"}', 'has {{ or }} around'],
    [`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`, 'must be nested 10 deep'],
    [JSON.stringify({ a: Array(51).fill('{{type}}') }), 'may name 50'],
    [JSON.stringify({ a: 'x'.repeat(8_000) }), 'must have at most 8000'],
  ])('is no body: %s', (body, words) => {
    expect(problems({ body })).toEqual([expect.stringContaining(`body ${words}`)]);
  });

  it('may nest braces of JSON, and name what custom data has', () => {
    expect(problems({ body: '{"a":{"b":{"c":"{{data.custom_data.any_thing}} {{ data.value }}"}}}' })).toEqual(
      [],
    );
  });
});

describe('a body of one’s own form', () => {
  it('has values as they are, text inside of text, and nothing that the event has not', () => {
    const template = {
      n: '{{data.value}}',
      t: '{{data.order_id}}/{{data.none}}',
      list: '{{data.items}}',
      no: '{{data.custom_data.x}}',
      one: [1, '{{type}}', null],
    };
    expect(problems({ body: JSON.stringify(template) })).toEqual([expect.stringContaining('data.none')]);
    expect(bodyOf(template)).toEqual({
      n: 59.98,
      t: '1001/',
      list: [
        { id: 'SKU-1', quantity: 2, price: 24.99 },
        { id: 'SKU-2', quantity: 1, price: 10 },
      ],
      one: [1, 'purchase'],
    });
  });

  it('puts words of events in as text, whatever they are', () => {
    const orderId = '"},{{data.value}}\\n\u2028';
    expect(bodyOf({ a: 'x {{data.order_id}} y' }, { orderId })).toEqual({ a: `x ${orderId} y` });
    const customData = { note: '$& {{type}}' };
    expect(bodyOf({ a: 'x {{data.custom_data.note}}' }, { customData })).toEqual({ a: 'x $& {{type}}' });
    expect(bodyOf({ a: '{{data.custom_data.toString}}', b: '{{data.user.email_sha256.length}}' })).toEqual(
      {},
    );
  });

  it('is a test only where it says so', () => {
    const testable = (body?: string) => platform.testable?.(webhookCredentials.parse({ ...GOOD, body }));
    expect([testable(), testable('{"a":"{{test}}"}'), testable('{"a":"{{type}}"}')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it('has one id for all attempts of an event, which any text can be', () => {
  const idAt = (dedupId: string, nowMs: number) =>
    platform.buildRequest([sampleEvent({ dedupId })], GOOD, { test: false, nowMs }).headers['webhook-id'];
  expect(idAt('Größe 🛒\n', 1)).toBe(idAt('Größe 🛒\n', 2_000_000));
  expect(idAt('Größe 🛒\n', 1)).toMatch(/^msg_[\w-]{27}$/);
  expect(idAt('a', 1)).not.toBe(idAt('b', 1));
});

it.each<[number, string, string]>([
  [200, '', 'delivered'],
  [299, 'OK', 'delivered'],
  [200, ' <!doctype html>', 'retry'],
  [422, '{"error":{"code":"no"}}', 'permanent'],
  [422, '{"error":"no"}', 'retry'],
  [401, '{"error":{"code":"no"}}', 'auth'],
  [410, '{"error":{"code":"gone"}}', 'auth'],
  [410, '<html>', 'retry'],
  [409, '', 'duplicate'],
  [429, '', 'rate_limited'],
  [503, '{"error":{"code":"no"}}', 'retry'],
])('takes %i with %s for %s', (status, body, kind) => {
  const [outcome] = platform.readResponse({ kind: 'response', status, headers: {}, body }, [sampleEvent()]);
  expect(outcome?.kind).toBe(kind);
});
