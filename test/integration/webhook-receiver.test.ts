// Events of a shop at a receiver of its own, over HTTP, which checks signatures with the library that Standard Webhooks publishes and
// knows none of ours: each event comes once, and what is sent again after an error or a lost answer has the id of before.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTransport } from '../../lib/adapters/http/transport.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { examples } from '../platforms/webhook/examples.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const EVENTS = 40;
const credentials = examples[0]?.credentials as { readonly secret: string };

// The verifier asks the clock of the machine how old a request is.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

/** Refuses each fourth request for now, and hangs up on each seventh without a word once it has the event. */
async function openReceiver(secret: string) {
  const verifier = new Webhook(secret);
  const seen: { readonly id: string; readonly eventId: string }[] = [];
  const taken = new Set<string>();
  let unsigned = 0;
  const verified = (body: string, headers: IncomingHttpHeaders) => {
    try {
      const said = verifier.verify(body, headers as Record<string, string>) as { data: { event_id: string } };
      return { id: String(headers['webhook-id']), eventId: said.data.event_id };
    } catch {
      unsigned += 1;
      return undefined;
    }
  };
  const server = createServer(async (request, response) => {
    const one = verified(await text(request), request.headers);
    if (one === undefined) return response.writeHead(401).end();
    seen.push(one);
    if (seen.length % 4 === 0) return response.writeHead(503).end();
    taken.add(one.id);
    if (seen.length % 7 === 0) return request.socket.destroy();
    return response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, taken, unsigned: () => unsigned, server };
}

async function run(secret: string) {
  const receiver = await openReceiver(secret);
  const transport = createTransport({ sandboxUrl: receiver.url });
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS.filter(({ slug }) => slug === 'webhook'),
    credentials: { webhook: credentials },
    answer: async (request) => {
      vi.setSystemTime(pipeline.clock.now());
      return await transport.send(request, { timeoutMs: 5_000 });
    },
  });
  for (let i = 0; i < EVENTS; i++) {
    const event_time = Math.floor(pipeline.clock.now() / 1_000);
    await pipeline.accept({ event_id: `e-${i}`, event_name: 'PageView', event_time, user_data: {} });
  }
  for (let minute = 0; minute < 60; minute++) {
    await pipeline.drain();
    pipeline.clock.advance(60_000);
    await pipeline.sweep();
  }
  await transport.close();
  receiver.server.close();
  const states = pipeline.events
    .rows()
    .map((row) => (row.state === 'normalized' ? row.deliveries.webhook?.state : row.state));
  return { ...receiver, states };
}

it('each event arrives signed, and once by its id, however often it is sent', async () => {
  const { seen, taken, unsigned, states } = await run(credentials.secret);
  expect(states).toEqual(Array(EVENTS).fill('DELIVERED'));
  expect(unsigned()).toBe(0);
  expect(taken.size).toBe(EVENTS);
  expect(seen.length).toBeGreaterThan(EVENTS);
  const idsOf = Map.groupBy(seen, ({ eventId }) => eventId);
  expect(idsOf.size).toBe(EVENTS);
  for (const [eventId, sent] of idsOf) expect(new Set(sent.map(({ id }) => id)).size, eventId).toBe(1);
});

it('a receiver with another secret takes none', async () => {
  const { taken, unsigned, states } = await run(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
  expect([taken.size, states.includes('DELIVERED')]).toEqual([0, false]);
  expect(unsigned()).toBeGreaterThan(0);
});
