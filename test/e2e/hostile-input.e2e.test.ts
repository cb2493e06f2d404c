// G16 on the wire: whatever bytes arrive at the running host, the answer is 2xx or 4xx with a JSON reason, nothing is
// stored of what was refused, and the host goes on serving.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from '../../services/local/host.ts';

let host: Host;
let folder: string;
const errors: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  host = await startHost({ portBase: 0, dataDir: folder, onError: (text) => errors.push(text) });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const PATHS = ['/v1/events', '/v1/ingest', '/v1/browser/events'] as const;
const event = (extra: Record<string, unknown> = {}) => ({
  event_id: 'hostile',
  event_name: 'Purchase',
  event_time: Math.floor(Date.now() / 1000),
  user_data: {},
  ...extra,
});

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<{ status: number; text: string }> {
  const response = await fetch(host.session.ingestion_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${host.session.api_key}` },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;

describe('hostile input', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['a million levels of nesting', '['.repeat(100_000)],
    ['closed nesting', `${'['.repeat(21)}${']'.repeat(21)}`],
    ['a hundred thousand keys over the size limit', keys(100_000)],
    ['twenty thousand keys within it', keys(20_000)],
    ['truncated UTF-8', new Uint8Array([0x22, 0xc3])],
    ['overlong UTF-8', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
    ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
    ['a lone surrogate', '{"event_id":"\\udfff"}'],
    ['exponents', '{"event_time":1e309}'],
    ['negative zero and friends', '{"event_time":-0,"value":-0.0}'],
    ['a long number', `{"value":${'9'.repeat(10_000)}}`],
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['duplicate keys', '{"event_id":"a","event_id":"b"}'],
    ['a truncated event', JSON.stringify(event()).slice(0, -4)],
    ['no body', ''],
    ['white space', ' \n\t '],
    ['NUL bytes', new Uint8Array(1_000)],
  ])('%s is a 4xx with a reason', async (_name, body) => {
    for (const path of PATHS) {
      const { status, text } = await post(path, body);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(text)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    }
  });

  it('any JSON value in any place is 2xx or 4xx', async () => {
    const places = [
      'event_id',
      'event_name',
      'event_time',
      'user_data',
      'value',
      'items',
      'consent',
      'custom_data',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 8 }), async (place, value) => {
        const { status } = await post('/v1/events', JSON.stringify(event({ [place]: value })));
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });

  it('any bytes are 2xx or 4xx', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom(...PATHS),
        async (bytes, path) => {
          const { status } = await post(path, new Uint8Array(bytes));
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('outlives connections that are cut, and requests that are no HTTP', async () => {
    const { hostname, port } = new URL(host.session.ingestion_url);
    for (const text of [
      'POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":',
      'POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n{',
      'GARBAGE\r\n\r\n',
      `GET /v1/pixel.js HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
      '\u0000\u0001\u0002',
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(text));
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
        setTimeout(() => socket.destroy(), 100);
      });
    }
    const { status } = await post('/v1/events', JSON.stringify(event({ event_id: 'after-all-that' })));
    expect(status).toBe(202);
    expect(errors).toEqual([]);
  });

  it('stored nothing of what it refused', async () => {
    const response = await fetch(`${host.session.api_url}/v1/events?limit=100`, {
      headers: { authorization: `Bearer ${host.session.session_jwt}` },
    });
    const { events } = (await response.json()) as { events: { event_id: string; event_name: string }[] };
    expect(events.map((e) => e.event_id)).toContain('after-all-that');
    for (const row of events) expect(row.event_id.length).toBeGreaterThan(0);
  });
});
