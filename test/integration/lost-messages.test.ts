// Every message of every queue is lost, again and again, while events keep coming: three sweeps after the last time, all is
// delivered, once, and counted. Events come in batches and alone, and so lose their messages at every stage of their way.
import { expect, it } from 'vitest';
import { allTaken, eventIds } from '../support/delivery.ts';
import { openSyntheticShop, type SyntheticShop } from '../support/synthetic-shop.ts';

const SECONDS = 45;
const PER_SECOND = 20;
const SWEEPS_MAX = 3;

function setUp(express: boolean) {
  const taken = new Map<string, number>();
  const pipeline = openSyntheticShop({
    credentials: { alpha: { token: 'a' } },
    express,
    answer: (request) => {
      for (const id of eventIds(request)) taken.set(id, (taken.get(id) ?? 0) + 1);
      return allTaken(request);
    },
  });
  const { queues } = pipeline;
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
  return { pipeline, purge, taken };
}

/** One pass of one stage over what its queue holds: what it sends stays in the next queue, to be lost there. */
async function pass(pipeline: SyntheticShop, stage: 'normalize' | 'fanOut'): Promise<void> {
  const queue = stage === 'normalize' ? pipeline.queues.accepted : pipeline.queues.normalized;
  const leases = queue.receive(100);
  if (leases.length === 0) return;
  await pipeline.stages[stage](leases as never);
  for (const { receipt } of leases) queue.remove(receipt);
}

it.each([
  ['through queues', false],
  ['at once', true],
])('heals within three sweeps when every message is lost under load, sent %s', async (_how, express) => {
  const { pipeline, purge, taken } = setUp(express);
  const { clock } = pipeline;
  let sent = 0;
  let lost = 0;
  for (let second = 0; second < SECONDS; second++) {
    // A batch, or one event at a time.
    const alone = second % 3 === 0;
    for (let i = 0; i < PER_SECOND; i++) {
      await pipeline.take(`e${sent++}`);
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
  expect(taken.size).toBeLessThan(express ? sent : sent / 2);
  const rows = pipeline.storedRows.rows().filter((row) => row.state === 'normalized');
  expect(new Set(rows.map(({ place }) => place === undefined))).toEqual(new Set([true, false]));

  await pipeline.pass(SWEEPS_MAX);
  expect(taken.size).toBe(sent);
  expect([...taken.values()].filter((copies) => copies > 1)).toEqual([]);
  expect(pipeline.counted('minute')).toBe(sent);
  expect(pipeline.problems).toEqual([]);
});
