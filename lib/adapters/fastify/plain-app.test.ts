// Goal: a product with plain failures answers exactly what its contract says, for any request. Method: made-up routes
// of every kind it has; each answer to the last character.
import { describe, expect, it } from 'vitest';
import { type HostRequest, inject } from '#test/contract/any-host.ts';
import { documentedAnswers } from '#test/support/documented-answers.ts';
import { NOTE_ID, openPlainApp, PLAIN_ROUTES } from '#test/support/plain-routes.ts';
import { plainOpenApiDocument } from '../../core/http/openapi-plain.ts';

type Host = Awaited<ReturnType<typeof openPlainApp>>;
const about = { title: 'Notes', version: '1', description: '', parts: { helpdesk: '' }, part: 'helpdesk' };
const isDocumented = documentedAnswers(PLAIN_ROUTES, plainOpenApiDocument(PLAIN_ROUTES, about));

async function ask({ app }: Pick<Host, 'app'>, url: string, asked: HostRequest = {}) {
  const { method, status, headers, text } = await inject(app, url, asked);
  expect(isDocumented({ method, path: url, status, headers, text })).toEqual([]);
  const sent = text === '' ? undefined : JSON.parse(text);
  if (status >= 400 && method !== 'HEAD') expect(sent).toEqual({ error: expect.stringMatching(/^.+$/) });
  return { status, headers, body: sent, error: sent?.error as unknown };
}

const V1 = '/api/v1/notes';
const READ = `/api/notes/${NOTE_ID}`;
const CLOSE = `${READ}/close`;
const WAKE = `${READ}/snooze`;

describe('credentials', () => {
  it.each([
    ['no key', {}, 401, 'Missing or invalid API key'],
    ['a session', { token: 'owner' }, 401, 'Missing or invalid API key'],
    ['no key of any kind', { key: 'x' }, 401, 'Missing or invalid API key'],
    ['an empty key', { key: '' }, 401, 'Missing or invalid API key'],
  ])('of a path for keys: %s', async (_name, asked, status, error) => {
    const host = await openPlainApp();
    const answer = await ask(host, READ, asked);
    expect([answer.status, answer.error]).toEqual([status, error]);
    expect(answer.headers['www-authenticate']).toBe('ApiKey');
    expect((await ask(host, READ, { key: host.keys.reads })).status).toBe(200);
  });

  it.each([
    ['nothing', () => ({}), 401],
    ['a session of a member', () => ({ token: 'member' }), 200],
    ['a session of nobody here', () => ({ token: 'nobody' }), 403],
    ['a bad token', () => ({ token: 'NO' }), 401],
    ['a key', ({ keys }: Host) => ({ key: keys.reads }), 200],
    ['a key as a bearer token', ({ keys }: Host) => ({ token: keys.reads }), 401],
    ['a key of another product', ({ keys }: Host) => ({ key: keys.events }), 401],
    ['a bad key beside a good session', () => ({ key: 'x', token: 'owner' }), 401],
    ['an empty key beside a good session', () => ({ key: '', token: 'owner' }), 401],
    ['a good key beside a bad session', ({ keys }: Host) => ({ key: keys.reads, token: 'NO' }), 200],
  ])('of a path for keys and sessions: %s', async (_name, asked, status) => {
    const host = await openPlainApp();
    const answer = await ask(host, V1, asked(host));
    expect(answer.status).toBe(status);
    if (status !== 401) return;
    expect(answer.error).toBe('Missing or invalid credentials');
    expect(answer.headers['www-authenticate']).toBe('Bearer, ApiKey');
  });

  it('open what their scope or role has', async () => {
    const host = await openPlainApp();
    const body = { text: 'a' };
    for (const asked of [{ key: host.keys.reads }, { token: 'member' }]) {
      const answer = await ask(host, V1, { method: 'POST', body, ...asked });
      expect([answer.status, answer.error]).toEqual([403, 'Missing required scope: write:notes']);
    }
    for (const asked of [{ key: host.keys.all }, { token: 'owner' }])
      expect((await ask(host, V1, { method: 'POST', body, ...asked })).status).toBe(201);
  });

  it('are looked at before anything of the body', async () => {
    const host = await openPlainApp();
    for (const body of ['{', 'x'.repeat(1_100_000)]) {
      expect((await ask(host, V1, { method: 'POST', body })).status).toBe(401);
      expect((await ask(host, V1, { method: 'POST', body, key: host.keys.reads })).status).toBe(403);
    }
  });
});

