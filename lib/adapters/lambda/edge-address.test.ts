import { describe, expect, it } from 'vitest';
import type { IncomingRequest } from '../../core/http/http-message.ts';
import { behindEdge } from './edge-address.ts';

const SECRET = 'f3b1c0d2a4e5968778695a4b3c2d1e0f';
const CONNECTION = '192.0.2.1';

async function seenBy(headers: Record<string, string>, addressHeader = 'cloudfront-viewer-address') {
  let seen: IncomingRequest | undefined;
  const app = behindEdge(
    async (request) => {
      seen = request;
      return { status: 202, headers: {}, body: '' };
    },
    { secrets: [SECRET, 'the one before it, until it is gone'], addressHeader },
  );
  await app({
    method: 'POST',
    path: '/v1/browser/events',
    query: {},
    headers,
    body: new Uint8Array(),
    clientIp: CONNECTION,
    requestId: 'r',
  });
  return seen;
}

const signed = { 'x-millrace-edge-secret': SECRET };

describe('the address of a caller behind an edge', () => {
  it.each([
    ['198.51.100.7:443', '198.51.100.7'],
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8::1:46532', '2001:db8::1'],
    ['2001:db8:0:1:2:3:4:5:46532', '2001:db8:0:1:2:3:4:5'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1:2:3:4:5'],
    ['[2001:db8::1]:443', '2001:db8::1'],
  ])('is what the edge says: %s', async (value, address) => {
    const seen = await seenBy({ ...signed, 'cloudfront-viewer-address': value });
    expect(seen?.clientIp).toBe(address);
    expect(seen?.headers).not.toHaveProperty('x-millrace-edge-secret');
  });

  it('is taken with either of two secrets, while one takes the place of the other', async () => {
    const headers = { 'x-millrace-edge-secret': 'the one before it, until it is gone' };
    const seen = await seenBy({ ...headers, 'cloudfront-viewer-address': '198.51.100.7:1' });
    expect(seen?.clientIp).toBe('198.51.100.7');
  });

  it.each([
    ['no secret', {}],
    ['an empty secret', { 'x-millrace-edge-secret': '' }],
    ['a part of the secret', { 'x-millrace-edge-secret': SECRET.slice(0, -1) }],
    ['the secret and more', { 'x-millrace-edge-secret': `${SECRET}0` }],
    ['the secret twice', { 'x-millrace-edge-secret': `${SECRET},${SECRET}` }],
    ['the secret under another name', { 'x-millrace-edge-secret-2': SECRET }],
  ])('is the connection’s for a header somebody made up: %s', async (_name, headers) => {
    const spoofed = {
      ...headers,
      'cloudfront-viewer-address': '198.51.100.7:443',
      'x-forwarded-for': '198.51.100.7',
      'x-real-ip': '198.51.100.7',
      forwarded: 'for=198.51.100.7',
    };
    expect((await seenBy(spoofed))?.clientIp).toBe(CONNECTION);
  });

  it.each(['', 'localhost', '198.51.100.7, 192.0.2.9', '999.1.1.1:80', '[zz]:1', '198.51.100.7:port'])(
    'is the connection’s where the edge says nothing that is an address: %s',
    async (value) => {
      expect((await seenBy({ ...signed, 'cloudfront-viewer-address': value }))?.clientIp).toBe(CONNECTION);
    },
  );

  it('comes from no other header than the one that is set', async () => {
    const seen = await seenBy({ ...signed, 'x-forwarded-for': '198.51.100.7' });
    expect(seen?.clientIp).toBe(CONNECTION);
    const other = await seenBy({ ...signed, 'x-client-address': '198.51.100.7' }, 'x-client-address');
    expect(other?.clientIp).toBe('198.51.100.7');
  });
});

describe('secrets that are kept elsewhere', () => {
  const NEW = 'e'.repeat(32);

  /** Whose address is seen, request by request; `kept`: what reading gives, or fails with. */
  function host(kept: { value: readonly string[] | Error }) {
    const seen = { reads: 0, nowMs: 1_000_000, problems: 0 };
    const app = behindEdge(async ({ clientIp }) => ({ status: 202, headers: {}, body: clientIp }), {
      secrets: [],
      addressHeader: 'x-viewer-address',
      read: {
        secrets: async () => {
          seen.reads += 1;
          if (kept.value instanceof Error) throw kept.value;
          return kept.value;
        },
        now: () => seen.nowMs,
        report: () => {
          seen.problems += 1;
        },
      },
    });
    const ask = async (secret?: string) => {
      const headers = {
        'x-viewer-address': '198.51.100.7',
        ...(secret === undefined ? {} : { 'x-millrace-edge-secret': secret }),
      };
      const request = { method: 'POST', path: '/', query: {}, headers, body: new Uint8Array() };
      const { status, body } = await app({ ...request, clientIp: CONNECTION, requestId: 'r' });
      return status === 202 ? body : status;
    };
    return { seen, ask };
  }

  it('are read with the first that comes, and then no more', async () => {
    const { seen, ask } = host({ value: [SECRET] });
    expect(await ask()).toBe(CONNECTION);
    expect(seen.reads).toBe(0);
    expect([await ask(SECRET), await ask(SECRET), seen.reads]).toEqual(['198.51.100.7', '198.51.100.7', 1]);
  });

  it('are followed when they change, and guesses make no more than one request a minute', async () => {
    const kept = { value: [SECRET] };
    const { seen, ask } = host(kept);
    await ask(SECRET);
    for (let guess = 0; guess < 50; guess++) expect(await ask(`guess ${guess}`)).toBe(CONNECTION);
    expect(seen.reads).toBe(1);
    kept.value = [NEW, SECRET];
    seen.nowMs += 60_000;
    expect([await ask(NEW), await ask(SECRET), seen.reads]).toEqual(['198.51.100.7', '198.51.100.7', 2]);
  });

  it('that cannot be read at first are a 503 until they can; later what was known holds', async () => {
    const kept: { value: readonly string[] | Error } = { value: new Error('no SSM') };
    const { seen, ask } = host(kept);
    expect([await ask(SECRET), await ask(SECRET), await ask()]).toEqual([503, 503, CONNECTION]);
    kept.value = [SECRET];
    expect(await ask(SECRET)).toBe('198.51.100.7');
    kept.value = new Error('no SSM');
    seen.nowMs += 60_000;
    expect([await ask('other'), await ask(SECRET)]).toEqual([CONNECTION, '198.51.100.7']);
    expect(seen.problems).toBe(3);
  });
});
