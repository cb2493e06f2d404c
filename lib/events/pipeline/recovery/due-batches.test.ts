// Goal: each due item of a batch gets its own pointer and is put off, and one that cannot be read or written delays no
// other.
import { expect, it } from 'vitest';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import type { BatchKey } from '../../domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '../../domain/deliveries/batch-outcomes.ts';
import type { DueWork } from '../../domain/deliveries/due-work.ts';
import { lease } from '../../domain/deliveries/transition.ts';
import { dueBatches } from './due-batches.ts';
import type { Pointer } from './due-source.ts';
import { rememberConnections, type ScanPorts, scanShard } from './scan-shard.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

async function setUp(dueAtMs: Readonly<Record<string, number>>, merchantOf = (_id: string) => 'm') {
  const batches = createMemoryBatchStore({ dueShards: 1 });
  const keyOf = (id: string): BatchKey => ({
    merchantId: merchantOf(id),
    minuteMs: NOW_MS - 600_000,
    shard: 0,
    id,
  });
  for (const [id, nextAttemptAtMs] of Object.entries(dueAtMs)) {
    const waits = {
      ...lease(undefined, NOW_MS - 500_000, false),
      state: 'RETRY',
      nextAttemptAtMs,
    } as const;
    await batches.writeOutcomes(nextOutcomes(emptyOutcomes(keyOf(id), 'meta'), new Map([[0, waits]])), 0);
  }
  const clock = createManualClock(NOW_MS);
  const told: Pointer[] = [];
  const work: DueWork[] = [];
  const problems: string[] = [];
  const ports = {
    clock,
    config: { connection: async () => null },
    work: {
      send: async (messages: readonly { readonly body: DueWork }[]) =>
        void work.push(...messages.map(({ body }) => body)),
    },
    normalized: {
      send: async (messages: readonly { readonly body: Pointer }[]) =>
        void told.push(...messages.map(({ body }) => body)),
    },
    report: (problem: string) => void problems.push(problem),
  } as unknown as ScanPorts;
  return {
    batches,
    keyOf,
    work,
    problems,
    sweep: async () => {
      told.length = 0;
      const known = rememberConnections(ports.config);
      for (let shard = 0; shard < batches.dueShards; shard++)
        await scanShard(dueBatches(batches), shard, undefined, ports, known, clock.now() + 10_000);
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
  expect(world.problems).toEqual(['what is due of batches could not be put off']);
  expect(world.dueIn('batch-03')).toBe(60_000);
  // The unreadable one is not at the head of the next sweep.
  expect(world.dueIn('batch-01')).toBe(60_000);
});

it('steps over a merchant with more batches than a page, hands them over, and tells every other one', async () => {
  const ids = Array.from({ length: 60 }, (_, i) => `large-${String(i).padStart(2, '0')}`);
  const others = ['small-01', 'small-02'];
  const dueAtMs = Object.fromEntries([...ids, ...others].map((id) => [id, NOW_MS - 1]));
  const world = await setUp(dueAtMs, (id) => (id.startsWith('large') ? 'large' : id));
  expect(await world.sweep()).toEqual(['small-01 meta', 'small-02 meta']);
  expect(world.work).toEqual([{ task: 'due', table: 'batches', merchant: 'large', shard: 0 }]);
});