describe('what is refused', () => {
  it.each([
    ['an unknown path', 'GET', '/api/nothing', 404, 'Not found'],
    ['a path that is none', 'GET', '/api/notes/%zz', 400, 'Invalid request'],
    ['another method', 'PATCH', READ, 405, 'Method not allowed'],
    ['an id that cannot be one', 'GET', '/api/notes/7', 404, 'Note not found'],
    ['an id nobody has', 'GET', READ.replace(/1$/, '2'), 404, 'Note not found'],
    ['a very long id', 'GET', `/api/notes/${'a'.repeat(5_000)}`, 404, 'Not found'],
  ])('%s', async (_name, method, url, status, error) => {
    const host = await openPlainApp();
    const answer = await ask(host, url, { method, key: host.keys.all });
    expect([answer.status, answer.error]).toEqual([status, error]);
    if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD');
  });

  it.each([
    ['no body', undefined, {}, 400, 'Request body is required'],
    ['an empty body', '', {}, 400, 'Request body is required'],
    ['a list', '[]', {}, 400, 'Request body must be a JSON object'],
    ['null', 'null', {}, 400, 'Request body must be a JSON object'],
    ['text', '"a"', {}, 400, 'Request body must be a JSON object'],
    ['half an object', '{"text":', {}, 400, 'Malformed JSON'],
    [
      'a key twice',
      '{"text":"a","text":"b"}',
      {},
      400,
      'Request body must not give a key twice in one object',
    ],
    ['NUL', '{"text":"\\u0000"}', {}, 400, 'Request body must not contain NUL characters'],
    ['half a character', '{"text":"\\ud800"}', {}, 400, 'Request body must not contain lone surrogates'],
    ['1e400', '{"text":1e400}', {}, 400, 'Request body must not contain numbers beyond 1.8e308'],
    [
      'a deep one',
      `{"a":${'['.repeat(30)}${']'.repeat(30)}}`,
      {},
      400,
      'Request body must not nest deeper than 20',
    ],
    ['a field too few', '{}', {}, 400, 'text: is required'],
    ['a field too long', '{"text":"aaaaaaaaaaaaa"}', {}, 400, 'text: must be at most 10 characters long'],
    ['a bad entry', '{"text":"a","tags":["a",1]}', {}, 400, 'tags.1: must be text'],
    [
      'another type',
      'text=a',
      { 'content-type': 'text/plain' },
      415,
      'Content-Type must be application/json',
    ],
    ['a form', 'a', { 'content-type': 'multipart/form-data' }, 415, 'Content-Type must be application/json'],
    ['too much', `{"text":"${'a'.repeat(1_100_000)}"}`, {}, 413, 'Request body too large'],
    ['a record that is there', '{"text":"twice"}', {}, 409, 'Note already exists'],
    ['what fails elsewhere', '{"text":"away"}', {}, 503, 'Service temporarily unavailable'],
    ['what fails here', '{"text":"bug"}', {}, 500, 'Internal server error'],
    [
      'a bad key of idempotency',
      '{"text":"a"}',
      { 'idempotency-key': 'a b' },
      400,
      'idempotency-key: must be 1 to 255 characters of ASCII, without spaces',
    ],
  ])('%s', async (_name, body, headers, status, error) => {
    const host = await openPlainApp();
    const answer = await ask(host, V1, { method: 'POST', key: host.keys.all, body, headers });
    expect([answer.status, answer.error]).toEqual([status, error]);
    if (status === 503) expect(answer.headers['retry-after']).toBe('1');
    if (status < 500) expect(host.reports).toEqual([]);
  });

  it('a body without a type', async () => {
    const { app, keys } = await openPlainApp();
    const headers = { 'x-api-key': keys.all, 'content-length': '12' };
    const answer = await app.inject({
      method: 'POST',
      url: V1,
      headers,
      payload: Buffer.from('{"text":"a"}'),
    });
    expect([answer.statusCode, answer.payload]).toEqual([
      415,
      '{"error":"Content-Type must be application/json"}',
    ]);
  });

  it('an outage of the store of keys, with 503', async () => {
    const down = Object.assign(new Error('x'), { name: 'ThrottlingException' });
    const host = await openPlainApp({ authenticate: () => Promise.reject(down) });
    const answer = await ask(host, V1, { key: 'x' });
    expect([answer.status, answer.error]).toEqual([503, 'Service temporarily unavailable']);
  });
});

