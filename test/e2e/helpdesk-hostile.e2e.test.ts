// Goal: whatever arrives at the running helpdesk, and however much of it, is answered 2xx or 4xx, a failure always exactly
// `{error: sentence}`; nothing is stored of what was refused, nobody else is held up, and the sweep finds nothing it cannot do.
// Method: the embedded host, over real sockets, at the helpdesk's own address and at the one origin.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { type Host, startHost } from '../../services/local/host.ts';
import { type Desk, type DeskAnswer, deskAt, shapeProblems, withKey, withSession } from './desk.ts';

const UNKNOWN_ID = '11111111-1111-1111-1111-111111111111';
const ROUTES = (HELPDESK_ROUTES as readonly Route[]).filter(({ auth }) => auth !== 'public');

let host: Host;
let folder: string;
let desk: Desk;
const errors: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-hostile-'));
  host = await startHost({
    portBase: 0,
    dataDir: folder,
    sweepIntervalMs: 250,
    onError: (text) => errors.push(text),
  });
  desk = deskAt(host.session.helpdesk_url, withKey(host.session.helpdesk_api_key));
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newKey(): Promise<{ readonly id: string; readonly secret: string }> {
  const scopes = ['read:contacts', 'write:contacts', 'write:webhooks', 'read:tickets', 'write:tickets'];
  const { body, text } = await deskAt(host.session.helpdesk_url, withSession(host.session.session_jwt))(
    'POST',
    '/api/v1/api-keys',
    { body: { name: 'hostile', scopes } },
  );
  const { api_key, secret } = body as { api_key: { id: string }; secret: string };
  expect(text).toContain('hdk_live_');
  return { id: api_key.id, secret };
}

