// Every message of every queue is lost, again and again, while events keep coming: three sweeps after the last time, all is
// delivered, once, and counted. Events come in batches and alone, and so lose their messages at every stage of their way.
import { expect, it } from 'vitest';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const MINUTE_MS = 60_000;
const SECONDS = 45;
const PER_SECOND = 20;
const SWEEPS_MAX = 3;

function setUp() {
  const taken = new Map<string, number>();
  const took = (request: HttpRequest): HttpResult => {
    const events = JSON.parse(request.body) as WireEvent[];
    for (const { id } of events) taken.set(id, (taken.get(id) ?? 0) + 1);
    const results = Object.fromEntries(events.map(({ nonce }) => [nonce, 'ok']));
    return { kind: 'response', status: 200, headers: {}, body: JSON.stringify({ results }) };
  };
  const pipeline = createMemoryPipeline({
    platforms: SYNTHETIC_PLATFORMS,
    credentials: { alpha: { token: 'a' } },
    answer: took,
  });
  const { queues, clock } = pipeline;
  const everyQueue = [
    queues.accepted,
    queues.normalized,
    queues.counterRefresh,
    ...queues.deliveries.values(),
  ];
  const purge = (): number => {
    const lost = everyQueue.reduce((sum, queue) => sum + queue.size(), 0);
    for (const queue of everyQueue) queue.purge();
    return lost;
  };
  const accept = async (name: string) =>
    await pipeline.accept({
      event_id: name,
      event_name: 'Purchase',
      event_time: Math.floor(clock.now() / 1_000),
      user_data: { email: `${name}@example.com` },
      order_id: name,
      value: 10.5,
      currency: 'EUR',
    });
  return { pipeline, purge, accept, taken };
}

/** One pass of one stage over what its queue holds: what it sends stays in the next queue, to be lost there. */
async function pass(
  pipeline: ReturnType<typeof createMemoryPipeline>,
  stage: 'normalize' | 'fanOut',
): Promise<void> {
  const queue = stage === 'normalize' ? pipeline.queues.accepted : pipeline.queues.normalized;
  const leases = queue.receive(100);
  if (leases.length === 0) return;
  await pipeline.stages[stage](leases as never);
  for (const { receipt } of leases) queue.remove(receipt);
}

it('heals within three sweeps when every message is lost under load', async () => {
  const { pipeline, purge, accept, taken } = setUp();
  const { clock } = pipeline;
  let sent = 0;
  let lost = 0;
  for (let second = 0; second < SECONDS; second++) {
    // A batch, or one event at a time.
    const alone = second % 3 === 0;
    for (let i = 0; i < PER_SECOND; i++) {
      await accept(`e${sent++}`);
      if (alone) await pass(pipeline, 'normalize');
    }
    // They get one stage further before they are lost, none, or all the way.
    const reached = second % 5;
    if (reached >= 1) await pass(pipeline, 'normalize');
    if (reached >= 2) await pass(pipeline, 'fanOut');
    if (reached === 4) await pipeline.drain();
    else lost += purge();
    clock.advance(1_000);
  }
  expect(lost).toBeGreaterThan(100);
  expect(taken.size).toBeLessThan(sent / 2);
  const places = pipeline.storedRows.rows().filter((row) => row.state === 'normalized');
  expect(places.some((row) => row.state === 'normalized' && row.place !== undefined)).toBe(true);
  expect(places.some((row) => row.state === 'normalized' && row.place === undefined)).toBe(true);

  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    clock.advance(MINUTE_MS);
    await pipeline.sweep();
    await pipeline.drain();
  }
  expect(taken.size).toBe(sent);
  expect([...taken.values()].filter((copies) => copies > 1)).toEqual([]);
  const minutes = pipeline.counters.rows().filter(({ key }) => key.grain === 'minute');
  expect(minutes.reduce((sum, { counters }) => sum + counters.events, 0)).toBe(sent);
  expect(pipeline.problems).toEqual([]);
});
