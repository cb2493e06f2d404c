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
