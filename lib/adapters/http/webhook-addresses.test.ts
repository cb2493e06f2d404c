// Customers choose webhook addresses: none of them leads to an internal address, under any name and with any changes of
// DNS.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NOT_PUBLIC } from '#test/support/vectors/address-guard.ts';
import { REFUSED_WEBHOOK_URLS } from '#test/support/vectors/webhook-urls.ts';
import type { HttpRequest } from '../../core/ports/transport.ts';
import { type AddressRuleOptions, createAddressRule } from './address-guard.ts';
import { createTransport } from './transport.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((resource) => resource.close()));
});

const REQUEST: HttpRequest = {
  method: 'POST',
  url: 'https://receiver.example/hook',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  secrets: [],
};
const BLOCKED = { kind: 'failure', code: 'blocked', maybeDelivered: false };

function started(options: AddressRuleOptions) {
  const transport = createTransport({ addresses: createAddressRule({ highPorts: true, ...options }) });
  open.push(transport);
  return transport;
}

/** Answers each question for a name with the next of these answers, and the last one from then on. */
function resolving(...answers: readonly (readonly string[])[]): Required<AddressRuleOptions>['resolve'] {
  let asked = 0;
  return (_host, _options, callback) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
}

/** Attempts to connect, below TLS and below name resolution. */
function spyOnSockets(): readonly string[] {
  const attempts: string[] = [];
  const original = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', (address: string, port: number) => attempts.push(`${address}:${port}`));
    return Reflect.apply(original, this, args) as Socket;
  });
  return attempts;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  open.push({ close: () => server.closeAllConnections() ?? server.close() });
  return (server.address() as AddressInfo).port;
}

describe('no packet leaves', () => {
  it('but the spy sees one that does', async () => {
    const attempts = spyOnSockets();
    const port = await listening(createServer((_request, response) => response.end()));
    const transport = started({ allowedCidrs: '127.0.0.0/8' });
    await transport.send({ ...REQUEST, url: `http://127.0.0.1:${port}/` }, { timeoutMs: 2_000 });
    expect(attempts).toEqual([`127.0.0.1:${port}`]);
  });

  it(`for any of ${REFUSED_WEBHOOK_URLS.length} URLs, should one have been stored`, async () => {
    const attempts = spyOnSockets();
    const transport = started({ resolve: resolving(['127.0.0.1']) });
    for (const url of REFUSED_WEBHOOK_URLS) {
      const result = await transport.send({ ...REQUEST, url }, { timeoutMs: 500 });
      expect(result, url).toMatchObject(BLOCKED);
    }
    expect(attempts).toEqual([]);
  });

  const inside = NOT_PUBLIC.filter((address) => isIP(address) !== 0);
  it(`for a name that has one of ${inside.length} addresses, alone, before or behind a public one`, async () => {
    expect(inside.length).toBeGreaterThan(60);
    const attempts = spyOnSockets();
    for (const address of inside)
      for (const addresses of [[address], ['8.8.8.8', address], [address, '2606:4700::1111']]) {
        const transport = createTransport({
          addresses: createAddressRule({ highPorts: true, resolve: resolving(addresses) }),
        });
        const result = await transport.send(REQUEST, { timeoutMs: 500 });
        expect(result, address).toMatchObject(BLOCKED);
        await transport.close();
      }
    expect(attempts).toEqual([]);
  });

  it('to another private network than the one that is allowed', async () => {
    const attempts = spyOnSockets();
    const resolve = resolving(['10.0.0.1']);
    const transport = started({ allowedCidrs: '127.0.0.0/8', resolve });
    expect(await transport.send(REQUEST, { timeoutMs: 500 })).toMatchObject(BLOCKED);
    for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/'])
      expect(await transport.send({ ...REQUEST, url }, { timeoutMs: 500 })).toMatchObject(BLOCKED);
    expect(attempts).toEqual([]);
  });
});

describe('a name that changes its address (DNS rebinding)', () => {
  it('is judged by the very answer that is connected to', async () => {
    // Public at the first question, which a check before the request would have asked; inside at the second.
    const attempts = spyOnSockets();
    const resolve = vi.fn(resolving(['8.8.8.8'], ['127.0.0.1']));
    const rule = createAddressRule({ highPorts: true, resolve });
    expect(rule.refused(new URL(REQUEST.url))).toBeNull();
    await new Promise<void>((done) => rule.lookup('receiver.example', { all: true }, () => done()));
    const transport = createTransport({ addresses: rule });
    open.push(transport);
    expect(await transport.send(REQUEST, { timeoutMs: 500 })).toMatchObject(BLOCKED);
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(attempts).toEqual([]);
  });

  it('is asked for once, and connected to where that answer said', async () => {
    const attempts = spyOnSockets();
    const port = await listening(createServer());
    const resolve = vi.fn(resolving(['127.0.0.1'], ['169.254.169.254']));
    const url = `https://receiver.example:${port}/`;
    const transport = started({ allowedCidrs: '127.0.0.0/8', resolve });
    // It speaks no TLS: that is found out where it was connected to.
    expect(await transport.send({ ...REQUEST, url }, { timeoutMs: 2_000 })).toMatchObject({
      kind: 'failure',
    });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(attempts).toEqual([`127.0.0.1:${port}`]);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'of status %i is an answer, and nobody goes where it points',
    async (status) => {
      const paths: (string | undefined)[] = [];
      const inside = await listening(
        createServer((request, response) => {
          paths.push(request.url);
          response.end('secret');
        }),
      );
      const port = await listening(
        createServer((_request, response) =>
          response.writeHead(status, { location: `http://127.0.0.1:${inside}/latest/meta-data/` }).end(),
        ),
      );
      const attempts = spyOnSockets();
      const transport = started({ allowedCidrs: '127.0.0.0/8' });
      const result = await transport.send(
        { ...REQUEST, url: `http://127.0.0.1:${port}/` },
        { timeoutMs: 2_000 },
      );
      expect(result).toMatchObject({ kind: 'response', status });
      expect(attempts).toEqual([`127.0.0.1:${port}`]);
      expect(paths).toEqual([]);
    },
  );
});
