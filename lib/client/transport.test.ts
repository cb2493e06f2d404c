// Goal: what no JSON route shows: streams, headers, bytes, aborts and repeats. Method: routes of every kind on a real server,
// with the table that the generator makes of them.
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { routeTable } from '../../scripts/reference/route-table.ts';
import { ANY_BYTES, TRANSPORT_ROUTES, transportApp } from '../../test/support/transport-routes.ts';
import type { AnyStreamEvent } from '../core/http/handler.ts';
import type { ClientOf } from './calls.ts';
import { ApiError, type ClientOptions, clientOf } from './client.ts';

type TestClient = ClientOf<(typeof TRANSPORT_ROUTES)[number]>;

const clientAt = (apiUrl: string, options: Partial<ClientOptions> = {}): TestClient =>
  clientOf(routeTable(TRANSPORT_ROUTES), {
    ingestionUrl: '',
    apiUrl,
    token: () => 'merchant/person',
    ...options,
  }) as TestClient;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

async function served(
  source: (to: string, signal: AbortSignal) => AsyncIterable<AnyStreamEvent>,
  options: Partial<ClientOptions> = {},
) {
  const host = transportApp(source);
  await host.app.listen({ port: 0, host: '127.0.0.1' });
  closing.push(() => host.app.close());
  const url = `http://127.0.0.1:${(host.app.server.address() as AddressInfo).port}`;
  return { ...host, url, client: clientAt(url, options) };
}

