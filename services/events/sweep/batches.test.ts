// Goal: a batch's item that is due is told by itself and put off, and one that cannot be read or written delays no other.
import { expect, it } from 'vitest';
import type { BatchKey } from '../../../lib/events/domain/batch.ts';
import { nextOutcomes, untouched } from '../../../lib/events/domain/batch-outcomes.ts';
import { lease } from '../../../lib/events/domain/delivery-transition.ts';
import type { BatchPointer, Pointers } from '../../../lib/events/domain/pointer.ts';
import { BATCH_DUE_SHARDS } from '../../../lib/events/ports/batch-store.ts';
import { createMemoryBatchStore } from '../../../test/support/memory/batch-store.ts';
import { createManualClock } from '../../../test/support/memory/clock.ts';
import { sweepBatches } from './batches.ts';
import type { SweepPorts } from './ports.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

async function setUp(dueAtMs: Readonly<Record<string, number>>) {
  const batches = createMemoryBatchStore();
  const keyOf = (id: string): BatchKey => ({ merchantId: 'm', minuteMs: NOW_MS - 600_000, shard: 0, id });
  for (const [id, nextAttemptAtMs] of Object.entries(dueAtMs)) {
    const waits = {
      ...lease(undefined, NOW_MS - 500_000, false),
      state: 'RETRY',
      nextAttemptAtMs,
    } as const;
    await batches.writeOutcomes(nextOutcomes(untouched(keyOf(id), 'meta'), new Map([[0, waits]])), 0);
  }
  const clock = createManualClock(NOW_MS);
  const told: (Pointers | BatchPointer)[] = [];
  const problems: string[] = [];
  const ports = {
    batches,
    clock,
    normalized: {
      send: async (messages: readonly { readonly body: Pointers | BatchPointer }[]) =>
        void told.push(...messages.map(({ body }) => body)),
    },
    report: (problem: string) => void problems.push(problem),
  } as unknown as SweepPorts;
  return {
    batches,
    keyOf,
    ports,
    problems,
    sweep: async () => {
      told.length = 0;
      for (let shard = 0; shard < BATCH_DUE_SHARDS; shard++) await sweepBatches(shard, ports);
      return told
        .map((body) => ('batches' in body ? `${body.batches[0]?.id} ${body.platform}` : 'row'))
        .sort();
    },
    dueIn: (id: string) => {
      const item = batches.outcomes().find(({ batch }) => batch.id === id);
      return item?.dueAtMs === undefined ? undefined : item.dueAtMs - clock.now();
    },
    clock,
  };
}

it('tells items that are due, each by its platform, ever more rarely while nothing comes of it', async () => {
  const world = await setUp({ 'batch-01': NOW_MS - 1, 'batch-02': NOW_MS - 2, 'batch-03': NOW_MS + 1_000 });
  expect(await world.sweep()).toEqual(['batch-01 meta', 'batch-02 meta']);
  for (const backoffMs of [60_000, 120_000, 240_000]) {
    expect(world.dueIn('batch-01')).toBe(backoffMs);
    expect(await world.sweep()).toEqual([]);
    world.clock.advance(backoffMs + 1);
    expect(await world.sweep()).toContain('batch-01 meta');
  }
});

it('corrects a due time that is earlier than any delivery asks for, and tells nobody', async () => {
  const world = await setUp({ 'batch-01': NOW_MS + 500_000 });
  const [item] = world.batches.outcomes();
  if (item === undefined) throw new Error('there is one');
  await world.batches.writeOutcomes({ ...item, version: 2, dueAtMs: NOW_MS - 1 }, 1);
  expect(await world.sweep()).toEqual([]);
  expect(world.dueIn('batch-01')).toBe(500_000);
});

it('puts an item off that cannot be read, and goes on where one cannot be written', async () => {
  const world = await setUp({ 'batch-01': NOW_MS - 1, 'batch-02': NOW_MS - 1, 'batch-03': NOW_MS - 1 });
  world.batches.spoil(world.keyOf('batch-01'), 'meta');
  const { writeOutcomes } = world.batches;
  world.batches.writeOutcomes = async (next, seen) => {
    if (next.batch.id === 'batch-02') throw new Error('throttled');
    return await writeOutcomes(next, seen);
  };
  expect(await world.sweep()).toEqual(['batch-02 meta', 'batch-03 meta']);
  expect(world.problems).toEqual(['a batch could not be put off']);
  expect(world.dueIn('batch-03')).toBe(60_000);
  // The unreadable one is not at the head of the next sweep.
  expect((await world.batches.due(0, NOW_MS, 10)).concat()).not.toContainEqual(
    expect.objectContaining({ key: { batch: world.keyOf('batch-01'), platform: 'meta' } }),
  );
});
