// One behaviour on both fronts: each case is sent to both, and both must answer alike.
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { REPLY_HEADERS } from '../../lib/core/http/request-rules.ts';
import { authorized, type Front, JSON_TYPE, openFronts, type Sent } from './fronts.ts';

let fronts: readonly [Front, Front];
beforeAll(async () => {
  fronts = await openFronts();
});
const FRONTS = [0, 1] as const;
const front = (at: 0 | 1): Front => fronts[at];

/** Not compressible: as large after gzip as before. */
const noise = (sizeBytes: number): Buffer =>
  Buffer.from(Array.from({ length: sizeBytes }, (_, i) => (i * 2_654_435_761) >>> 13));

interface Case {
  readonly name: string;
  readonly sent: (front: Front) => Sent;
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}
const CASES: readonly Case[] = [
  { name: 'no such path', sent: () => ({ path: '/v1/nothing' }), status: 404, code: 'route_not_found' },
  {
    name: 'a slash at the end',
    sent: ({ path }) => ({ path: `${path}/` }),
    status: 404,
    code: 'route_not_found',
  },
  {
    name: 'another method, before the credential',
    sent: () => ({ method: 'PUT' }),
    status: 405,
    code: 'method_not_allowed',
  },
  {
    name: 'no credential, before the type',
    sent: () => ({ headers: { 'content-type': 'text/xml' }, body: '<a/>' }),
    status: 401,
    code: 'unauthorized',
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    name: 'no credential, before the size',
    sent: ({ sizeMaxBytes }) => ({ headers: JSON_TYPE, body: 'x'.repeat(sizeMaxBytes + 1) }),
    status: 401,
    code: 'unauthorized',
  },
  {
    name: 'no credential, before the JSON',
    sent: () => ({ headers: JSON_TYPE, body: '{' }),
    status: 401,
    code: 'unauthorized',
  },
  {
    name: 'another scheme',
    sent: ({ token, good }) => ({ headers: { ...JSON_TYPE, authorization: `Basic ${token}` }, body: good() }),
    status: 401,
    code: 'unauthorized',
  },
  {
    name: 'two tokens',
    sent: ({ token, good }) => ({
      headers: { ...JSON_TYPE, authorization: `Bearer ${token} ${token}` },
      body: good(),
    }),
    status: 401,
    code: 'unauthorized',
  },
  {
    name: 'a type, before the size',
    sent: (f) => ({
      headers: authorized(f, { 'content-type': 'text/plain' }),
      body: 'x'.repeat(f.sizeMaxBytes + 1),
    }),
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'a type that only ends in json',
    sent: (f) => ({ headers: authorized(f, { 'content-type': 'application/vnd.api+json' }), body: f.good() }),
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'a body of no type',
    sent: (f) => ({ headers: { authorization: `Bearer ${f.token}` }, body: f.good() }),
    status: 415,
    code: 'unsupported_media_type',
  },
  ...['br', 'deflate', 'zstd', 'gzip, gzip', 'identity, gzip'].map((encoding) => ({
    name: `the encoding ${encoding}, before the size`,
    sent: (f: Front) => ({
      headers: authorized(f, { 'content-encoding': encoding }),
      body: 'x'.repeat(f.sizeMaxBytes + 1),
    }),
    status: 415,
    code: 'unsupported_media_type',
    headers: { 'accept-encoding': 'gzip' },
  })),
  {
    name: 'too much, before the JSON',
    sent: (f) => ({ headers: authorized(f), body: `{${'x'.repeat(f.sizeMaxBytes)}` }),
    status: 413,
    code: 'payload_too_large',
  },
  {
    name: 'too much inside gzip',
    sent: (f) => ({
      headers: authorized(f, { 'content-encoding': 'gzip' }),
      body: gzipSync(f.good().padEnd(f.sizeMaxBytes + 1)),
    }),
    status: 413,
    code: 'payload_too_large',
  },
  {
    name: 'too much as gzip',
    sent: (f) => ({
      headers: authorized(f, { 'content-encoding': 'gzip' }),
      body: gzipSync(noise(f.sizeMaxBytes + 1)),
    }),
    status: 413,
    code: 'payload_too_large',
  },
  {
    name: 'what is not gzip',
    sent: (f) => ({ headers: authorized(f, { 'content-encoding': 'gzip' }), body: f.good() }),
    status: 400,
    code: 'invalid_json',
  },
  {
    name: 'cut gzip',
    sent: (f) => ({
      headers: authorized(f, { 'content-encoding': 'gzip' }),
      body: gzipSync(f.good()).subarray(0, -9),
    }),
    status: 400,
    code: 'invalid_json',
  },
  {
    name: 'no JSON',
    sent: (f) => ({ headers: authorized(f), body: '{' }),
    status: 400,
    code: 'invalid_json',
  },
  {
    name: 'no JSON inside gzip',
    sent: (f) => ({ headers: authorized(f, { 'content-encoding': 'gzip' }), body: gzipSync('{') }),
    status: 400,
    code: 'invalid_json',
  },
  {
    name: 'another shape',
    sent: (f) => ({ headers: authorized(f), body: '[]' }),
    status: 400,
    code: 'invalid_request',
  },
  { name: 'no body', sent: (f) => ({ headers: authorized(f) }), status: 400, code: 'invalid_request' },
  {
    name: 'no body and no type',
    sent: (f) => ({ headers: { authorization: `Bearer ${f.token}` } }),
    status: 400,
    code: 'invalid_request',
  },
];

