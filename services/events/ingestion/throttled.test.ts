// Goal: a throttled write moves to another shard with the same ingest id; the row is counted where it is, whichever try put
// it there; what cannot be written at all is a 503 that asks to come back.
import { expect, it } from 'vitest';
import { SPARSE_SHARD } from '#lib/events/domain/shard.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { ThrottledWrite } from '#lib/events/ports/event-store.ts';
import { MERCHANT, NOW_MS, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { createShardPicker } from './shard-picker.ts';

const KEY = { merchantId: MERCHANT, channel: 'server', eventId: 'order-1' } as const;

/** `claims`: what happens to one try after the other. */
function setUp(claims: readonly ('fine' | 'throttled' | 'stored, then throttled')[]) {
  const events = createMemoryEventStore();
  const counters = createMemoryCounterStore();
  const clock = createManualClock(NOW_MS);
  const tries: { readonly ingestId: string; readonly shard: number }[] = [];
  let announcedFirst = true;
  let beforeRead = (): void => undefined;
  const app = testIngestion({
    clock,
    events: {
      ...events,
      read: async (key) => {
        beforeRead();
        return await events.read(key);
      },
      claim: async (row) => {
        const { ingestId, shard = 0 } = row;
        const fate = claims[tries.length] ?? 'fine';
        tries.push({ ingestId, shard });
        announcedFirst &&= counters.rows().some(({ key }) => (key.shard ?? 0) === shard);
        if (fate === 'throttled') throw new ThrottledWrite('full');
        const answer = await events.claim(row);
        if (fate === 'stored, then throttled') throw new ThrottledWrite('full');
        return answer;
      },
    },
    slots: createBucketMarker(counters, clock),
    shards: createShardPicker({
      config: { merchant: async () => null },
      clock,
      random: createSeededRandom(7),
    }),
  });
  return {
    ...app,
    events,
    counters,
    clock,
    tries,
    isAnnouncedFirst: () => announcedFirst,
    onRead: (act: () => void) => (beforeRead = act),
  };
}

const shardsDue = ({ counters }: ReturnType<typeof setUp>) =>
  counters.rows().map(({ key, version }) => `${key.shard ?? 0} ${version}`);

it('retries in another shard, announced before, under the same ingest id', async () => {
  const setting = setUp(['throttled', 'throttled']);
  expect((await send(setting.app, request('/v1/events', purchase()))).status).toBe(202);
  expect(new Set(setting.tries.map(({ ingestId }) => ingestId)).size).toBe(1);
  expect(new Set(setting.tries.map(({ shard }) => shard)).size).toBeGreaterThan(1);
  expect(setting.isAnnouncedFirst()).toBe(true);
  expect((await setting.events.read(KEY))?.shard ?? 0).toBe(setting.tries[2]?.shard);
  const again = await send(setting.app, request('/v1/events', purchase({ event_id: 'order-2' })));
  expect(again.status).toBe(202);
  expect(setting.tries[3]?.shard).toBe(setting.tries[2]?.shard);
});

it('takes the row of an earlier try for its own, and announces the shard that it is in', async () => {
  const setting = setUp(['stored, then throttled']);
  // The answer comes in the next minute: the slot of the row may have been folded without it.
  setting.onRead(() => setting.clock.advanceTo(NOW_MS + 60_000));
  expect((await send(setting.app, request('/v1/events', purchase()))).status).toBe(202);
  expect((await setting.events.read(KEY))?.shard).toBe(SPARSE_SHARD);
  const second = setting.tries[1]?.shard ?? 0;
  expect(second).not.toBe(SPARSE_SHARD);
  expect(shardsDue(setting)).toEqual([`${SPARSE_SHARD} 2`, `${second} 1`]);
});

it('answers 503 and when to come back, where every shard it tried is full', async () => {
  const setting = setUp(['throttled', 'throttled', 'throttled', 'throttled']);
  const reply = await send(setting.app, request('/v1/events', purchase()));
  expect(reply.status).toBe(503);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(setting.tries).toHaveLength(4);
  expect(await setting.events.read(KEY)).toBeNull();
});
