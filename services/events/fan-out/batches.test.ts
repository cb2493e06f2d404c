// Goal: each target platform of a batch gets its pointer, without a row being read, and a failing batch fails alone.
import { expect, it } from 'vitest';
import type { BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { packBatches, packPointers } from '#lib/events/domain/pointer.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { manifestOf } from '#test/support/manifest.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createMemoryOrderStore } from '#test/support/memory/order-store.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import type { NormalizedMessage } from './message.ts';
import { createFanOutStage } from './stage.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const keyOf = (id: string): BatchKey => ({ merchantId: 'm', minuteMs: NOW_MS, shard: 0, id });

async function setUp(targets: Readonly<Record<string, readonly string[]>>) {
  const events = createMemoryEventStore();
  const batches = createMemoryBatchStore();
  for (const [id, slugs] of Object.entries(targets)) {
    const batch = keyOf(id);
    const rows = ['a', 'b'].map((name, position) => {
      const verdicts = Object.fromEntries(slugs.map((slug) => [slug, PENDING]));
      const row = normalizedRow({ merchantId: 'm', eventId: `${id}${name}`, receivedAtMs: NOW_MS, verdicts });
      return { ...row, place: { batch, position } };
    });
    await batches.putManifest(manifestOf(batch, rows, slugs));
    await store(events, ...rows);
  }
  const sent = new Map<string, DeliveryMessage[]>();
  let reads = 0;
  const problems: string[] = [];
  const stage = createFanOutStage({
    events: {
      ...events,
      readMany: async (...args) => {
        reads += 1;
        return await events.readMany(...args);
      },
    },
    batches,
    orders: createMemoryOrderStore(),
    deliveries: (slug) => ({
      send: async (messages) => {
        sent.set(slug, [...(sent.get(slug) ?? []), ...messages.map(({ body }) => body)]);
      },
    }),
    platforms: SYNTHETIC_PLATFORMS,
    clock: createManualClock(NOW_MS),
    report: (problem) => void problems.push(problem),
  });
  return {
    events,
    batches,
    sent,
    problems,
    reads: () => reads,
    run: (bodies: readonly NormalizedMessage[], receiveCount = 1) =>
      stage(bodies.map((body) => ({ body, receiveCount, sentAtMs: NOW_MS }))),
  };
}

it('tells each platform of each batch, and reads no row', async () => {
  const world = await setUp({ 'batch-01': ['alpha', 'bravo'], 'batch-02': ['bravo'] });
  await world.run(packBatches([keyOf('batch-01'), keyOf('batch-02')], 'first'));
  expect(Object.fromEntries(world.sent)).toMatchObject({
    alpha: [{ platform: 'alpha', first: true, batches: [{ id: 'batch-01' }] }],
    bravo: [
      { platform: 'bravo', first: true, batches: [{ id: 'batch-01' }] },
      { platform: 'bravo', first: true, batches: [{ id: 'batch-02' }] },
    ],
  });
  expect(world.reads()).toBe(0);
});

it('does not call first what was received before, or what a fold or a sweep sends', async () => {
  const world = await setUp({ 'batch-01': ['alpha', 'bravo'] });
  await world.run(packBatches([keyOf('batch-01')], 'first'), 2);
  await world.run(packBatches([keyOf('batch-01')], 'unattempted'));
  await world.run(packBatches([keyOf('batch-01')]).map((body) => ({ ...body, platform: 'alpha' })));
  expect(world.sent.get('alpha')).toHaveLength(3);
  expect(world.sent.get('bravo')).toHaveLength(2);
  for (const messages of world.sent.values())
    for (const message of messages) expect(message).not.toHaveProperty('first');
});

it('fails the message alone whose manifest is missing or cannot be read', async () => {
  const world = await setUp({ 'batch-01': ['alpha'], 'batch-02': ['alpha'] });
  world.batches.spoil(keyOf('batch-02'));
  const bodies = packBatches(['batch-03', 'batch-01', 'batch-02'].map(keyOf), 'first');
  expect(await world.run([...bodies, ...packPointers([])])).toEqual({ failedIndexes: [0, 2] });
  expect(world.sent.get('alpha')).toMatchObject([{ batches: [{ id: 'batch-01' }] }]);
});

it('ends what waits for a platform that is gone, of rows that are the batch’s only', async () => {
  const world = await setUp({ 'batch-01': ['gone', 'alpha'] });
  const [row] = world.events.rows();
  if (row?.state !== 'normalized') throw new Error('there is one');
  await world.events.replace({ ...row, place: undefined } as never, row.ingestId);
  await world.run(packBatches([keyOf('batch-01')], 'first'));
  const groups = [{ positions: [1], delivery: { state: 'SKIPPED', reason: 'not_connected' } }];
  expect(world.batches.outcomes()).toMatchObject([{ platform: 'gone', groups }]);
  expect([...world.sent.keys()]).toEqual(['alpha']);
  expect(world.problems).toEqual([]);
});