describe.each(CASES)('$name', ({ sent, status, code, headers = {} }) => {
  it.each(FRONTS)(`is answered ${status} by front %i`, async (at) => {
    const answer = await front(at).send(sent(front(at)));
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(answer.headers).toMatchObject({ ...ALWAYS, ...headers });
    if (status === 413)
      expect(answer.json.details).toEqual([
        { path: '', message: `must be at most ${front(at).sizeMaxBytes} bytes, not compressed` },
      ]);
  });
});

const ALWAYS = {
  ...REPLY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'from-lambda',
  'server-timing': expect.stringMatching(/^app;dur=\d+\.\d$/),
};

describe.each(FRONTS)('front %i', (at) => {
  it.each(['Bearer %', 'bearer %', 'BEARER   %', 'Bearer\t%', 'Bearer % '])(
    'takes the credential %j',
    async (form) => {
      const f = front(at);
      const headers = authorized(f, { authorization: form.replace('%', f.token) });
      const answer = await f.send({ headers, body: f.good() });
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers).toMatchObject(ALWAYS);
    },
  );

  it.each(['application/json', 'application/json;charset=utf-8', 'Application/JSON ; charset=UTF-8'])(
    'takes the type %s',
    async (type) => {
      const f = front(at);
      expect(
        (await f.send({ headers: authorized(f, { 'content-type': type }), body: f.good() })).status,
      ).toBeLessThan(300);
    },
  );

  it('takes a body behind a byte order mark, as some shells and editors write it', async () => {
    const f = front(at);
    const body = Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(f.good())]);
    expect((await f.send({ headers: authorized(f), body })).status).toBeLessThan(300);
  });

  it.each(['gzip', 'GZIP', 'x-gzip', 'identity', ''])('takes the encoding %j', async (encoding) => {
    const f = front(at);
    const body = /gzip/i.test(encoding) ? gzipSync(f.good()) : f.good();
    const answer = await f.send({ headers: authorized(f, { 'content-encoding': encoding }), body });
    expect(answer.status).toBeLessThan(300);
  });

  it('echoes a plain request id and makes its own where there is none or a strange one', async () => {
    const f = front(at);
    const idOf = async (id: string) =>
      (await f.send({ path: '/x', headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idOf('checkout-7.2:a_b')).toBe('checkout-7.2:a_b');
    for (const id of ['', 'a b', '<script>', 'x'.repeat(129), 'a\tb', 'é'])
      expect(await idOf(id)).toBe('from-lambda');
  });

  it('inflates no further than the limit', async () => {
    const f = front(at);
    const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20), { level: 9 });
    expect(bomb.byteLength).toBeLessThan(f.sizeMaxBytes);
    const before = process.memoryUsage().arrayBuffers;
    const start = process.cpuUsage();
    const answer = await f.send({ headers: authorized(f, { 'content-encoding': 'gzip' }), body: bomb });
    expect(answer.status).toBe(413);
    expect(process.cpuUsage(start).user).toBeLessThan(500_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});
