// When slots are counted anew: at once while they are small, with rests that grow with them, and never too late.
import { expect, it } from 'vitest';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';

const START_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

function setUp() {
  const pipeline = createMemoryPipeline({
    platforms: [],
    credentials: {},
    answer: () => ({ kind: 'response', status: 200, headers: {}, body: '' }),
  });
  let accepted = 0;
  return {
    pipeline,
    at: (second: number) => pipeline.clock.advanceTo(START_MS + second * 1_000),
    /** Accepts and normalizes; says nothing to the counters. */
    accept: async (count: number) => {
      for (let i = 0; i < count; i++) {
        accepted += 1;
        await pipeline.accept({
          event_id: `e${accepted}`,
          event_name: 'Lead',
          event_time: START_MS / 1_000,
          user_data: {},
        });
      }
      for (const lease of pipeline.queues.accepted.receive(count)) {
        await pipeline.stages.normalize([lease]);
        pipeline.queues.accepted.remove(lease.receipt);
      }
      for (const { receipt } of allOf(pipeline.queues.counterRefresh))
        pipeline.queues.counterRefresh.remove(receipt);
    },
    /** One hint about the first minute; resolves to how many hints the stage sent itself. */
    hint: async (sentSecond: number) => {
      const before = pipeline.queues.counterRefresh.size();
      const body = { merchant: PIPELINE_MERCHANT, slots: [START_MS] };
      const sentAtMs = START_MS + sentSecond * 1_000;
      expect(await pipeline.stages.aggregate([{ body, receiveCount: 1, sentAtMs }])).toEqual({
        failedIndexes: [],
      });
      return pipeline.queues.counterRefresh.size() - before;
    },
    counted: () => pipeline.counters.rows().find(({ key }) => key.grain === 'minute')?.counters.events,
  };
}

/** What waits in the queue now, those put off left where they are. */
const allOf = (queue: ReturnType<typeof setUp>['pipeline']['queues']['counterRefresh']) =>
  queue.receive(1_000);

it('counts a small slot for every hint', async () => {
  const { at, accept, hint, counted } = setUp();
  for (let second = 1; second <= 5; second++) {
    at(second);
    await accept(1);
    expect(await hint(second)).toBe(0);
    expect(counted()).toBe(second);
  }
});

it('puts a hint off while a larger slot rests, and counts it then', async () => {
  const { at, accept, hint, counted } = setUp();
  at(1);
  await accept(200);
  at(6);
  await hint(6);
  expect(counted()).toBe(200);
  at(7);
  await accept(1);
  // 200 rows rest for 6 s.
  expect(await hint(7)).toBe(1);
  expect(counted()).toBe(200);
  at(12);
  expect(await hint(7)).toBe(0);
  expect(counted()).toBe(201);
});

it('drops a hint when the slot is due about as soon as it has rested, and counts it then', async () => {
  const { pipeline, at, accept, hint, counted } = setUp();
  at(1);
  await accept(200);
  at(55);
  await hint(55);
  at(56);
  await accept(1);
  expect(await hint(56)).toBe(0);
  expect(counted()).toBe(200);
  at(61);
  await pipeline.sweep();
  await pipeline.drain();
  expect(counted()).toBe(201);
});

it('drops a hint that a later fold has covered', async () => {
  const { at, accept, hint, counted } = setUp();
  at(1);
  await accept(5);
  at(30);
  await hint(30);
  expect(counted()).toBe(5);
  at(31);
  await accept(1);
  // Sent before that fold, and received after it.
  expect(await hint(3)).toBe(0);
  expect(counted()).toBe(5);
  expect(await hint(31)).toBe(0);
  expect(counted()).toBe(6);
});

it('counts sources that are called like what every object inherits', async () => {
  const { pipeline } = setUp();
  const names = ['constructor', 'web'];
  for (const [i, source] of [...names, ...names].entries()) {
    const event = { event_id: `e${i}`, event_name: 'constructor', event_time: START_MS / 1_000 };
    await pipeline.accept({ ...event, source, user_data: {} });
  }
  await pipeline.drain();
  pipeline.clock.advance(61_000);
  await pipeline.sweep();
  await pipeline.drain();
  const expected = new Map(names.map((name) => [name, 2]));
  const rows = pipeline.counters.rows();
  expect(rows.map(({ key }) => key.grain).sort()).toEqual(['day', 'hour', 'minute']);
  for (const { counters } of rows) {
    expect(new Map(Object.entries(counters.bySource))).toEqual(expected);
    expect(counters.byName).toEqual({ Custom: 4 });
  }
});
