// Goal: what a client of a function URL gets, streamed and in one piece. Method: the real host of function URLs with
// Lambda's response streaming, on a real socket; no test waits for time.
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { openFunctionUrl } from '#services/local/functions/function-url.ts';
import { withLocalStreaming } from '#services/local/functions/response-streaming.ts';
import { ANY_BYTES, transportApp } from '#test/support/transport-routes.ts';
import type { AnyStreamEvent } from '../../core/http/handler.ts';
import { createFunctionUrlHandler } from './function-url.ts';
import type { StreamingHandler } from './lambda-streaming.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function* count(to: string): AsyncGenerator<AnyStreamEvent> {
  for (let n = 1; n <= Number(to); n++) yield { event: 'number', data: { n } };
}

async function serve(parts: ReturnType<typeof transportApp>, how: 'streamed' | 'in one piece') {
  const errors: string[] = [];
  const endpoint = await openFunctionUrl('test', 0, (problem) => errors.push(problem));
  const create = () => createFunctionUrlHandler(parts.app);
  if (how === 'streamed') {
    const handler = (await withLocalStreaming(create)) as unknown as StreamingHandler;
    endpoint.serve({ stream: (event, response) => handler(event, response) });
  } else endpoint.serve(await create());
  closers.push(() => endpoint.close());
  return { url: endpoint.url, errors, answered: parts.answered };
}

describe.each(['streamed', 'in one piece'] as const)('an answer %s', (how) => {
  const open = (source = count) => serve(transportApp(source), how);

  it('is the events and their end', async () => {
    const { url, errors } = await open();
    const answer = await fetch(`${url}/count/3`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(await answer.text()).toBe([1, 2, 3].map((n) => `event: number\ndata: {"n":${n}}\n\n`).join(''));
    expect(errors).toEqual([]);
  });

  it('is a stream of nothing, whole', async () => {
    const { url } = await open();
    const answer = await fetch(`${url}/count/0`);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('is a failure where the handler refuses before its first event', async () => {
    const { url, answered } = await open();
    const answer = await fetch(`${url}/count/nowhere`);
    expect(answered).toMatchObject([
      { route: '/count/:to', method: 'GET', status: 404, code: 'not_found', bytesIn: 0, merchant: undefined },
    ]);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: 'There is no such record.', code: 'not_found' },
    ]);
  });

  it('ends with an event of its failure', async () => {
    const parts = transportApp(async function* () {
      yield { event: 'number', data: { n: 1 } };
      throw new Error('inside');
    });
    const { url } = await serve(parts, how);
    const body = await (await fetch(`${url}/count/1`)).text();
    expect(body).toMatch(/^event: number\n.*\n\nevent: error\ndata: \{.*"code":"internal_error"\}\n\n$/);
    expect(parts.reports.map(String)).toEqual(['Error: inside']);
  });

  it('is text, bytes and headers as the handler gave them', async () => {
    const { url } = await open();
    const page = await fetch(`${url}/page`);
    expect(await page.text()).toBe('<p>ü</p>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'");
    const file = await fetch(`${url}/file`);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(ANY_BYTES);
    expect(file.headers.get('content-length')).toBe(String(ANY_BYTES.byteLength));
  });

  it('has no body where HEAD asked, and no stream is begun for it', async () => {
    let isBegun = false;
    const parts = transportApp(async function* () {
      isBegun = true;
      yield { event: 'number', data: { n: 1 } };
    });
    const { url } = await serve(parts, how);
    const page = await fetch(`${url}/page`, { method: 'HEAD' });
    expect([page.status, await page.text()]).toEqual([200, '']);
    const stream = await fetch(`${url}/count/1`, { method: 'HEAD' });
    expect([stream.status, await stream.text(), isBegun]).toEqual([200, '', false]);
  });

  it.each([
    ['bytes that are no text', Uint8Array.of(0x7b, 0xff, 0x00), {}],
    ['JSON, to the last space', '{"a" : 1.0, "a":\t2}\r\n', {}],
    ['gzip, inflated', gzipSync('{ "b": 1}'), { 'content-encoding': 'gzip' }],
    ['CSV', 'order,value\nä,1', { 'content-type': 'text/csv; charset=utf-8' }],
  ])('is to a body that arrived as it was sent: %s', async (_name, body, headers) => {
    const { url } = await open();
    const answer = await fetch(`${url}/signed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': 'abc', ...headers },
      body,
    });
    const plain = 'content-encoding' in headers ? '{ "b": 1}' : body;
    expect(await answer.json()).toEqual({ hex: Buffer.from(plain).toString('hex'), signature: 'abc' });
  });

  it.each([
    ['415 for another type', { 'content-type': 'text/plain', 'x-signature': 'abc' }, 'x', 415],
    ['415 for another encoding', { 'content-encoding': 'br', 'x-signature': 'abc' }, 'x', 415],
    ['413 for too much', { 'x-signature': 'abc' }, 'x'.repeat(1_001), 413],
    ['413 for what inflates to too much', { 'content-encoding': 'gzip' }, gzipSync('x'.repeat(9_999)), 413],
    ['400 for a header that is not there', {}, 'x', 400],
  ])('is %s', async (_name, headers, body, status) => {
    const { url } = await open();
    const answer = await fetch(`${url}/signed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
      body,
    });
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(await answer.json()).toMatchObject({
        details: [{ path: 'x-signature', message: 'is required' }],
      });
  });

  it('says what a failure adds', async () => {
    const { url } = await open();
    const answer = await fetch(`${url}/taken`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: 'duplicate_event',
      accepted_at: '2026-01-01T00:00:00Z',
    });
  });
});

