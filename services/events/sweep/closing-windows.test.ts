// Promise: a sweep says of a place that takes nothing when the first of what waits for it is too late, once in a quarter of an hour and
// for all shards together; of what has a day left, or is only paced, it says nothing and reads no row.
import { expect, it } from 'vitest';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { ParkingReason } from '#lib/events/domain/deliveries/delivery.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { lease } from '#lib/events/domain/deliveries/transition.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createClosingWindows } from './closing-windows.ts';
import { runSweep } from './stage.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

async function setUp(connection: Partial<Connection>) {
  const clock = createManualClock(NOW_MS);
  const events = createMemoryEventStore();
  let reads = 0;
  const said: TaskWork[] = [];
  const report = () => expect.unreachable();
  const taskWork = {
    send: async (messages: readonly { readonly body: TaskWork }[]) =>
      void said.push(...messages.map(({ body }) => body)),
  };
  const counted: typeof events = {
    ...events,
    readMany: async (...args) => {
      reads += 1;
      return await events.readMany(...args);
    },
  };
  const ports = {
    ...{
      events: counted,
      batches: createMemoryBatchStore(),
      counters: createMemoryCounterStore(),
      clock,
      report,
    },
    ...{ normalized: { send: report }, counterRefresh: { send: report }, work: { send: async () => {} } },
    config: { connection: async () => connection as Connection },
    deliveries: () => null,
    platforms: PLATFORMS,
    windows: createClosingWindows({ taskWork, clock, report }),
  };
  let made = 0;
  const park = async (
    inHours: Readonly<Record<string, number>>,
    reason: ParkingReason = 'connection_paused',
  ) => {
    made += 1;
    const until = (hours: number) => NOW_MS + hours * HOUR_MS;
    const deliveries = Object.fromEntries(
      Object.entries(inHours).map(([place, hours]) => [
        place,
        {
          ...lease(undefined, NOW_MS - HOUR_MS, false),
          state: 'RETRY' as const,
          reason,
          nextAttemptAtMs: until(hours),
        },
      ]),
    );
    const verdicts = Object.fromEntries(Object.keys(inHours).map((place) => [place, PENDING]));
    const parkedFor = Object.keys(inHours).sort().join('+');
    const dueAtMs = until(Math.min(...Object.values(inHours)));
    const row = normalizedRow({
      eventId: `e${made}`,
      merchantId: 'm',
      receivedAtMs: NOW_MS - HOUR_MS,
      deliveries,
    });
    await store(events, { ...row, verdicts, dueAtMs, parkedFor });
  };
  return { clock, park, said, reads: () => reads, sweep: () => runSweep(ports) };
}

const PAUSED = { status: 'paused', pausedReason: 'manual' } as const;
const said = (hours: number, subject = 'meta') => ({
  ...{ merchant: 'm', incident: 'window', subject },
  closesAtMs: NOW_MS + hours * HOUR_MS,
});

it('says what closes first over all shards, once in a quarter of an hour', async () => {
  const world = await setUp(PAUSED);
  for (let hours = 3; hours < 60; hours++) await world.park({ meta: hours });
  for (let i = 0; i < 14; i++) {
    await world.sweep();
    world.clock.advance(60_000);
  }
  expect(world.said).toEqual([said(3)]);
  expect(world.reads()).toBe(1);
  world.clock.advance(60_000);
  await world.sweep();
  expect(world.said).toHaveLength(2);
});

it('says it of a place by its own deliveries, where others of the same events close before', async () => {
  const world = await setUp(PAUSED);
  await world.park({ meta: 90, x: 3 });
  await world.sweep();
  expect(world.said).toEqual([said(3, 'x')]);
});

it.each([
  ['has a day left', PAUSED, 25, 'connection_paused'],
  ['waits for a limit of its platform', { status: 'active' }, 3, 'platform_limit'],
] as const)('says nothing and reads nothing of what %s', async (_what, connection, hours, reason) => {
  const world = await setUp(connection);
  await world.park({ meta: hours }, reason);
  await world.sweep();
  expect([world.said, world.reads()]).toEqual([[], 0]);
});
