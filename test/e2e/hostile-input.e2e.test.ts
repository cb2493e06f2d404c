// G16 on the wire, of both products: whatever bytes arrive at the running host, and however much of it, the answer is 2xx or 4xx with a
// JSON reason, nothing is stored of what was refused, and the host goes on serving. What bodies, queries and headers are refused for is
// shown without a host (services/events/ingestion, lib/core/http, test/contract); here is what sockets and function URLs add.
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Desk, type DeskAnswer, deskAt, shapeProblems, withKey, withSession } from './desk.ts';
import { api, purchase, send, useHost } from './hosts.ts';

const { session, errors } = useHost(() => ({ sweepIntervalMs: 250 }));
const UNKNOWN_ID = '11111111-1111-1111-1111-111111111111';

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
const BODIES: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[] = [
  ['deep nesting', '['.repeat(100_000)],
  ['a hundred thousand keys', keys(100_000)],
  ['truncated UTF-8', new Uint8Array([0x22, 0xc3])],
  ['overlong UTF-8', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ['half of it', '{"event_id":"a'],
  ['white space', ' \n\t '],
  ['NUL bytes', new Uint8Array(1_000)],
  ['a body larger than Lambda takes', 'x'.repeat(7 * 1_048_576)],
];

/** Whatever it is answered, or nothing. */
async function sayRaw(url: string, texts: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  for (const text of texts)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      setTimeout(() => socket.destroy(), 100);
    });
}
const brokenRequests = (path: string): readonly string[] => [
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `GET http://evil.example${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
  'GARBAGE\r\n\r\n',
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
  '\u0000\u0001\u0002',
];

describe('ingestion', () => {
  const PATHS = ['/v1/events', '/v1/ingest', '/v1/browser/events'] as const;
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetch(session().ingestion_url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session().api_key}` },
      body,
    });

  it.each(BODIES)('answers %s with a 4xx and a reason', async (_name, body) => {
    for (const path of PATHS) {
      const answer = await post(path, body);
      expect([400, 413], path).toContain(answer.status);
      expect(await answer.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    }
  });

  it('answers any bytes with 2xx or 4xx', async () => {
    const bytes = fc.uint8Array({ maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...PATHS), async (body, path) => {
        expect((await post(path, new Uint8Array(body))).status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });

  it('outlives connections that are cut, and requests that are no HTTP', async () => {
    await sayRaw(session().ingestion_url, brokenRequests('/v1/events'));
    expect((await send(session(), '/v1/events', purchase('after-all-that'))).status).toBe(202);
    const { events } = await api<{ events: { event_id: string }[] }>(session(), '/v1/events?limit=100');
    expect(events.map(({ event_id }) => event_id)).toContain('after-all-that');
    for (const { event_id } of events) expect(event_id).not.toBe('');
    expect(errors).toEqual([]);
  });
});

describe('the helpdesk', () => {
  let desk: Desk;
  beforeAll(() => {
    desk = deskAt(session().helpdesk_url, withKey(session().helpdesk_api_key));
  });

  async function newKey(): Promise<{ readonly id: string; readonly desk: Desk }> {
    const scopes = ['read:contacts', 'read:tickets', 'write:tickets'];
    const owner = deskAt(session().helpdesk_url, withSession(session().session_jwt));
    const { body } = await owner('POST', '/api/v1/api-keys', { body: { name: 'hostile', scopes } });
    const { api_key, secret } = body as { api_key: { id: string }; secret: string };
    return { id: api_key.id, desk: deskAt(session().helpdesk_url, withKey(secret)) };
  }

  /** A window begins with its first call; all of these must be in it. */
  const WINDOW_MS = 50_000;
  /** Ten clients at once, until 75 calls of a new key were answered. */
  async function rush(
    path: string,
  ): Promise<{ readonly answers: readonly DeskAnswer[]; readonly own: Desk }> {
    for (;;) {
      const { id, desk: own } = await newKey();
      const startedMs = performance.now();
      let left = 75;
      const client = async (): Promise<DeskAnswer[]> => {
        const answers: DeskAnswer[] = [];
        while (left-- > 0) answers.push(await own('GET', path));
        return answers;
      };
      const answers = (await Promise.all(Array.from({ length: 10 }, client))).flat();
      if (performance.now() - startedMs < WINDOW_MS) return { answers, own };
      await desk('DELETE', `/api/v1/api-keys/${id}`);
    }
  }

  it('lets 60 of a minute through, from however many clients, and tells the others when to come back', async () => {
    const { answers, own } = await rush('/api/tickets');
    const remaining = (answer: DeskAnswer) => answer.headers.get('x-ratelimit-remaining');
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(60);
    expect(new Set(taken.map(remaining)).size).toBe(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    expect(refused.flatMap(shapeProblems)).toEqual([]);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(remaining(answer)).toBe('0');
    }
    expect((await own('GET', '/api/contacts')).status).toBe(200);
    expect((await own('GET', `/api/tickets/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await desk('GET', '/api/tickets')).status).toBe(200);
  });

  it('stops whoever guesses keys, and not who has one at the same address', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 130 }, (_, i) =>
        deskAt(session().helpdesk_url, withKey(`hdk_live_${i}`))('GET', '/api/tickets'),
      ),
    );
    expect([...new Set(guesses.map(({ status }) => status))].sort()).toEqual([401, 429]);
    expect(guesses.flatMap(shapeProblems)).toEqual([]);
    expect((await desk('GET', '/api/webhooks')).status).toBe(200);
  });

  it.each(BODIES)('answers %s with a 4xx in its one shape', async (_name, body) => {
    const answer = await desk('POST', '/api/tickets', { body });
    expect([400, 413]).toContain(answer.status);
    expect(shapeProblems(answer)).toEqual([]);
  });

  it.each([
    ['a path of no route', 'GET', '/api/nothing', 404],
    ['another case', 'GET', '/API/tickets', 404],
    ['a path that cannot be read', 'GET', '/api/tickets/%zz', 400],
    ['NUL in a path', 'GET', '/api/tickets/%00', 404],
    ['a long path', 'GET', `/api/tickets/${'x'.repeat(10_000)}`, 404],
    ['another method', 'PUT', '/api/tickets', 405],
    ['a method nobody knows', 'PROPFIND', '/api/tickets', 405],
    ['a slash too many', 'GET', '/api/tickets/', 404],
    ['no route at all', 'GET', '/api/', 404],
  ] as const)('refuses %s in its one shape, at both addresses', async (_name, method, path, status) => {
    for (const base of [session().helpdesk_url, session().origin_url]) {
      if (path.startsWith('/API') && base === session().origin_url) continue;
      const answer = await deskAt(base, withKey(session().helpdesk_api_key))(method, path);
      expect([base, answer.status, shapeProblems(answer)]).toEqual([base, status, []]);
    }
  });

  it('outlives connections that are cut, and the sweep has done all it found', async () => {
    await sayRaw(session().helpdesk_url, brokenRequests('/api/tickets'));
    const { desk: fresh } = await newKey();
    const body = { customer_email: 'after@example.com', subject: 'After all that', body: 'Hello?' };
    const made = await fresh('POST', '/api/tickets', { body });
    expect(made.status).toBe(201);
    const { body: found } = await fresh('GET', '/api/tickets?search=all that');
    expect(found?.tickets).toMatchObject([{ id: made.body?.ticket_id }]);
    expect(errors).toEqual([]);
  });
});