describe('bodies that may be absent', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  it.each([
    ['no body', undefined, {}, { reason: null, hadBody: false }],
    ['an empty one that says it is JSON', undefined, JSON_TYPE, { reason: null, hadBody: false }],
    ['one of no characters', '', JSON_TYPE, { reason: null, hadBody: false }],
    ['an empty object', '{}', {}, { reason: null, hadBody: true }],
    ['all of it', '{"reason":"done"}', {}, { reason: 'done', hadBody: true }],
  ])('%s', async (_name, body, headers, expected) => {
    const host = await openPlainApp();
    const answer = await ask(host, CLOSE, { method: 'POST', key: host.keys.all, body, headers });
    expect([answer.status, answer.body]).toEqual([200, expected]);
  });

  it.each([[undefined], [''], ['{}']])('DELETE ignores %j', async (body) => {
    const host = await openPlainApp();
    const asked = { method: 'DELETE', key: host.keys.all, body, headers: JSON_TYPE };
    expect((await ask(host, WAKE, asked)).body).toEqual({ success: true });
  });

  it('null is a body', async () => {
    const host = await openPlainApp();
    const answer = await ask(host, CLOSE, { method: 'POST', key: host.keys.all, body: 'null' });
    expect([answer.status, answer.error]).toEqual([400, 'Request body must be a JSON object']);
  });
});

describe('queries', () => {
  it.each([
    ['', { limit: 20, offset: 0 }],
    [
      '?limit=100&offset=10000&search=%20a%20&state=new',
      { limit: 100, offset: 10_000, search: 'a', state: 'new' },
    ],
    ['?limit=007', { limit: 7, offset: 0 }],
    ['?search=&unknown=1', { limit: 20, offset: 0 }],
    ['?search=%20', { limit: 20, offset: 0 }],
  ])('%s', async (query, expected) => {
    const host = await openPlainApp();
    expect((await ask(host, `${V1}${query}`, { key: host.keys.reads })).body).toEqual({ query: expected });
  });

  const LIMIT = 'limit: must be between 1 and 100';
  const OFFSET = 'offset: must be between 0 and 10000';
  it.each([
    ...['0', '101', '1000', '-1', '1e2', '0x10', '%207', '+5', '5.0', '', '٣', 'NaN'].map((v) => [
      `limit=${v}`,
      LIMIT,
    ]),
    ...['-1', '10001', '1e4', ''].map((v) => [`offset=${v}`, OFFSET]),
    ['limit=1&limit=2', 'limit: must be given once'],
    ['search=a&search=b', 'search: must be given once'],
    [`search=${'a'.repeat(201)}`, 'search: must be at most 200 characters long'],
    ['state=bogus', 'state: must be one of new, done'],
    ['state=', 'state: must be one of new, done'],
  ])('?%s is refused', async (query, error) => {
    const host = await openPlainApp();
    const answer = await ask(host, `${V1}?${query}`, { key: host.keys.reads });
    expect([answer.status, answer.error]).toEqual([400, error]);
  });
});

it('tells pages of the deployment which headers they may send and read', async () => {
  const { app, keys } = await openPlainApp();
  const origin = 'https://desk.example';
  const asked = await app.inject({ method: 'OPTIONS', url: V1, headers: { origin } });
  expect(asked.headers['access-control-allow-headers']).toMatch(/authorization.*, x-api-key$/);
  const answer = await app.inject({ url: V1, headers: { origin, 'x-api-key': keys.reads } });
  expect(answer.headers['access-control-expose-headers']).toContain(
    'etag, idempotent-replayed, x-ratelimit-',
  );
  const other = await app.inject({ url: V1, headers: { origin: 'https://a.example' } });
  expect(other.headers).not.toHaveProperty('access-control-allow-origin');
});

