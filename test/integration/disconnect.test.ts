// Goal: once a platform is disconnected nothing more is sent to it, what waits for it ends within a sweep however far away
// its retry is, and nothing of it comes back to life with a new connection. Nobody else's deliveries move.
import { expect, it } from 'vitest';
import { EMPTY_COUNTERS } from '../../lib/events/domain/analytics/analytics.ts';
import { inShard, SHARDS_MAX, shardOf } from '../../lib/events/domain/shard.ts';
import type { BucketKey } from '../../lib/events/ports/counter-store.ts';
import {
  BUCKETS_PER_SWEEP,
  BUCKETS_READ_MAX,
  markWaitingBuckets,
} from '../../services/events/api/connections/disconnect.ts';
import { allTaken } from '../support/delivery.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function setUp() {
  let isDown = true;
  const pipeline = openSyntheticShop({
    answer: (request) => (isDown && !request.url.includes('alpha') ? DOWN : allTaken(request)),
  });
  const problems: unknown[] = [];
  return {
    pipeline,
    pass: pipeline.pass,
    rows: pipeline.normalizedRows,
    problems,
    recover: () => {
      isDown = false;
    },
    accept: async (id: string) => {
      await pipeline.take(id);
      await pipeline.drain();
    },
    /** As DELETE /v1/platforms/:id does it. */
    disconnect: async (slug: string, mark = true) => {
      const connection = pipeline.connections.get(slug);
      if (connection === undefined) throw new Error('not connected');
      pipeline.connections.delete(slug);
      const report = (_problem: string, error: unknown) => problems.push(error);
      const { counters, clock } = pipeline;
      if (mark) await markWaitingBuckets(connection, { counters, clock, report });
    },
    statesAt: (slug: string) => pipeline.normalizedRows().map(({ deliveries }) => deliveries[slug]?.state),
    sentTo: (slug: string) => pipeline.requests.filter(({ url }) => url.includes(slug)).length,
  };
}

it('ends retries that are hours away with the next sweep, in the rows and in the counters', async () => {
  const { pipeline, pass, accept, disconnect, rows, statesAt, sentTo } = setUp();
  for (const id of ['e1', 'e2', 'e3']) {
    await accept(id);
    await pass(1);
  }
  await pass(5 * 60);
  for (const { deliveries } of rows()) {
    expect(deliveries.carol?.state).toBe('RETRY');
    expect((deliveries.carol?.nextAttemptAtMs ?? 0) - pipeline.clock.now()).toBeGreaterThan(HOUR_MS / 2);
  }
  const bravo = rows().map(({ deliveries }) => deliveries.bravo);
  const sent = sentTo('carol');
  await disconnect('carol');
  await pass(1);
  expect(statesAt('carol')).toEqual(['SKIPPED', 'SKIPPED', 'SKIPPED']);
  for (const { deliveries } of rows()) expect(deliveries.carol?.reason).toBe('not_connected');
  expect(sentTo('carol')).toBe(sent);
  expect(rows().map(({ deliveries }) => deliveries.bravo)).toEqual(bravo);
  for (const row of rows()) expect(row.dueAtMs).toBe(row.deliveries.bravo?.nextAttemptAtMs);
  expect(pipeline.dayCounters()?.deliveries.carol).toEqual({ Purchase: { SKIPPED: 3 } });
});

it('revives nothing with a new connection, however soon it comes, and sends its own events', async () => {
  const { pipeline, pass, accept, disconnect, recover, statesAt, sentTo } = setUp();
  await accept('old');
  const connection = pipeline.connections.get('carol');
  const sent = sentTo('carol');
  await disconnect('carol', false);
  if (connection === undefined) throw new Error('not connected');
  pipeline.connections.set('carol', { ...connection, id: 'new', sinceVersion: connection.sinceVersion + 1 });
  recover();
  await pass(20);
  expect(statesAt('carol')).toEqual(['SKIPPED']);
  expect(statesAt('bravo')).toEqual(['DELIVERED']);
  expect(sentTo('carol')).toBe(sent);
});

