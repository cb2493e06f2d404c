// What bad input gets: a 4xx with a reason, whatever the bytes; never a 5xx, never a stack.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiHost, type ApiRequest, codeOf, MINE, openApi } from './api-host.ts';
import { normalizedRow, store } from './stored-rows.ts';

let host: ApiHost;
let token = '';
beforeAll(async () => {
  host = await openApi();
  token = host.session('owner');
  await store(host.events, normalizedRow({ eventId: 'order-1' }), normalizedRow({ eventId: 'a/b c%' }));
});
const ask = (url: string, request: ApiRequest = {}) => host.call(url, { token, ...request });
const post = (body: unknown, headers: Record<string, string> = {}) =>
  ask('/v1/platforms', { method: 'POST', body, headers });
const META = { pixel_id: '1234567890', access_token: 'secret-access-token' };

describe('bodies', () => {
  const good = JSON.stringify({ platform: 'meta', credentials: META });
  const wrongJson: readonly (readonly [string, string | Uint8Array])[] = [
    ['a word', 'hello'],
    ['truncated JSON', good.slice(0, -1)],
    ['two documents', good + good],
    ['two byte order marks', `\ufeff\ufeff${good}`],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['bad UTF-8', Buffer.concat([Buffer.from('{"platform":"'), Buffer.of(0xff), Buffer.from('"}')])],
    ['a duplicate key', good.replace('{', '{"platform":"ga4",')],
    ['a duplicate key deep inside', good.replace('"pixel_id"', '"pixel_id":"99999","pixel_id"')],
    ['__proto__', good.replace('{', '{"__proto__":{"admin":true},')],
    ['NUL', good.replace('secret', 'sec\\u0000ret')],
    ['a lone surrogate', good.replace('secret', 'sec\\ud800ret')],
    ['1e400', good.replace('"1234567890"', '1e400')],
    ['depth 21', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`],
    ['depth 100,000', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['a million brackets', '['.repeat(1_000_000)],
    ['NaN', '{"platform":NaN}'],
    ['form data', 'platform=meta&credentials=x'],
  ];
  it.each(wrongJson)('400 invalid_json: %s', async (_name, body) => {
    const reply = await post(body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_json']);
  });

  const wrongShape: readonly (readonly [string, unknown])[] = [
    ['null', null],
    ['an array', [1]],
    ['a number', 5],
    ['an empty object', {}],
    ['an unknown platform', { platform: 'myspace', credentials: META }],
    ['a platform that is an inherited name', { platform: 'constructor', credentials: META }],
    ['no credentials', { platform: 'meta' }],
    ['credentials of another platform', { platform: 'ga4', credentials: META }],
    ['an unknown field', { platform: 'meta', credentials: META, admin: true }],
    ['an unknown credential', { platform: 'meta', credentials: { ...META, extra: 1 } }],
    ['a wrong type', { platform: 'meta', credentials: { ...META, pixel_id: 1234567890 } }],
    ['a blank name', { platform: 'meta', credentials: META, name: '  ' }],
    ['a long name', { platform: 'meta', credentials: META, name: 'x'.repeat(101) }],
    ['100,000 keys', Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]))],
  ];
  it.each(wrongShape)('400 invalid_request with details: %s', async (_name, body) => {
    const reply = await post(body === null ? 'null' : body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(reply.text.length).toBeLessThan(10_000);
    expect(reply.text).not.toContain(META.access_token);
  });

  it('names the path of what is wrong', async () => {
    const reply = await post({ platform: 'meta', credentials: { ...META, pixel_id: 'x' } });
    expect(reply.body).toMatchObject({ details: [{ path: 'credentials.pixel_id' }] });
  });

  it('treats an empty body as none, whatever its type says', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(codeOf(await ask('/v1/platforms', { method: 'POST', body: '', headers }))).toBe('invalid_request');
    expect(codeOf(await ask('/v1/platforms', { method: 'POST' }))).toBe('invalid_request');
    const remove = await ask('/v1/platforms/con_none', { method: 'DELETE', body: '', headers });
    expect([remove.status, codeOf(remove)]).toEqual([404, 'not_found']);
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/vnd.api+json'],
    ['text/json'],
    ['json'],
    ['*/*'],
  ])('415: %s', async (type) => {
    const reply = await post(good, { 'content-type': type });
    expect([reply.status, codeOf(reply)]).toEqual([415, 'unsupported_media_type']);
  });

  it.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON;charset=UTF-8']])(
    'takes %s',
    async (type) => {
      expect((await post(good, { 'content-type': type })).status).toBeLessThan(300);
    },
  );

  it('413 above the limit, however it is announced', async () => {
    const big = JSON.stringify({ platform: 'x'.repeat(1_100_000) });
    const reply = await post(big);
    expect([reply.status, codeOf(reply)]).toEqual([413, 'payload_too_large']);
  });

  it('stores nothing of what it refuses', async () => {
    const before = await host.config.listConnections(MINE);
    await post(good.replace('{', '{"platform":"ga4",'));
    await post({ platform: 'tiktok', credentials: {} });
    expect(await host.config.listConnections(MINE)).toEqual(before);
  });
});

describe('paths and methods', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/event',
    '/V1/events',
    '/v1//events',
    '/v2/events',
    '/v1/events/order-1/',
    '/v1/events/order-1/explain/x',
    '/v1/events/order-1/deliveries',
    '/v1/platforms/a/b',
    '/favicon.ico',
    '/.env',
    '/v1/events/../platforms/x/y',
    `/v1/${'x'.repeat(5_000)}`,
  ])('404 route_not_found: %s', async (url) => {
    const reply = await ask(url);
    expect([reply.status, codeOf(reply)]).toEqual([404, 'route_not_found']);
  });

  it.each([
    ['POST', '/v1/events', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/events/order-1', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1/platforms', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/v1/platforms/con_1', 'DELETE, OPTIONS, PATCH'],
    ['HEAD', '/v1/platforms/con_1', 'DELETE, OPTIONS, PATCH'],
    ['PATCH', '/v1/analytics/overview', 'GET, HEAD, OPTIONS'],
    ['POST', '/v1/events/order-1/explain?x=1', 'GET, HEAD, OPTIONS'],
    // What is spelled out is no id: the routes of `/v1/members/:id` are not there.
    ['DELETE', '/v1/members/invitations', 'OPTIONS, POST'],
    ['PATCH', '/v1/members/invitations?x=1', 'OPTIONS, POST'],
    ['DELETE', '/v1/members/invitations/accept', 'OPTIONS, POST'],
    ['DELETE', '/v1/platforms/preview', 'OPTIONS, POST'],
  ])('405 with Allow: %s %s', async (method, url, allow) => {
    const reply = await ask(url, { method });
    expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
  });

  it('answers HEAD like GET, without the body', async () => {
    const reply = await ask('/v1/events', { method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it.each([
    ['order-1', 200],
    ['order%2D1', 200],
    ['a%2Fb%20c%25', 200],
    ['order-1%00', 404],
    ['%E0%A4%A', 400],
    ['%zz', 400],
    ['', 404],
    ['x'.repeat(232), 404],
    ['x'.repeat(20_000), 404],
    ['%F0%9F%98%80'.repeat(231), 404],
    ['__proto__', 404],
    ['constructor', 404],
    ["'%20OR%201=1--", 404],
    ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404],
  ])('reads the id %s', async (id, status) => {
    expect((await ask(`/v1/events/${id}`)).status).toBe(status);
  });
});

describe('queries', () => {
  it.each([
    'limit=0',
    'limit=101',
    'limit=1e2',
    'limit=0x10',
    'limit=%207',
    'limit=-1',
    'limit=',
    'limit=5&limit=6',
    'limit[]=5',
    'offset=10001',
    'offset=1.5',
    'outcome=lost',
    'outcome=toString',
    'orderBy=name',
    'orderBy=toString',
    'orderDirection=up',
    'platform=myspace',
    'platform=META',
    'status=Delivered',
    'status=',
    'event_name=',
    'search=',
    'search=%20',
    `search=${'x'.repeat(300)}`,
    'start=yesterday',
    'start=2026-02-30',
    'start=2026-11-20T10:00:00',
    'start=1e9',
    'start=-1',
    'start=99999999999999',
    'end=2026-13-01',
    'start=2026-11-20&end=2026-11-20',
    'start=2020-01-01',
    'cursor=x',
    'cursor=e30',
    'cursor=eyJvIjoxfQ',
    'offset=1&cursor=e30',
    'unknown=1',
    '__proto__=1',
    'constructor=1',
    'a=%zz',
  ])('400: ?%s', async (query) => {
    const reply = await ask(`/v1/events?${query}`);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
  });

  it.each(['overview', 'volume', 'coverage'])('400 for an unknown range of %s', async (name) => {
    for (const query of ['range=1d', 'range=', 'range=24H', 'range=7d&range=7d', 'days=7']) {
      expect((await ask(`/v1/analytics/${name}?${query}`)).status).toBe(400);
    }
  });
});

describe('headers', () => {
  it('keeps a request id that is one, and makes one where it is not', async () => {
    const echo = async (id: string) =>
      (await ask('/v1/events', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await echo('abc-123')).toBe('abc-123');
    for (const id of ['', 'a b', '<script>', 'x'.repeat(129), 'a\tb']) expect(await echo(id)).not.toBe(id);
  });
});

describe('failures inside', () => {
  const broken = (error: Error) =>
    openApi(() => ({
      events: {
        read: async () => Promise.reject(error),
        readMany: async () => Promise.reject(error),
        received: async () => Promise.reject(error),
      },
    }));
  const named = (name: string, extra: object = {}) =>
    Object.assign(new Error('table arn:aws:secret'), { name }, extra);

  it.each([
    ['throttling', named('ProvisionedThroughputExceededException', { $fault: 'client' })],
    ['a server fault', named('InternalServerError', { $fault: 'server' })],
    ['a refused connection', named('Error', { code: 'ECONNREFUSED' })],
    ['a timeout', named('TimeoutError')],
    ['a cause', new Error('x', { cause: named('Error', { code: 'ECONNRESET' }) })],
    ['both addresses refused', new AggregateError([named('Error', { code: 'ECONNREFUSED' })])],
  ])('503 with Retry-After: %s', async (_name, error) => {
    const away = await broken(error);
    const reply = await away.call('/v1/events/x', { token: away.session() });
    expect([reply.status, codeOf(reply), reply.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    expect(reply.text).not.toContain('arn');
    expect(away.reports).toHaveLength(1);
  });

  it.each([
    ['a bug', new TypeError('cannot read properties of undefined (table arn:aws:secret)')],
    ['a request DynamoDB refuses', named('ValidationException', { $fault: 'client' })],
    ['an error that claims a status', named('Error', { statusCode: 404 })],
  ])('500 without a word about it: %s', async (_name, error) => {
    const buggy = await broken(error);
    const reply = await buggy.call('/v1/events', { token: buggy.session() });
    expect(reply.body).toEqual({
      error: 'Something failed on our side; the request may be repeated.',
      code: 'internal_error',
    });
    expect(reply.status).toBe(500);
    expect(buggy.reports).toEqual([{ problem: 'GET /v1/events failed', error }]);
  });
});