describe('limits', () => {
  const rateOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
    ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);

  it('count each credential and route by itself, and show it on every answer', async () => {
    const host = await openPlainApp();
    const key = host.keys.reads;
    expect(rateOf(await ask(host, V1, { key }))).toEqual(['3', '2', '60']);
    // A refused query counts as a call; a call without permission does not.
    expect(rateOf(await ask(host, `${V1}?limit=0`, { key }))).toEqual(['3', '1', '60']);
    expect(rateOf(await ask(host, V1))).toEqual([undefined, undefined, undefined]);
    expect(rateOf(await ask(host, V1, { method: 'HEAD', key }))).toEqual(['3', '0', '60']);
    host.clock.advance(20_500);
    const refused = await ask(host, V1, { key });
    expect([refused.status, refused.error]).toEqual([429, 'Rate limit exceeded. Retry after 40 seconds.']);
    expect([...rateOf(refused), refused.headers['retry-after']]).toEqual(['3', '0', '40', '40']);
    expect((await ask(host, V1, { key: host.keys.all })).status).toBe(200);
    expect((await ask(host, V1, { token: 'member' })).status).toBe(200);
    expect((await ask(host, READ, { key })).status).toBe(200);
    host.clock.advance(39_500);
    expect(rateOf(await ask(host, V1, { key }))).toEqual(['3', '2', '60']);
  });

  it('come before the body is looked at, and 401 and 403 before them', async () => {
    const host = await openPlainApp();
    for (let i = 0; i < 4; i++) await ask(host, V1, { key: host.keys.reads });
    expect(host.limiter.ids()).toHaveLength(1);
    await ask(host, V1, { method: 'POST', key: host.keys.reads, body: '{' });
    await ask(host, V1);
    expect(host.limiter.ids()).toHaveLength(1);
    const limiter = { take: async () => ({ granted: false, remaining: 0, resetSec: 7 }) };
    const { app, clock, keys } = await openPlainApp({ limits: { limiter, clock: host.clock } });
    expect(clock.now()).toBe(host.clock.now());
    for (const body of ['{', 'x'.repeat(1_100_000)])
      expect((await ask({ app }, V1, { method: 'POST', key: keys.all, body })).status).toBe(429);
  });

  it('let calls through where they cannot be asked, and say so', async () => {
    const limiter = { take: () => Promise.reject(new Error('the table is away')) };
    const { clock } = await openPlainApp();
    const host = await openPlainApp({ limits: { limiter, clock, failedPerMinute: 1 } });
    const answer = await ask(host, V1, { key: host.keys.reads });
    expect([answer.status, ...rateOf(answer)]).toEqual([200, undefined, undefined, undefined]);
    expect((await ask(host, V1, { key: 'x' })).status).toBe(401);
    expect(host.reports.map(({ problem }) => problem)).toHaveLength(2);
  });

  it('stop an address whose credentials fail, and none that is let in', async () => {
    const host = await openPlainApp();
    const from = (remoteAddress: string, key: string) =>
      host.app.inject({ url: READ, remoteAddress, headers: { 'x-api-key': key } });
    for (let i = 0; i < 60; i++) expect((await from('192.0.2.1', 'x')).statusCode).toBe(401);
    const refused = await from('192.0.2.1', 'x');
    expect([refused.statusCode, refused.headers['retry-after'], refused.payload]).toEqual([
      429,
      '60',
      '{"error":"Rate limit exceeded. Retry after 60 seconds."}',
    ]);
    expect((await from('192.0.2.1', host.keys.reads)).statusCode).toBe(200);
    expect((await from('192.0.2.2', 'x')).statusCode).toBe(401);
    // A household is one client.
    for (let i = 0; i < 60; i++) await from(`2001:db8::${i.toString(16)}`, 'x');
    expect((await from('2001:db8::ffff', 'x')).statusCode).toBe(429);
    // Who sends nothing tries nothing.
    expect((await host.app.inject({ url: READ, remoteAddress: '192.0.2.1' })).statusCode).toBe(401);
    host.clock.advance(60_000);
    expect((await from('192.0.2.1', 'x')).statusCode).toBe(401);
  });

  it('are not forgotten where a route has one', async () => {
    const { app, ...host } = await openPlainApp();
    expect(host.reports).toEqual([]);
    await expect(openPlainApp({ limits: undefined } as object)).rejects.toThrow('nothing counts its calls');
    await app.close();
  });
});

describe('versions and repeated requests', () => {
  it('answers 304 to who has a copy, and 412 to who has another version', async () => {
    const host = await openPlainApp();
    const key = host.keys.all;
    const first = await ask(host, READ, { key });
    expect(first.headers.etag).toBe('"7"');
    const again = await ask(host, READ, { key, headers: { 'if-none-match': 'W/"7"' } });
    expect([again.status, again.body]).toEqual([304, undefined]);
    const close = (ifMatch: string) =>
      ask(host, CLOSE, { method: 'POST', key, headers: { 'if-match': ifMatch } });
    expect((await close('"7"')).status).toBe(200);
    const stale = await close('"6"');
    expect([stale.status, stale.error]).toEqual([412, 'Precondition failed']);
  });

  it('answers a repeated request as before, and refuses another one under its key', async () => {
    const host = await openPlainApp();
    const post = (text: string) =>
      ask(host, V1, {
        method: 'POST',
        key: host.keys.all,
        body: { text },
        headers: { 'idempotency-key': 'k' },
      });
    const first = await post('twice');
    const again = await post('twice');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await post('b');
    expect([other.status, other.error]).toEqual([
      422,
      'Idempotency-Key was already used with a different request',
    ]);
  });
});