it('ends them without having been told as well, when their minute is looked at again', async () => {
  const { pass, accept, disconnect, statesAt } = setUp();
  await accept('e1');
  await pass(3);
  await disconnect('carol', false);
  await pass(12);
  expect(statesAt('carol')).toEqual(['SKIPPED']);
});

it('lets an attempt under way end by itself: its success is not overwritten', async () => {
  const { pipeline, pass, accept, disconnect, rows, statesAt } = setUp();
  await accept('e1');
  await pass(1);
  const [row] = rows();
  if (row === undefined) throw new Error('no row');
  const nowMs = pipeline.clock.now();
  const leased = { ...row.deliveries.carol, state: 'SENDING' as const, updatedAtMs: nowMs + 1 };
  const {
    nextAttemptAtMs: _,
    reason: _reason,
    ...delivery
  } = leased as NonNullable<typeof row.deliveries.carol>;
  const leaseUntilMs = nowMs + 110_000;
  await pipeline.events.putDelivery(row, {
    platform: 'carol',
    delivery: { ...delivery, leaseUntilMs },
    dueAtMs: row.dueAtMs ?? leaseUntilMs,
  });
  await disconnect('carol');
  await pass(1);
  expect(statesAt('carol')).toEqual(['SENDING']);
  // Nobody answered: the lease runs out.
  await pass(3);
  expect(statesAt('carol')).toEqual(['SKIPPED']);
});

it('makes only minutes due that wait for this platform, a bounded number for each sweep', async () => {
  const { pipeline, disconnect, problems } = setUp();
  const nowMs = pipeline.clock.now();
  const slots = 4 * BUCKETS_PER_SWEEP;
  const far = nowMs + 100 * HOUR_MS;
  const at = (i: number) => nowMs - (i + 1) * MINUTE_MS;
  const key = (i: number) => ({ merchantId: PIPELINE_MERCHANT, grain: 'minute', startMs: at(i) }) as const;
  const waits = (slug: string, state: string) => ({
    ...EMPTY_COUNTERS,
    deliveries: { [slug]: { Purchase: { [state]: 1 } } },
  });
  for (let i = 0; i < slots; i++)
    await pipeline.counters.write({
      key: key(i),
      version: 1,
      counters: i % 4 === 0 ? waits('bravo', 'RETRY') : waits('carol', i % 4 === 1 ? 'DELIVERED' : 'RETRY'),
      foldedAtMs: nowMs,
      dueAtMs: far,
    });
  await disconnect('carol');
  const moved = pipeline.counters.rows().filter(({ dueAtMs }) => dueAtMs !== far);
  expect(moved).toHaveLength(slots / 2);
  const dueNow = pipeline.counters.rows().filter(({ dueAtMs }) => dueAtMs === nowMs);
  expect(dueNow).toHaveLength(BUCKETS_PER_SWEEP);
  expect(problems).toEqual([]);
});

it('looks at every shard of the newest minutes, and at no more slots than a request may read', async () => {
  const { pipeline, disconnect, problems } = setUp();
  const nowMs = pipeline.clock.now();
  const far = nowMs + 100 * HOUR_MS;
  const waits = { ...EMPTY_COUNTERS, deliveries: { carol: { Purchase: { RETRY: 1 } } } };
  const write = async (minute: number, shard: number, counters = EMPTY_COUNTERS) => {
    const startMs = nowMs - (minute + 1) * MINUTE_MS;
    const key: BucketKey = inShard({ merchantId: PIPELINE_MERCHANT, grain: 'minute', startMs }, shard);
    await pipeline.counters.write({ key, version: 1, counters, foldedAtMs: nowMs, dueAtMs: far });
  };
  for (let minute = 1; minute * SHARDS_MAX < BUCKETS_READ_MAX + SHARDS_MAX; minute++)
    for (let shard = 0; shard < SHARDS_MAX; shard++) await write(minute, shard);
  for (let shard = 0; shard < SHARDS_MAX; shard++) await write(0, shard, waits);
  await write(8 * 60, 0, waits);
  await disconnect('carol');
  const moved = pipeline.counters.rows().filter(({ dueAtMs }) => dueAtMs !== far);
  expect(moved.map(({ key }) => shardOf(key)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: SHARDS_MAX }, (_, shard) => shard),
  );
  expect(problems).toEqual([]);
});
