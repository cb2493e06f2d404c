// What an event costs, counted and not timed: real stages and stores on the embedded emulators, every call priced by the
// meters. A change that adds a write, a read or a message per event fails here and says which stage it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { THREE_PLATFORMS } from '../performance/measured-platforms.ts';
import { type MeteredPipeline, openMeteredPipeline } from '../performance/metered-pipeline.ts';
import {
  type Cost,
  costOf,
  counterWriteUnits,
  eventWriteUnits,
  sqsRequests,
} from '../performance/metered-usage.ts';
import { accentedEvent, standardEvent } from '../performance/standard-event.ts';

const EVENTS = 200;
const PLATFORMS = THREE_PLATFORMS.length;
/** Row, index entry, normalized row; what is left is shared by batches. */
const BUDGET_WRITE_UNITS = 3.2;
const RUN_MS = 120_000;

let pipeline: MeteredPipeline;
let nextIndex = 0;

beforeAll(async () => {
  pipeline = await openMeteredPipeline({ connected: THREE_PLATFORMS });
}, RUN_MS);
afterAll(() => pipeline.close());

interface Run {
  readonly perRequest?: number;
  readonly platforms?: 'one by one' | 'side by side';
  readonly event?: typeof standardEvent;
}

/** Fresh events through the whole pipeline, with the pauses between stages that queues make. */
function run({ perRequest = 1, platforms = 'one by one', event = standardEvent }: Run): Promise<Cost> {
  const first = nextIndex;
  nextIndex += EVENTS;
  return costOf(pipeline, async () => {
    const timeSec = Math.floor(pipeline.clock.now() / 1_000) - 60;
    await pipeline.ingest(
      Array.from({ length: EVENTS }, (_, i) => event(first + i, timeSec)),
      perRequest,
    );
    pipeline.clock.advance(1_200);
    await pipeline.run('normalize');
    pipeline.clock.advance(150);
    await pipeline.run('fan-out');
    pipeline.clock.advance(350);
    await pipeline.run('deliver', platforms);
    pipeline.clock.advance(5_000);
    await pipeline.run('aggregate');
    expect(pipeline.problems).toEqual([]);
  });
}

describe(`${EVENTS} events to ${PLATFORMS} platforms, one at a time`, () => {
  let cost: Cost;
  beforeAll(async () => {
    cost = await run({});
  }, RUN_MS);

  it('accept with one key read, one put with its index entry, one message', () => {
    const { ingestion } = cost.stages;
    expect(ingestion.config.calls).toEqual({ GetItem: EVENTS });
    expect(ingestion.config.readUnits).toBe(EVENTS);
    expect(ingestion.events.calls).toEqual({ PutItem: EVENTS });
    expect(ingestion.events.writeUnits).toBe(2 * EVENTS);
    expect(ingestion.events.indexWriteUnits).toBe(EVENTS);
    expect(ingestion.sent.calls).toEqual({ SendMessage: EVENTS });
  });

  it('normalize with one write each', () => {
    const { normalize } = cost.stages;
    expect(normalize.events.calls.UpdateItem).toBe(EVENTS);
    expect(normalize.events.writeUnits).toBe(EVENTS);
    expect(normalize.events.readUnits).toBe(EVENTS / 2);
  });

  it('are described by one manifest for a hundred rows, but for those before the merchant was known to send many', () => {
    const { normalize } = cost.stages;
    expect(normalize.batches.calls).toEqual({ PutItem: EVENTS / 100 + 1 });
    expect(normalize.batches.writeUnits / EVENTS).toBeLessThanOrEqual(0.06);
  });

  it('are sent by fan-out with half a read each for all platforms, and without a write to a row', () => {
    const fanOut = cost.stages['fan-out'];
    expect(fanOut.events.writeUnits).toBe(0);
    expect(fanOut.events.readUnits).toBe(EVENTS / 2);
    expect(fanOut.batches.conditionFailures).toBe(0);
    expect(fanOut.batches.indexWriteUnits).toBe(0);
    expect(fanOut.batches.writeUnits / EVENTS).toBeLessThanOrEqual(0.15);
    expect(fanOut.batches.readUnits / EVENTS).toBeLessThanOrEqual(0.02);
  });

  it('leave nothing for the queues of platforms that look well', () => {
    const { deliver } = cost.stages;
    expect(deliver.invocations).toBe(0);
    expect([deliver.events, deliver.batches].map(({ calls }) => calls)).toEqual([{}, {}]);
  });

  it(`cost at most ${BUDGET_WRITE_UNITS} write units and 1.25 queue requests`, () => {
    expect(eventWriteUnits(cost) / EVENTS).toBeLessThanOrEqual(BUDGET_WRITE_UNITS);
    expect(sqsRequests(cost) / EVENTS).toBeLessThanOrEqual(1.25);
  });

  it('are counted with a handful of writes, whatever their number, beside five for each order of a new person', () => {
    // The order; the click by one cookie, and by each of three names of the buyer with the order.
    const orders = 5 * EVENTS;
    // The minute, its hour and its day, two announcements with their index entries, and the sparse shard of this day.
    expect(counterWriteUnits(cost) - orders).toBeLessThanOrEqual(8);
  });
});

it('events of one request share their messages', { timeout: RUN_MS }, async () => {
  const cost = await run({ perRequest: 100 });
  // Messages of five pointers, ten a request.
  expect(cost.stages.ingestion.sent.requests).toBe(EVENTS / 50);
  expect(sqsRequests(cost) / EVENTS).toBeLessThanOrEqual(0.2);
  expect(eventWriteUnits(cost) / EVENTS).toBeLessThanOrEqual(BUDGET_WRITE_UNITS);
});

it('platforms that run side by side cost no more', { timeout: RUN_MS }, async () => {
  const cost = await run({ platforms: 'side by side' });
  expect(eventWriteUnits(cost) / EVENTS).toBeLessThanOrEqual(BUDGET_WRITE_UNITS);
});

it('a name that platforms spell in several ways costs two more units at most', {
  timeout: RUN_MS,
}, async () => {
  const cost = await run({ event: accentedEvent });
  expect(cost.stages.normalize.events.writeUnits).toBe(EVENTS);
  expect(eventWriteUnits(cost) / EVENTS).toBeLessThanOrEqual(BUDGET_WRITE_UNITS + 2);
});
