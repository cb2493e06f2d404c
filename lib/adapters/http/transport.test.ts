import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  isIP,
  type LookupFunction,
  Socket,
} from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NOT_PUBLIC, REFUSED_URLS } from '#test/support/vectors/address-guard.ts';
import type { HttpRequest } from '../../events/platforms/platform.ts';
import { guardedLookup } from './address-guard.ts';
import { type ClosableTransport, createTransport } from './transport.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((resource) => resource.close()));
});

const REQUEST: HttpRequest = {
  method: 'POST',
  url: 'https://vendor.example/v1/events?token=t%20t',
  headers: { 'content-type': 'application/json', 'x-key': 'k' },
  body: '{"data":["é"]}',
  secrets: [],
};

async function listen(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function against(listener: RequestListener): Promise<ClosableTransport> {
  const server = createServer(listener);
  const sandboxUrl = await listen(server);
  open.push({ close: () => server.closeAllConnections() ?? server.close() });
  return started({ sandboxUrl });
}

function started(options: Parameters<typeof createTransport>[0]): ClosableTransport {
  const transport = createTransport(options);
  open.push(transport);
  return transport;
}

describe('an answer', () => {
  it('comes back whole, for the request as it was built', async () => {
    const seen: unknown[] = [];
    const transport = await against(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push(request.method, request.url, request.headers['x-key'], body);
      response.writeHead(202, { 'X-Trace': 'abc', 'retry-after': '3' }).end('{"ok":"ü"}');
    });
    const result = await transport.send(REQUEST, { timeoutMs: 2_000 });
    expect(seen).toEqual(['POST', '/vendor.example/v1/events?token=t%20t', 'k', REQUEST.body]);
    expect(result).toMatchObject({ kind: 'response', status: 202, body: '{"ok":"ü"}' });
    expect(result).toMatchObject({ headers: { 'x-trace': 'abc', 'retry-after': '3' } });
    expect(result.latencyMs).toBeGreaterThanOrEqual(0);
    expect(result).not.toHaveProperty('truncated');
  });

  it('comes to a PUT of bytes as well, which go out as they are', async () => {
    const packed = Uint8Array.from([0x1f, 0x8b, 0, 255]);
    const seen: unknown[] = [];
    const transport = await against(async (request, response) => {
      seen.push(request.method, [...Buffer.concat(await request.toArray())]);
      response.end();
    });
    await transport.send({ ...REQUEST, method: 'PUT', packed }, { timeoutMs: 2_000 });
    expect(seen).toEqual(['PUT', [...packed]]);
  });

  it('is not followed where it redirects to', async () => {
    const paths: (string | undefined)[] = [];
    const transport = await against((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await transport.send(REQUEST, { timeoutMs: 2_000 })).toMatchObject({
      kind: 'response',
      status: 307,
    });
    expect(paths).toHaveLength(1);
  });

  it('is cut at 64 KiB and the rest is never read', async () => {
    let written = 0;
    const transport = await against((_request, response) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const more = (): void => {
        while (!response.destroyed && written < 50 * 1_048_576) {
          written += chunk.byteLength;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const result = await transport.send(REQUEST, { timeoutMs: 5_000 });
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: true });
    expect(result.kind === 'response' && result.body).toHaveLength(65_536);
    expect(written).toBeLessThan(50 * 1_048_576);
  });

  it('of exactly 64 KiB is whole', async () => {
    const transport = await against((_request, response) => response.end('x'.repeat(65_536)));
    const result = await transport.send(REQUEST, { timeoutMs: 2_000 });
    expect(result.kind === 'response' && result.body).toHaveLength(65_536);
    expect(result).not.toHaveProperty('truncated');
  });

  it('without body is empty', async () => {
    const transport = await against((_request, response) => response.writeHead(204).end());
    expect(await transport.send(REQUEST, { timeoutMs: 2_000 })).toMatchObject({ status: 204, body: '' });
  });
});

describe('a failure after the request was sent may have been delivered', () => {
  it('no answer in time', async () => {
    const transport = await against(() => {});
    const startedMs = performance.now();
    const result = await transport.send(REQUEST, { timeoutMs: 1_500 });
    expect(result).toMatchObject({ kind: 'failure', code: 'timeout', maybeDelivered: true });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('a body that drips past the deadline', async () => {
    const transport = await against((_request, response) => {
      response.writeHead(200).write('{');
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    const result = await transport.send(REQUEST, { timeoutMs: 1_500 });
    expect(result).toMatchObject({ kind: 'failure', code: 'timeout', maybeDelivered: true });
  });

  it('a reset before the answer', async () => {
    const transport = await against((request) => {
      request.socket.resetAndDestroy();
    });
    const result = await transport.send(REQUEST, { timeoutMs: 2_000 });
    expect(result).toMatchObject({ kind: 'failure', code: 'reset', maybeDelivered: true });
  });

  it('a connection closed in the middle of the body', async () => {
    const transport = await against((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    const result = await transport.send(REQUEST, { timeoutMs: 2_000 });
    expect(result).toMatchObject({ kind: 'failure', maybeDelivered: true });
  });

  it('an answer that is not HTTP', async () => {
    const server = createTcpServer((socket: Socket) =>
      socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n'),
    );
    const sandboxUrl = await listen(server as unknown as Server);
    open.push(server);
    const result = await started({ sandboxUrl }).send(REQUEST, { timeoutMs: 2_000 });
    expect(result).toMatchObject({ kind: 'failure', maybeDelivered: true });
  });
});

describe('a failure before the request was sent was not delivered', () => {
  it('nobody listens', async () => {
    const server = createServer();
    const sandboxUrl = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await started({ sandboxUrl }).send(REQUEST, { timeoutMs: 2_000 });
    expect(result).toMatchObject({ kind: 'failure', code: 'refused', maybeDelivered: false });
  });

  it('it waited for a free connection until its time was over', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      setTimeout(() => response.end('{}'), 200);
    });
    const sandboxUrl = await listen(server);
    open.push({ close: () => server.closeAllConnections() ?? server.close() });
    const transport = started({ sandboxUrl, connections: 1 });
    const first = transport.send({ ...REQUEST, body: 'first' }, { timeoutMs: 2_000 });
    const second = await transport.send({ ...REQUEST, body: 'second' }, { timeoutMs: 50 });
    expect(second).toMatchObject({ kind: 'failure', code: 'timeout', maybeDelivered: false });
    expect(await first).toMatchObject({ kind: 'response', status: 200 });
    const third = await transport.send({ ...REQUEST, body: 'third' }, { timeoutMs: 2_000 });
    expect(third).toMatchObject({ kind: 'response' });
    expect(bodies).toEqual(['first', 'third']);
  });

  it('a certificate nobody vouches for, or no TLS at all', async () => {
    const plain = createTcpServer((socket: Socket) =>
      socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    const sandboxUrl = (await listen(plain as unknown as Server)).replace('http:', 'https:');
    open.push(plain);
    const result = await started({ sandboxUrl }).send(REQUEST, { timeoutMs: 2_000 });
    expect(result).toMatchObject({ kind: 'failure', maybeDelivered: false });
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'http://vendor.example/',
    'https://localhost/',
    'not a url',
  ])('the address is not allowed: %s', async (url) => {
    const result = await started({}).send({ ...REQUEST, url }, { timeoutMs: 500 });
    expect(result).toMatchObject({ kind: 'failure', code: 'blocked', maybeDelivered: false });
  });

  it('a public name that resolves to an address inside', async () => {
    const inside = guardedLookup((_host, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    const result = await started({ connect: { lookup: inside } }).send(REQUEST, { timeoutMs: 2_000 });
    expect(result).toMatchObject({ kind: 'failure', code: 'blocked', maybeDelivered: false });
  });
});

describe('no packet leaves', () => {
  /** Counts attempts to connect, below TLS and below name resolution. */
  function spyOnSockets(): readonly string[] {
    const attempts: string[] = [];
    const original = Socket.prototype.connect;
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
      this.on('connectionAttempt', (address: string) => attempts.push(address));
      return Reflect.apply(original, this, args) as Socket;
    });
    return attempts;
  }
  const resolvingTo =
    (...addresses: readonly string[]): LookupFunction =>
    (_host, options, callback) => {
      const all = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all === true) callback(null, all);
      else callback(null, all[0]?.address ?? '', all[0]?.family ?? 4);
    };
  const guarded = (...addresses: readonly string[]) =>
    guardedLookup((_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
    );

  it('but the spy sees one that does', async () => {
    const attempts = spyOnSockets();
    await started({ connect: { lookup: resolvingTo('127.0.0.1') } }).send(REQUEST, { timeoutMs: 500 });
    expect(attempts).toEqual(['127.0.0.1']);
  });

  it(`for any of ${REFUSED_URLS.length} addresses written in a URL`, async () => {
    const attempts = spyOnSockets();
    const transport = started({ connect: { lookup: resolvingTo('127.0.0.1') } });
    for (const url of REFUSED_URLS) {
      const result = await transport.send({ ...REQUEST, url }, { timeoutMs: 500 });
      expect(result, url).toMatchObject({ kind: 'failure', code: 'blocked', maybeDelivered: false });
    }
    expect(attempts).toEqual([]);
  });

  const inside = NOT_PUBLIC.filter((address) => isIP(address) !== 0);
  it(`for a name that resolves to any of ${inside.length} addresses, alone or beside a public one`, async () => {
    expect(inside.length).toBeGreaterThan(60);
    const attempts = spyOnSockets();
    for (const address of inside) {
      for (const addresses of [[address], ['8.8.8.8', address]]) {
        const transport = createTransport({ connect: { lookup: guarded(...addresses) } });
        const result = await transport.send(REQUEST, { timeoutMs: 500 });
        expect(result, address).toMatchObject({ kind: 'failure', code: 'blocked', maybeDelivered: false });
        await transport.close();
      }
    }
    expect(attempts).toEqual([]);
  });
});

describe('the transport', () => {
  it('refuses a sandbox address that is none', () => {
    expect(() => createTransport({ sandboxUrl: 'nowhere' })).toThrow(TypeError);
    expect(() => createTransport({ sandboxUrl: 'file:///tmp' })).toThrow(TypeError);
  });

  it('answers calls made after it was closed', async () => {
    const transport = createTransport({});
    await transport.close();
    expect(await transport.send(REQUEST, { timeoutMs: 500 })).toMatchObject({
      kind: 'failure',
      maybeDelivered: false,
    });
  });
});
