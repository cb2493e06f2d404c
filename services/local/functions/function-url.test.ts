// Goal: a function behind this server sees what Lambda would show it. Method: real requests on a real socket.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FunctionUrl, openFunctionUrl } from './function-url.ts';
import { LOCAL_STREAMING } from './response-streaming.ts';

interface Seen {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly queryStringParameters?: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly cookies?: string[];
  readonly body?: string;
  readonly isBase64Encoded: boolean;
  readonly version: string;
  readonly requestContext: { http: { method: string; sourceIp: string; path: string }; requestId: string };
}

let endpoint: FunctionUrl;
let seen: Seen[];
let errors: string[];
let answer: unknown;
beforeEach(async () => {
  seen = [];
  errors = [];
  answer = { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  endpoint = await openFunctionUrl('echo', 0, (problem) => errors.push(problem));
  endpoint.serve(async (event) => {
    seen.push(event as Seen);
    return answer;
  });
});
afterEach(() => endpoint.close());

describe('a request', () => {
  it('arrives in payload format 2.0', async () => {
    await fetch(`${endpoint.url}/v1/a%20b?x=1&x=2&y=%20`, {
      method: 'POST',
      headers: {
        'X-Trace': 'T',
        cookie: 'a=1; b=2',
        'content-type': 'application/json',
        'x-forwarded-for': '9.9.9.9',
      },
      body: '{"ü":1}',
    });
    const [event] = seen;
    expect(event).toMatchObject({
      version: '2.0',
      rawPath: '/v1/a%20b',
      rawQueryString: 'x=1&x=2&y=%20',
      queryStringParameters: { x: '1,2', y: ' ' },
      cookies: ['a=1', 'b=2'],
      body: '{"ü":1}',
      isBase64Encoded: false,
      requestContext: { http: { method: 'POST', path: '/v1/a%20b', sourceIp: '127.0.0.1' } },
    });
    expect(event?.headers['x-trace']).toBe('T');
    expect(event?.headers.cookie).toBeUndefined();
  });

  it.each([
    ['bytes', 'application/octet-stream', Buffer.from([1, 2, 255])],
    ['text that is no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22])],
  ])('carries %s as base64', async (_name, type, body) => {
    await fetch(endpoint.url, { method: 'POST', headers: { 'content-type': type }, body });
    expect(seen[0]).toMatchObject({ isBase64Encoded: true, body: body.toString('base64') });
  });

  it('without a body carries none', async () => {
    await fetch(endpoint.url);
    expect(seen[0]).toMatchObject({ isBase64Encoded: false, rawPath: '/' });
    expect(seen[0]).not.toHaveProperty('body');
  });

  it('of more than Lambda takes is refused', async () => {
    const response = await fetch(endpoint.url, { method: 'POST', body: Buffer.alloc(6 * 1_048_576 + 1) });
    expect([response.status, seen.length]).toEqual([413, 0]);
    expect(await response.json()).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('an answer', () => {
  it('is passed on: status, headers, cookies, bytes', async () => {
    answer = {
      statusCode: 418,
      headers: { 'x-a': 'b' },
      cookies: ['c=1', 'd=2'],
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
    };
    const response = await fetch(endpoint.url);
    expect([response.status, response.headers.get('x-a'), response.headers.getSetCookie()]).toEqual([
      418,
      'b',
      ['c=1', 'd=2'],
    ]);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
  });

  it('is a 502 in JSON when the function throws, and the error is told', async () => {
    endpoint.serve(() => Promise.reject(new Error('secret detail')));
    const response = await fetch(`${endpoint.url}/p?token=hidden`);
    const body = await response.text();
    expect(response.status).toBe(502);
    expect(JSON.parse(body)).toMatchObject({ code: 'internal_error' });
    expect(body).not.toContain('secret');
    expect(errors).toEqual(['echo failed to answer GET /p']);
  });

  it('is a 503 before the function is there', async () => {
    const early = await openFunctionUrl('early', 0, () => undefined);
    expect((await fetch(early.url)).status).toBe(503);
    await early.close();
  });
});

it('says which port is busy', async () => {
  const port = Number(new URL(endpoint.url).port);
  await expect(openFunctionUrl('second', port, () => undefined)).rejects.toThrow(
    `Port ${port} of 127.0.0.1, meant for second`,
  );
});

it('closes although a client keeps its connection open', async () => {
  const socket = connect(Number(new URL(endpoint.url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  await endpoint.close();
  await readText(socket);
});

describe('a connection', () => {
  // Node's client takes the end of a connection for a failure while it has not handed out the last bytes of a whole answer,
  // and a request that meets the end of its connection is lost.
  it('is never ended for being idle', async () => {
    const sockets: Socket[] = [];
    const onFinish = (message: unknown): void => {
      sockets.push((message as { socket: Socket }).socket);
    };
    subscribe('http.server.response.finish', onFinish);
    try {
      const first = await fetch(endpoint.url);
      await first.text();
      await served(endpoint.url);
      const ours = sockets.filter(({ localPort }) => localPort === Number(new URL(endpoint.url).port));
      expect(ours.length).toBeGreaterThan(0);
      expect(ours.map(({ timeout }) => timeout ?? 0)).toEqual(ours.map(() => 0));
      // A client would close by it, and meet an answer on its way.
      expect(first.headers.get('keep-alive')).toBeNull();
    } finally {
      unsubscribe('http.server.response.finish', onFinish);
    }
  });

  it('that is answered while the server closes ends with its answer', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    endpoint.serve(async (event) => {
      seen.push(event as Seen);
      await gate;
      return answer;
    });
    const socket = connect(Number(new URL(endpoint.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    const closed = endpoint.close();
    open();
    expect(await readText(socket)).toMatch(/\r\n\r\nok$/);
    await closed;
  });

  it('whose client is slow gets its whole answer although the server closes', async () => {
    const body = 'x'.repeat(32 * 1_048_576);
    answer = { statusCode: 200, headers: { 'content-type': 'text/plain' }, body };
    const socket = connect(Number(new URL(endpoint.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('readable', resolve));
    const closed = endpoint.close();
    const got = await readText(socket);
    expect(got.slice(got.indexOf('\r\n\r\n') + 4)).toHaveLength(body.length);
    await closed;
  });

  it('that streams when the server closes ends with its answer', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    endpoint.serve({
      stream: async (event, response) => {
        seen.push(event as Seen);
        const stream = LOCAL_STREAMING.HttpResponseStream.from(response, { statusCode: 200, headers: {} });
        stream.write('begun ');
        await gate;
        stream.end('and ended');
      },
    });
    const response = await fetch(endpoint.url);
    const closed = endpoint.close();
    open();
    expect(await response.text()).toBe('begun and ended');
    await closed;
  });
});

describe('a crowd', () => {
  it('is served 16 at once, in turn, and nothing is begun whose caller has gone', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    endpoint.serve(async (event) => {
      seen.push(event as Seen);
      running += 1;
      most = Math.max(most, running);
      await gate;
      running -= 1;
      return answer;
    });
    const first = Array.from({ length: 16 }, () => fetch(endpoint.url));
    await vi.waitFor(() => expect(seen).toHaveLength(16));
    const waiting = Array.from({ length: 4 }, () => fetch(endpoint.url));
    const leaver = new AbortController();
    const gone = fetch(`${endpoint.url}/gone`, { signal: leaver.signal });
    await expect(served(endpoint.url)).resolves.toBeUndefined();
    leaver.abort();
    await expect(gone).rejects.toThrow();
    await expect(served(endpoint.url)).resolves.toBeUndefined();
    open();
    const replies = await Promise.all([...first, ...waiting]);
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(most).toBe(16);
    expect(seen.map(({ rawPath }) => rawPath)).not.toContain('/gone');
  });
});

/** Resolves once the server has processed the earlier requests: a body that is too large is refused without waiting. */
async function served(url: string): Promise<void> {
  const { status } = await fetch(url, { method: 'POST', body: new Uint8Array(6 * 1_048_576 + 1) });
  expect(status).toBe(413);
}