async function* numbers(to: string) {
  for (let n = 1; n <= Number(to); n++) yield { event: 'number', data: { n }, id: `n${n}` };
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** One number, and then nothing until the client leaves; says when it was closed. */
function endless() {
  const closed = Promise.withResolvers<'closed'>();
  async function* source(_to: string, signal: AbortSignal) {
    try {
      yield { event: 'number', data: { n: 1 } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      closed.resolve('closed');
    }
  }
  return { source, closed: closed.promise };
}

describe('a stream', () => {
  it('comes as typed events, in their order', async () => {
    const { client } = await served(numbers);
    const { status, stream } = await client.count({ params: { to: '3' } });
    expectTypeOf(status).toEqualTypeOf<200>();
    const seen: number[] = [];
    for await (const { event, data, id } of stream) {
      expectTypeOf(event).toEqualTypeOf<'number'>();
      expectTypeOf(data.n).toEqualTypeOf<number>();
      expect(id).toBe(`n${data.n}`);
      seen.push(data.n);
    }
    expect([status, seen]).toEqual([200, [1, 2, 3]]);
  });

  it('is refused before it begins like any other call', async () => {
    const { client } = await served(numbers);
    await expect(client.count({ params: { to: 'nowhere' } })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('that fails on the way rejects with its error, after the events before', async () => {
    const { client } = await served(async function* () {
      yield { event: 'number', data: { n: 1 } };
      throw new Error('a bug');
    });
    const { stream } = await client.count({ params: { to: '2' } });
    const events = stream[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ event: 'number', data: { n: 1 } });
    const failure = await events.next().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 200, code: 'internal_error' });
  });

  it('ends at the service when the reader stops', async () => {
    const { source, closed } = endless();
    const { client, signals } = await served(source);
    const { stream } = await client.count({ params: { to: '1' } });
    for await (const _ of stream) break;
    expect(await closed).toBe('closed');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('ends on both sides when the caller aborts, with the reason of the caller', async () => {
    const { source, closed } = endless();
    const { client } = await served(source);
    const controller = new AbortController();
    const { stream } = await client.count({ params: { to: '1' } }, { signal: controller.signal });
    const reason = new Error('the page was left');
    const reading = (async () => {
      for await (const _ of stream) controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect(await closed).toBe('closed');
  });

  /** A service that wrote so much and is still there; its answer ends with the request. */
  function silentAfter(...texts: readonly string[]): typeof fetch {
    return async (_input, init) => {
      const body = new ReadableStream({
        start(controller) {
          for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body);
    };
  }
  const text = (n: number): string => `event: number\ndata: {"n":${n}}\n\n`;

  it('that says nothing for too long is no answer', async () => {
    vi.useFakeTimers();
    const client = clientAt('', { fetch: silentAfter(text(1)) });
    const { stream } = await client.count({ params: { to: '1' } });
    const events = stream[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ data: { n: 1 } });
    const next = events.next().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(await Promise.race([next, 'waiting'])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await next).toMatchObject({ status: 0, code: 'no_answer' });
  });

  it('may be read as slowly as the reader likes', async () => {
    vi.useFakeTimers();
    const client = clientAt('', { fetch: silentAfter(text(1), text(2)) });
    const { stream } = await client.count({ params: { to: '2' } });
    const seen: number[] = [];
    for await (const { data } of stream) {
      seen.push(data.n);
      await vi.advanceTimersByTimeAsync(600_000);
      if (data.n === 2) break;
    }
    expect(seen).toEqual([1, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that breaks off in the middle is no answer', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('event: number\ndata: {"n":1}\n\nevent: num'));
      },
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    const client = clientAt('', { fetch: async () => new Response(body) });
    const { stream } = await client.count({ params: { to: '2' } });
    await expect(all(stream)).rejects.toMatchObject({ status: 0, code: 'no_answer' });
  });
});

describe('headers and bytes', () => {
  it('sends the conditions of the caller and returns the version that was made', async () => {
    const { client } = await served(numbers);
    const change = { params: { id: 'a' }, body: { value: 'x' } };
    const made = await client.change({ ...change, headers: { 'if-match': '"1"' } });
    expectTypeOf(made.headers).toEqualTypeOf<{ readonly etag?: string } | undefined>();
    expect(made).toEqual({ status: 201, body: { value: 'x', runs: 1 }, headers: { etag: '"1"' } });
    const stale = client.change({ ...change, headers: { 'if-match': '"9"' } });
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'precondition_failed' });
  });

  it('sends an Idempotency-Key: the second request gets the first one’s answer', async () => {
    const { client, runs } = await served(numbers);
    const change = { params: { id: 'a' }, body: { value: 'x' }, headers: { 'idempotency-key': 'k-1' } };
    expect(await client.change(change)).toEqual(await client.change(change));
    expect(runs()).toBe(1);
    const other = client.change({ ...change, body: { value: 'y' } });
    await expect(other).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  it('sends bytes as they are, under their own type, and returns bytes as they came', async () => {
    const { client } = await served(numbers);
    const headers = { 'x-signature': 'sig', 'content-type': 'text/csv' } as const;
    const { body } = await client.signed({ headers, body: ANY_BYTES });
    expect(body).toEqual({ hex: Buffer.from(ANY_BYTES).toString('hex'), signature: 'sig' });
    expect(await client.file()).toEqual({ status: 200, body: ANY_BYTES });
    expect((await client.page()).headers).toEqual({ 'content-security-policy': "default-src 'self'" });
  });

  it('says all that a failure says', async () => {
    const { client } = await served(numbers);
    await expect(client.taken({ body: {} })).rejects.toMatchObject({
      code: 'duplicate_event',
      body: { accepted_at: '2026-01-01T00:00:00Z' },
    });
  });

  it.each(['', '.', '..'])('sends no id that would lead elsewhere: "%s"', async (id) => {
    const { client, runs } = await served(numbers);
    await expect(client.change({ params: { id }, body: { value: 'x' } })).rejects.toThrow('params.id');
    expect(runs()).toBe(0);
  });

  it('knows what each route takes, and nothing else', () => {
    type Input<Id extends keyof TestClient> = NonNullable<Parameters<TestClient[Id]>[0]>;
    expectTypeOf<Input<'count'>>().toHaveProperty('params').toEqualTypeOf<{ to: string }>();
    expectTypeOf<keyof Input<'count'>>().toEqualTypeOf<'params'>();
    // Honours no Idempotency-Key, so it takes no headers.
    expectTypeOf<keyof Input<'taken'>>().toEqualTypeOf<'body'>();
    expectTypeOf<keyof Input<'page'>>().toEqualTypeOf<never>();
    expectTypeOf<Input<'signed'>['headers']['x-signature']>().toEqualTypeOf<string>();
    expectTypeOf<Input<'signed'>['headers']['content-type']>().toEqualTypeOf<
      'application/json' | 'text/csv' | undefined
    >();
    expectTypeOf<NonNullable<Input<'change'>['headers']>['idempotency-key']>().toEqualTypeOf<
      string | undefined
    >();
  });
});

describe('an abort', () => {
  it('ends a request that runs, with the reason of the caller', async () => {
    const { client, signals } = await served(numbers);
    const controller = new AbortController();
    const running = client.taken({ body: { wait: true } }, { signal: controller.signal, tries: 5 });
    await expect.poll(() => signals.length).toBe(1);
    controller.abort('left');
    await expect(running).rejects.toBe('left');
    await expect.poll(() => signals[0]?.aborted).toBe(true);
  });

  it('before the call sends nothing', async () => {
    const { client, runs } = await served(numbers);
    const change = { params: { id: 'a' }, body: { value: 'x' } };
    await expect(client.change(change, { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    expect(runs()).toBe(0);
  });

  it('ends the wait between two tries', async () => {
    const controller = new AbortController();
    const asked: string[] = [];
    const client = clientAt('', {
      fetch: async (input) => {
        asked.push(String(input));
        controller.abort('left');
        return Response.json({ error: 'x', code: 'unavailable' }, { status: 503 });
      },
    });
    await expect(client.page({}, { signal: controller.signal, tries: 3 })).rejects.toBe('left');
    expect(asked).toEqual(['/page']);
  });
});

describe('tries', () => {
  /** A service that fails like this, and then answers; and how long the client waited in between. */
  function failing(
    answers: readonly (() => Response | Promise<never>)[],
    options: Partial<ClientOptions> = {},
  ) {
    const waits: number[] = [];
    let asked = 0;
    const client = clientAt('', {
      tries: 3,
      wait: async (ms) => void waits.push(ms),
      fetch: async () => (answers[asked++] ?? (() => Response.json({ value: 'x', runs: 1 })))(),
      ...options,
    });
    return { client, waits, asked: () => asked };
  }
  const refusal =
    (status: number, code: string, headers: Record<string, string> = {}) =>
    () =>
      Response.json({ error: 'x', code }, { status, headers });
  const unanswered = () => Promise.reject(new TypeError('fetch failed'));
  const change = { params: { id: 'a' }, body: { value: 'x' } };
  const named = { ...change, headers: { 'idempotency-key': 'k' } };

  it.each([
    ['no answer', unanswered],
    ['429', refusal(429, 'rate_limited')],
    ['500', refusal(500, 'internal_error')],
    ['503', refusal(503, 'unavailable')],
    ['the page of a proxy', () => new Response('<html>', { status: 502 })],
  ])('are made for a read after %s', async (_name, answer) => {
    const { client, waits, asked } = failing([answer, answer]);
    expect((await client.page()).status).toBe(200);
    expect(asked()).toBe(3);
    const [first = 0, second = 0] = waits;
    expect(first >= 250 && first < 500 && second >= 500 && second < 1_000, String(waits)).toBe(true);
  });

  it('are made with an Idempotency-Key, also while the first one still runs', async () => {
    const { client, asked } = failing([unanswered, refusal(409, 'idempotency_key_in_use')]);
    expect((await client.change(named)).status).toBe(200);
    expect(asked()).toBe(3);
  });

  it('end with the last failure', async () => {
    const { client, asked } = failing(Array(9).fill(refusal(503, 'unavailable')));
    await expect(client.page()).rejects.toMatchObject({ status: 503 });
    expect(asked()).toBe(3);
  });

  it('wait as long as the service says, or are given up where that is too long', async () => {
    const { client, waits } = failing([refusal(503, 'unavailable', { 'retry-after': '7' })]);
    await client.page();
    expect(waits).toEqual([7_000]);
    const late = failing([refusal(429, 'rate_limited', { 'retry-after': '31' })]);
    await expect(late.client.page()).rejects.toMatchObject({ status: 429, retryAfterSec: 31 });
    expect(late.asked()).toBe(1);
  });

  it.each([400, 401, 403, 404, 409, 412, 422])('are not made after %i', async (status) => {
    const { client, asked } = failing([refusal(status, 'invalid_request')]);
    await expect(client.page()).rejects.toMatchObject({ status });
    expect(asked()).toBe(1);
  });

  it('are not made where twice is not as good as once', async () => {
    const { client, asked } = failing([unanswered]);
    await expect(client.change(change, { tries: 9 })).rejects.toMatchObject({ code: 'no_answer' });
    expect(asked()).toBe(1);
  });

  it('are not made where nobody asked', async () => {
    const { client, asked } = failing([unanswered], { tries: 1 });
    await expect(client.page()).rejects.toMatchObject({ code: 'no_answer' });
    expect(asked()).toBe(1);
  });

  it('ask for the token again', async () => {
    const tokens = ['old/x', 'new/x'];
    const { client } = failing([unanswered], { token: () => tokens.shift() ?? '' });
    await client.change(named);
    expect(tokens).toEqual([]);
  });
});