describe('rate limits', () => {
  /** A window begins with its first call; all of these must be in it. */
  const WINDOW_MS = 50_000;

  /** Ten clients at once, until 75 calls of a new key were answered. */
  async function rush(
    path: string,
  ): Promise<{ readonly answers: readonly DeskAnswer[]; readonly key: string }> {
    for (;;) {
      const { id, secret: key } = await newKey();
      const startedMs = performance.now();
      let left = 75;
      const client = async (): Promise<DeskAnswer[]> => {
        const answers: DeskAnswer[] = [];
        const own = deskAt(host.session.helpdesk_url, withKey(key));
        while (left-- > 0) answers.push(await own('GET', path));
        return answers;
      };
      const answers = (await Promise.all(Array.from({ length: 10 }, client))).flat();
      if (performance.now() - startedMs < WINDOW_MS) return { answers, key };
      await desk('DELETE', `/api/v1/api-keys/${id}`);
    }
  }

  it('let 60 of a minute through, from however many clients, and tell the others when to come back', async () => {
    const { answers, key } = await rush('/api/tickets');
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const answer of refused) {
      expect(shapeProblems(answer)).toEqual([]);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    }
    const remaining = answers.filter(({ status }) => status === 200);
    expect(new Set(remaining.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(60);

    const same = deskAt(host.session.helpdesk_url, withKey(key));
    expect((await same('GET', '/api/contacts')).status).toBe(200);
    expect((await same('GET', `/api/tickets/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await desk('GET', '/api/tickets')).status).toBe(200);
  });

  it('stop whoever guesses keys, and not who has one at the same address', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 130 }, (_, i) =>
        deskAt(host.session.helpdesk_url, withKey(`hdk_live_${i}`))('GET', '/api/tickets'),
      ),
    );
    expect([...new Set(guesses.map(({ status }) => status))].sort()).toEqual([401, 429]);
    expect(guesses.flatMap(shapeProblems)).toEqual([]);
    expect((await desk('GET', '/api/webhooks')).status).toBe(200);
  });
});

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
const BODIES: readonly (readonly [string, string | Uint8Array])[] = [
  ['deep nesting', '['.repeat(100_000)],
  ['closed nesting', `{"body":${deep(30)}}`],
  ['a hundred thousand keys', keys(100_000)],
  ['truncated UTF-8', new Uint8Array([0x22, 0xc3])],
  ['overlong UTF-8', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ['a lone surrogate', '{"body":"\\udfff"}'],
  ['1e309', '{"body":1e309}'],
  ['a key twice', '{"body":"a","body":"b"}'],
  ['__proto__', '{"__proto__":{"scopes":["manage:workspace"]}}'],
  ['half of it', '{"body":"a'],
  ['white space', ' \n\t '],
  ['NUL bytes', new Uint8Array(1_000)],
  ['a list', '[{}]'],
  ['text', '"body"'],
  ['every type but the right one', '{"body":{},"email":[],"ticket_id":7,"url":null,"title":{},"scopes":"*"}'],
];
const QUERIES = [
  'limit=%00',
  'limit=1e9',
  'search=%ff',
  'search=%F0%9F%98%80',
  'cursor=%zz',
  'status[]=x',
  'a=1&a=2',
];

describe('hostile input', () => {
  it('is a 4xx in the one shape at every route, and leaves nothing', async () => {
    const { total: before } = (await desk('GET', '/api/v1/conversations?limit=1')).body as { total: number };
    const problems: string[] = [];
    for (const { method, path } of ROUTES) {
      const url = path.replaceAll(/:\w+/g, UNKNOWN_ID);
      const sent: readonly (readonly [string, Promise<DeskAnswer>])[] =
        method === 'GET'
          ? QUERIES.map((query) => [query, desk(method, `${url}?${query}`)])
          : BODIES.map(([name, body]) => [name, desk(method, url, { body })]);
      for (const [name, answering] of sent) {
        const answer = await answering;
        const what = `${method} ${path} ${name}`;
        problems.push(...shapeProblems(answer).map((problem) => `${what}: ${problem}`));
        // Routes without a query look at none, and those without a body at none.
        if (answer.status >= 500) problems.push(`${what}: ${answer.status}`);
      }
    }
    expect(problems).toEqual([]);
    const { total } = (await desk('GET', '/api/v1/conversations?limit=1')).body as { total: number };
    expect(total).toBe(before);
  });

  it.each([
    ['a body larger than Lambda takes', 'POST', '/api/tickets', 'x'.repeat(7 * 1_048_576), 413],
    ['a body larger than a route takes', 'POST', '/api/tickets', `{"body":"${'x'.repeat(2_000_000)}"}`, 413],
    ['a path of no route', 'GET', '/api/nothing', undefined, 404],
    ['another case', 'GET', '/API/tickets', undefined, 404],
    ['a path that cannot be read', 'GET', '/api/tickets/%zz', undefined, 400],
    ['NUL in a path', 'GET', '/api/tickets/%00', undefined, 404],
    ['a long path', 'GET', `/api/tickets/${'x'.repeat(10_000)}`, undefined, 404],
    ['another method', 'PUT', '/api/tickets', '{}', 405],
    ['a method nobody knows', 'PROPFIND', '/api/tickets', undefined, 405],
    ['a slash too many', 'GET', '/api/tickets/', undefined, 404],
    ['no route at all', 'GET', '/api/', undefined, 404],
  ] as const)(
    '%s is refused in the one shape, at both addresses',
    async (_name, method, path, body, status) => {
      for (const base of [host.session.helpdesk_url, host.session.origin_url]) {
        if (path.startsWith('/API') && base === host.session.origin_url) continue;
        const answer = await deskAt(base, withKey(host.session.helpdesk_api_key))(method, path, { body });
        expect([base, answer.status, shapeProblems(answer)]).toEqual([base, status, []]);
      }
    },
  );

  it.each<[string, Record<string, string>, number]>([
    ['a type that is none', { 'content-type': 'x' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['an encoding it is not in', { 'content-encoding': 'gzip' }, 400],
    ['an encoding nobody knows', { 'content-encoding': 'x' }, 415],
    ['a key that is none', { 'x-api-key': '\u00ff' }, 401],
    ['a very long key', { 'x-api-key': 'k'.repeat(10_000) }, 401],
    ['an idempotency key that is none', { 'idempotency-key': 'k'.repeat(300) }, 400],
  ])('a header with %s is refused', async (_name, headers, status) => {
    const body = '{"customer_email":"a@b.co","subject":"a","body":"b"}';
    const answer = await desk('POST', '/api/tickets', { body, headers });
    expect([answer.status === 429 ? 401 : answer.status, shapeProblems(answer)]).toEqual([status, []]);
  });

  it('outlives connections that are cut, and requests that are no HTTP', async () => {
    const { hostname, port } = new URL(host.session.helpdesk_url);
    for (const text of [
      'POST /api/tickets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":',
      'POST /api/tickets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{',
      'POST /api/tickets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET http://evil.example/api/tickets HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
      'GARBAGE\r\n\r\n',
      `GET /api/tickets HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
      '\u0000\u0001\u0002',
    ])
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(text));
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
        setTimeout(() => socket.destroy(), 100);
      });
    const { status } = await desk('GET', '/api/contacts');
    expect(status).toBe(200);
  });

  it('wedges nothing: a good request works, and the sweep has done all it found', async () => {
    const { secret } = await newKey();
    const fresh = deskAt(host.session.helpdesk_url, withKey(secret));
    const body = { customer_email: 'after@example.com', subject: 'After all that', body: 'Hello?' };
    const made = await fresh('POST', '/api/tickets', { body });
    expect(made.status).toBe(201);
    const { tickets } = (await fresh('GET', '/api/tickets?search=all that')).body as {
      tickets: { id: string }[];
    };
    expect(tickets.map(({ id }) => id)).toContain(made.body?.ticket_id);
    expect(errors).toEqual([]);
  });
});
