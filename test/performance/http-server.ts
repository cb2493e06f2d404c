// One HTTP server in a process of its own, named by its first argument: the ingestion application with a store that does
// nothing, or what it is compared with. Tells its port to the parent, and its CPU time whenever the parent asks.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { z } from 'zod';
import type { FunctionUrlEvent } from '../../lib/adapters/lambda/function-url.ts';
import { functionUrlHandler } from '../../lib/adapters/lambda/function-url.ts';
import type { HttpApp } from '../../lib/core/http/http-message.ts';
import { eventSchema } from '../../lib/events/domain/event/event.ts';
import { openFunctionUrl } from '../../services/local/functions/function-url.ts';
import { noopIngestion } from './noop-ingestion.ts';

const ACCEPTED = JSON.stringify({ success: true });

const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  'node:http': () =>
    listen(
      createServer((request, response) => {
        read(request).then((body) => {
          JSON.parse(body.toString());
          reply(response, 202, { 'content-type': 'application/json' }, ACCEPTED);
        }, fail);
      }),
    ),
  /** Answers as Meta does, in the place of every vendor. */
  platform: () =>
    listen(
      createServer((request, response) => {
        read(request).then((body) => {
          const { data } = JSON.parse(body.toString()) as { data: readonly unknown[] };
          const took = JSON.stringify({ events_received: data.length, messages: [], fbtrace_id: 'A1' });
          reply(response, 200, { 'content-type': 'application/json' }, took);
        }, fail);
      }),
    ),
  fastify: () => fastify(() => {}),
  'fastify + z.compile': () => {
    const schema = z.compile(eventSchema);
    return fastify((body) => {
      if (!schema.safeParse(body).success) throw new Error('refused');
    });
  },
  ingestion: async () => {
    const app = noopIngestion();
    return await listen(
      createServer((request, response) => {
        answer(app, request).then(
          ({ status, headers, body }) => reply(response, status, headers, body),
          fail,
        );
      }),
    );
  },
  'ingestion behind its function URL': async () => {
    const handle = functionUrlHandler(noopIngestion());
    const endpoint = await openFunctionUrl('ingestion', 0, (_problem, error) => fail(error));
    endpoint.serve((event) => handle(event as FunctionUrlEvent));
    return Number(new URL(endpoint.url).port);
  },
};

const open = SERVERS[process.argv[2] ?? ''];
if (open === undefined) throw new Error(`no server ${process.argv[2]}: ${Object.keys(SERVERS).join(', ')}`);
process.send?.({ port: await open() });
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));

async function fastify(check: (body: unknown) => void): Promise<number> {
  const app = Fastify();
  app.post('/v1/events', async (request, reply) => {
    check(request.body);
    return await reply.code(202).send({ success: true });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

async function answer(app: HttpApp, request: IncomingMessage) {
  const headers: Record<string, string> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return await app({
    method: request.method ?? '',
    path: request.url ?? '',
    query: {},
    headers,
    body: await read(request),
    clientIp: '203.0.113.7',
    requestId: randomUUID(),
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', () => done());
  });
  return (server.address() as AddressInfo).port;
}

/** With its length, so that it leaves in one piece. */
function reply(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function read(request: IncomingMessage): Promise<Buffer> {
  return new Promise((done, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      done(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)),
    );
    request.on('error', reject);
  });
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
