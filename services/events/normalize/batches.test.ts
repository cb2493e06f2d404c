// Goal: rows of one minute are committed together if that pays off, and a failure stays with its row.
import { expect, it } from 'vitest';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { batchesOf, batchPointerSchema } from '#lib/events/domain/pointer.ts';
import { normalizedRow } from '#test/contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { createMemoryPipeline } from '#test/support/memory-pipeline.ts';
import { newBatchId, planBatches } from './batches.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);

let ids = 0;
const newId = (): string => `batch-0${ids++}`;
const row = (differences: Parameters<typeof normalizedRow>[0]): NormalizedRow =>
  normalizedRow({ merchantId: 'm', receivedAtMs: START_MS, verdicts: { meta: PENDING }, ...differences });
const some = (count: number, differences: Partial<Parameters<typeof normalizedRow>[0]> = {}) =>
  Array.from({ length: count }, (_, i) =>
    row({ eventId: `e${i}${JSON.stringify(differences)}`, ...differences }),
  );
const sizes = (rows: readonly NormalizedRow[]) => {
  const { batches, alone } = planBatches(rows, newId);
  return { batches: batches.map((batch) => batch.rows.length), alone: alone.length };
};

it('takes a hundred rows a batch, and leaves one that is over to itself', () => {
  expect(sizes([])).toEqual({ batches: [], alone: 0 });
  expect(sizes(some(1))).toEqual({ batches: [], alone: 1 });
  expect(sizes(some(2))).toEqual({ batches: [2], alone: 0 });
  expect(sizes(some(100))).toEqual({ batches: [100], alone: 0 });
  expect(sizes(some(101))).toEqual({ batches: [100], alone: 1 });
  expect(sizes(some(102))).toEqual({ batches: [100, 2], alone: 0 });
});

it.each([
  ['merchants', { merchantId: 'n' }],
  ['minutes', { receivedAtMs: START_MS + 60_000 }],
  ['shards', { shard: 1 }],
  ['channels', { channel: 'browser' }],
  ['routings', { routingVersion: 8 }],
] as const)('never mixes %s', (_, other) => {
  expect(sizes([...some(2), ...some(3, other)])).toEqual({ batches: [2, 3], alone: 0 });
  expect(sizes([...some(1), ...some(1, other)])).toEqual({ batches: [], alone: 2 });
});

it('leaves rows alone that wait for their server copy, or that no platform is to have', () => {
  const held = some(2).map((each) => ({ ...each, heldUntilMs: START_MS, dueAtMs: START_MS }));
  expect(sizes(held)).toEqual({ batches: [], alone: 2 });
  expect(sizes(some(2, { verdicts: { meta: 'unmapped:Lead' } }))).toEqual({ batches: [], alone: 2 });
});

it('says of each row where it stands, and of the batch what its rows count for', () => {
  const rows = [
    row({ eventId: 'a', verdicts: { meta: PENDING, ga4: 'unmapped:x' }, event: { orderId: '1' } }),
    row({ eventId: 'b', event: { name: 'Lead' } }),
  ];
  const [batch] = planBatches(rows, () => 'batch-01').batches;
  const key = { merchantId: 'm', minuteMs: START_MS, shard: 0, id: 'batch-01' };
  expect(batch?.rows.map(({ place }) => place)).toEqual([0, 1].map((position) => ({ batch: key, position })));
  expect(batch?.manifest).toMatchObject({
    batch: key,
    rows: [
      { eventId: 'a', name: 'Purchase', targets: ['meta'] },
      { eventId: 'b', name: 'Lead', targets: ['meta'] },
    ],
    counters: {
      events: 2,
      byName: { Purchase: 1, Lead: 1 },
      revenue: { EUR: { orders: 1, minor: '1000' } },
      deliveries: { ga4: { Purchase: { unmapped: 1 } } },
    },
  });
});

it('makes ids that a message and a key can hold', () => {
  for (const draw of [0, 0.5, 1 - 2 ** -47]) {
    const batches = [{ minute: START_MS, shard: 0, id: newBatchId(() => draw) }];
    expect(batchPointerSchema.safeParse({ merchant: 'm', batches }).success).toBe(true);
  }
  for (const [at, bad] of Object.entries({ id: 'short', minute: START_MS + 1, shard: -1 })) {
    const batches = [{ minute: START_MS, shard: 0, id: 'batch-01', [at]: bad }];
    expect(batchPointerSchema.safeParse({ merchant: 'm', batches }).success).toBe(false);
  }
});

const event = (id: string) => ({
  event_id: id,
  event_name: 'Lead',
  event_time: Math.floor(Date.UTC(2026, 10, 21, 11, 59) / 1_000),
  order_id: id,
  user_data: { email: `${id}@example.com` },
});

async function accepted(...eventIds: readonly string[]) {
  const pipeline = createMemoryPipeline({
    platforms: SYNTHETIC_PLATFORMS,
    credentials: { bravo: { token: 'b' } },
    answer: () => ({ kind: 'response', status: 200, headers: {}, body: '{"ok":true}' }),
  });
  for (const id of eventIds) await pipeline.accept(event(id));
  const { queues, stages, storedRows } = pipeline;
  return {
    ...pipeline,
    normalize: () => stages.normalize(queues.accepted.receive(100)),
    told: () => queues.normalized.receive(100).map(({ body }) => body),
    stateOf: (id: string) => storedRows.rows().find(({ key }) => key.eventId === id)?.state,
  };
}

it('sends one message for a batch, and today’s for a row alone', async () => {
  const together = await accepted('a', 'b');
  expect(await together.normalize()).toEqual({ failedIndexes: [] });
  const [manifest] = together.batches.manifests();
  const [message, ...others] = together.told();
  expect(others).toEqual([]);
  expect(message).toMatchObject({ first: true });
  expect(message !== undefined && 'batches' in message && batchesOf(message)).toEqual([manifest?.batch]);

  const alone = await accepted('a');
  await alone.normalize();
  expect(alone.batches.manifests()).toEqual([]);
  expect(alone.told()).toMatchObject([{ first: true, rows: [['s', 'a']] }]);
});

it('leaves a row accepted whose write fails, and tells of the batch all the same', async () => {
  const world = await accepted('a', 'b', 'c');
  const { normalize } = world.storedRows;
  world.storedRows.normalize = async (each) => {
    if (each.key.eventId === 'b') throw new Error('throttled');
    return await normalize(each);
  };
  expect(await world.normalize()).toEqual({ failedIndexes: [1] });
  expect(['a', 'b', 'c'].map(world.stateOf)).toEqual(['normalized', 'accepted', 'normalized']);
  expect(world.told()).toMatchObject([{ first: true, batches: [{}] }]);
});

it('leaves all rows accepted whose manifest could not be put, and says nothing of them', async () => {
  const world = await accepted('a', 'b');
  world.batches.putManifest = async () => {
    throw new Error('throttled');
  };
  expect(await world.normalize()).toEqual({ failedIndexes: [0, 1] });
  expect(['a', 'b'].map(world.stateOf)).toEqual(['accepted', 'accepted']);
  expect(world.told()).toEqual([]);
});