describe('a client that leaves', () => {
  it('gets what was sent before the end of the stream, and aborts the handler by leaving', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const parts = transportApp(async function* (_to, signal) {
      try {
        yield { event: 'number', data: { n: 1 } };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      } finally {
        closed();
      }
    });
    const { url, errors } = await serve(parts, 'streamed');
    const leave = new AbortController();
    const answer = await fetch(`${url}/count/9`, { signal: leave.signal });
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('"n":1');
    expect(parts.signals[0]?.aborted).toBe(false);
    leave.abort();
    await isClosed;
    expect(parts.signals[0]?.aborted).toBe(true);
    expect([parts.reports, errors]).toEqual([[], []]);
  });

  it('aborts a handler that has not answered yet', async () => {
    const parts = transportApp(count);
    const { url } = await serve(parts, 'streamed');
    const left = request(`${url}/taken`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    left.on('error', () => undefined);
    left.end('{"wait":true}');
    while (parts.signals.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const aborted = once(parts.signals[0] as AbortSignal, 'abort');
    left.destroy();
    await aborted;
  });

  it('stops the source while it does not read, and gets every event once it does', async () => {
    const to = 3_000;
    let made = 0;
    const parts = transportApp(async function* () {
      for (let n = 1; n <= to; n++) {
        made = n;
        yield { event: 'number', data: { n, pad: 'x'.repeat(4_000) } };
      }
    });
    const { url } = await serve(parts, 'streamed');
    const asked = request(`${url}/count/1`).end();
    const [answer] = await once(asked, 'response');
    // Nothing reads: the source stands still once every buffer on the way is full.
    let before = -1;
    for (let calm = 0; calm < 200; ) {
      calm = made === before ? calm + 1 : 0;
      before = made;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(made).toBeLessThan(to);
    expect((await text(answer)).match(/event: number/g)).toHaveLength(to);
  });
});

describe('Lambda', () => {
  it('ends a stream before the function is cut off, between two events', async () => {
    const parts = transportApp(async function* (_to, signal) {
      yield { event: 'number', data: { n: 1 } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const endpoint = await openFunctionUrl('test', 0, () => undefined);
    closers.push(() => endpoint.close());
    const create = () => createFunctionUrlHandler(parts.app);
    const handler = (await withLocalStreaming(create)) as unknown as StreamingHandler;
    const context = { getRemainingTimeInMillis: () => 1_000 };
    endpoint.serve({ stream: (event, response) => handler(event, response, context) });
    const body = await (await fetch(`${endpoint.url}/count/1`)).text();
    expect(['', 'event: number\ndata: {"n":1}\n\n']).toContain(body);
    expect(parts.signals[0]?.aborted).toBe(true);
  });
});
