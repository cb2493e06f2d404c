// What a request to a platform costs, beside what the HTTP client under it costs by itself: CPU of this process, against a
// server in another one that answers as Meta does.
import { Agent, request } from 'undici';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import { examples } from '#test/platforms/meta/examples.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { startHttpChild } from '../http-child.ts';
import { atMost, figure, report } from '../result.ts';
import { inRounds, type Work } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';
import { createThinPipeline, THIN_NOW_MS } from '../thin-pipeline.ts';

const CONNECTIONS = 16;
const meta = platformBySlug('meta');
if (meta === undefined) throw new Error('there is no platform meta');
const server = await startHttpChild('platform');
const sandboxUrl = `http://127.0.0.1:${server.port}`;
const transport = createTransport({ sandboxUrl });
const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });

const requestOf = (events: number) =>
  meta.buildRequest(
    Array.from({ length: events }, (_, i) => sampleEvent({ eventId: `order-${i}`, dedupId: `order-${i}` })),
    examples[0]?.credentials,
    { test: false },
  );
const one = requestOf(1);
const target = new URL(one.url);
const origin = `${sandboxUrl}/${target.host}${target.pathname}${target.search}`;

/** As many at once as there are connections. */
const wide =
  (call: () => Promise<unknown>): Work =>
  async (count) => {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  };

const bodies = Array.from({ length: 4_000 }, (_, i) =>
  Buffer.from(JSON.stringify(standardEvent(i, THIN_NOW_MS / 1_000 - 60))),
);
/** The deliver stage alone: what comes before it is done outside of the time. */
async function stage(): Promise<number> {
  const pipeline = createThinPipeline(transport);
  for (const body of bodies) await pipeline.accept(body);
  await pipeline.normalize();
  await pipeline.fanOut();
  const cpu = process.cpuUsage();
  await pipeline.deliver();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / bodies.length;
}

try {
  const figures = await inRounds({
    undici: wide(async () => {
      const answer = await request(origin, {
        dispatcher: agent,
        method: 'POST',
        headers: one.headers,
        body: one.body,
      });
      await answer.body.text();
    }),
    transport: wide(async () => {
      const result = await transport.send(one, { timeoutMs: 5_000 });
      if (result.kind !== 'response' || result.status !== 200) throw new Error(JSON.stringify(result));
    }),
    fetch: wide(async () => {
      const { method, headers, body } = one;
      await (await fetch(origin, { method, headers, body })).text();
    }),
  });
  await stage();
  report({
    benchmark: 'delivery',
    rows: [
      figure("undici's request", figures.undici.cpuUs, 'us CPU/request'),
      figure('fetch', figures.fetch.cpuUs, 'us CPU/request'),
      figure('the transport', figures.transport.cpuUs, 'us CPU/request'),
      atMost(
        "the transport against undici's request",
        figures.transport.cpuUs / figures.undici.cpuUs,
        'x',
        1.3,
      ),
      figure('the deliver stage, full requests', await stage(), 'us CPU/event'),
    ],
  });
} finally {
  server.close();
  await transport.close();
  await agent.close();
}
