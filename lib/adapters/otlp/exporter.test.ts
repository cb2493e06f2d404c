// Goal: a collector gets spans as OTLP says, and no collector, slow, broken or away, hurts the function. Method: collectors on this
// machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createExporter, type Span } from './exporter.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Posted {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

async function collector(answer: (response: ServerResponse) => void) {
  const posted: Posted[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url: path, headers } = request;
    posted.push({ path, type: headers['content-type'], body: JSON.parse(Buffer.concat(chunks).toString()) });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posted };
}

function open(url: string) {
  const problems: string[] = [];
  let nowMs = 1_795_000_000_000;
  const report = (problem: string) => void problems.push(problem);
  const exporter = createExporter({ url, service: 'ingestion', now: () => nowMs, report });
  return { exporter, problems, advance: (ms: number) => (nowMs += ms) };
}

const SPAN: Span = {
  ...{ name: 'POST /v1/events', kind: 'server', isError: false },
  ...{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' },
  ...{ startMs: 1_795_000_000_000.25, endMs: 1_795_000_000_020 },
  attributes: { 'http.route': '/v1/events', 'http.response.status_code': 202, 'error.type': undefined },
};

it('posts what waits in one request, and nothing where nothing does', async () => {
  const { url, posted } = await collector((response) => response.end('{}'));
  const { exporter, problems } = open(`${url}/`);
  await exporter.flush();
  expect(posted).toEqual([]);
  exporter.add(SPAN);
  exporter.add({ ...SPAN, parentId: 'b'.repeat(16), kind: 'client', isError: true });
  await exporter.flush();
  await exporter.flush();
  const span = {
    ...{ traceId: SPAN.traceId, spanId: SPAN.spanId, name: 'POST /v1/events', kind: 2, status: {} },
    ...{ startTimeUnixNano: '1795000000000250000', endTimeUnixNano: '1795000000020000000' },
    attributes: [
      { key: 'http.route', value: { stringValue: '/v1/events' } },
      { key: 'http.response.status_code', value: { intValue: '202' } },
    ],
  };
  expect(posted).toEqual([
    {
      ...{ path: '/v1/traces', type: 'application/json' },
      body: {
        resourceSpans: [
          {
            resource: {
              attributes: [
                { key: 'service.namespace', value: { stringValue: 'millrace' } },
                { key: 'service.name', value: { stringValue: 'ingestion' } },
              ],
            },
            scopeSpans: [
              {
                scope: { name: 'millrace' },
                spans: [span, { ...span, parentSpanId: 'b'.repeat(16), kind: 3, status: { code: 2 } }],
              },
            ],
          },
        ],
      },
    },
  ]);
  expect(problems).toEqual([]);
});

it.each([
  ['refuses', (response: ServerResponse) => response.writeHead(503).end()],
  ['sends elsewhere', (response: ServerResponse) => response.writeHead(307, { location: '/x' }).end()],
  ['breaks off', (response: ServerResponse) => response.destroy()],
  ['says nothing', () => undefined],
])('goes on where the collector %s, and says so once a minute', async (_how, answer) => {
  const { url } = await collector(answer);
  const { exporter, problems, advance } = open(url);
  for (let i = 0; i < 2; i++) {
    exporter.add(SPAN);
    await exporter.flush();
  }
  expect(problems).toEqual(['spans were not exported']);
  advance(60_000);
  exporter.add(SPAN);
  await exporter.flush();
  expect(problems).toHaveLength(2);
});

it('holds no more than 512 spans', async () => {
  const { url, posted } = await collector((response) => response.end('{}'));
  const { exporter } = open(url);
  for (let i = 0; i < 2_000; i++) exporter.add(SPAN);
  await exporter.flush();
  expect(JSON.stringify(posted[0]).split('"spanId"')).toHaveLength(513);
});
