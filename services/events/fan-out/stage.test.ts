// Goal: each platform gets exactly the pointers it should have now, and a failure does not hold up others.
import { expect, it } from 'vitest';
import { type MessageSender, type Received, SendFailure } from '#lib/core/ports/queue.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { lease } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { packPointers } from '#lib/events/domain/pointer.ts';
import { type NormalizedDraft, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryEventStore, type MemoryEventStoreOptions } from '#test/support/memory/event-store.ts';
import { createMemoryOrderStore } from '#test/support/memory/order-store.ts';
import { createMemoryQueue } from '#test/support/memory/queue.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import type { NormalizedMessage } from './message.ts';
import type { FanOutPorts } from './ports.ts';
import { createFanOutStage } from './stage.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const NOW_MS = START_MS + 60_000;
const shop = 'm';

const row = (eventId: string, over: Partial<NormalizedDraft> = {}): NormalizedRow =>
  normalizedRow({
    eventId,
    merchantId: shop,
    receivedAtMs: START_MS,
    verdicts: { alpha: PENDING, bravo: PENDING, carol: 'disabled' },
    ...over,
  });
const retryAt = (nextAttemptAtMs: number) =>
  ({ ...lease(undefined, START_MS, false), state: 'RETRY', nextAttemptAtMs }) as const;

/** One message per merchant, received for the first time. */
const told = (mark: 'first' | 'unattempted' | undefined, ...rows: readonly NormalizedRow[]) =>
  packPointers(
    rows.map(({ key }) => key),
    mark,
  ).map((body): Received<NormalizedMessage> => ({ body, receiveCount: 1, sentAtMs: START_MS }));
const again = (messages: readonly Received<NormalizedMessage>[]) =>
  messages.map((message) => ({ ...message, receiveCount: 2 }));

async function setUp(rows: readonly NormalizedRow[], options: MemoryEventStoreOptions = {}) {
  const clock = createManualClock(NOW_MS);
  const events = createMemoryEventStore(options);
  await store(events, ...rows);
  const queues = new Map(
    ['alpha', 'bravo', 'carol'].map((slug) => [slug, createMemoryQueue<DeliveryMessage>({ clock })]),
  );
  const queue = (slug: string) => queues.get(slug) ?? expect.unreachable();
  const problems: string[] = [];
  const ports: FanOutPorts = {
    events,
    batches: createMemoryBatchStore(),
    orders: createMemoryOrderStore(),
    deliveries: queue,
    platforms: SYNTHETIC_PLATFORMS,
    clock,
    report: (problem) => void problems.push(problem),
  };
  const run = async (messages: readonly Received<NormalizedMessage>[], over: Partial<FanOutPorts> = {}) =>
    (await createFanOutStage({ ...ports, ...over })(messages)).failedIndexes;
  const sent = (slug: string) =>
    queue(slug)
      .receive(1_000)
      .flatMap(({ body }) => ('rows' in body ? [body] : []));
  /** Event ids whose pointers a platform got, and whether as the first. */
  const heard = (slug: string) =>
    sent(slug).flatMap(({ rows: pointers, first }) =>
      pointers.map(([, id]) => (first === true ? `${id} first` : id)),
    );
  const withQueue = (slug: string, sender: MessageSender<DeliveryMessage>): Partial<FanOutPorts> => ({
    deliveries: (asked) => (asked === slug ? sender : queue(asked)),
  });
  return { run, clock, events, queue, sent, heard, withQueue, problems };
}

it('points each platform at the rows it is to have, in one message, and no other platform', async () => {
  const rows = [row('a'), row('b', { verdicts: { alpha: PENDING, bravo: 'consent_denied:ad_user_data' } })];
  const { run, sent } = await setUp(rows);
  expect(await run(told('first', ...rows))).toEqual([]);
  const message = { merchant: shop, first: true };
  const both = rows.map(({ key }) => ['s', key.eventId]);
  expect(sent('alpha')).toEqual([{ ...message, platform: 'alpha', rows: both }]);
  expect(sent('bravo')).toEqual([{ ...message, platform: 'bravo', rows: [['s', 'a']] }]);
  expect(sent('carol')).toEqual([]);
});

it('says first only at the first receive: after it somebody may have sent', async () => {
  const { run, heard } = await setUp([row('e')]);
  await run(told('first', row('e')));
  expect(heard('alpha')).toEqual(['e first']);
  await run(again(told('first', row('e'))));
  expect(heard('alpha')).toEqual(['e']);
});

it('sends for retries that are due; for what was never tried only where the message says it was forgotten', async () => {
  const deliveries = { alpha: retryAt(NOW_MS), bravo: retryAt(NOW_MS + 1) };
  const verdicts = { alpha: PENDING, bravo: PENDING, carol: PENDING };
  const rows = [row('e', { deliveries, verdicts })];
  for (const [mark, carol] of [
    [undefined, []],
    ['unattempted', ['e']],
  ] as const) {
    const { run, heard } = await setUp(rows);
    await run(told(mark, ...rows));
    expect(['alpha', 'bravo', 'carol'].map(heard)).toEqual([['e'], [], carol]);
  }
});

it('keeps no platform from its pointers because the queue of another is away', async () => {
  const { run, heard, withQueue, problems } = await setUp([row('e')]);
  const away = { send: async () => Promise.reject(new Error('away')) };
  // The message does not come again: the unsent row has no delivery, so its slot finds it.
  expect(await run(told('first', row('e')), withQueue('alpha', away))).toEqual([]);
  expect(heard('bravo')).toEqual(['e first']);
  expect(problems).toEqual(['pointers for alpha were not sent']);
});

it('sends again, not as the first, what a queue did not take, and nothing else', async () => {
  const rows = [row('a'), row('b', { merchantId: 'n' })];
  const { run, heard, queue, withQueue } = await setUp(rows);
  let calls = 0;
  const lossy: MessageSender<DeliveryMessage> = {
    send: async (messages) => {
      calls += 1;
      await queue('alpha').send(calls === 1 ? messages.slice(0, 1) : messages);
      if (calls === 1) throw new SendFailure([1], false, new Error('throttled'));
    },
  };
  await run(told('first', ...rows), withQueue('alpha', lossy));
  expect(heard('alpha')).toEqual(['a first', 'b']);
});

it('fails a message alone whose rows cannot be had', async () => {
  const rows = [row('bad', { merchantId: 'n' }), row('good')];
  const { run, events, heard, problems } = await setUp(rows);
  const readMany: typeof events.readMany = async (keys, consistency) => {
    if (keys.some(({ merchantId }) => merchantId === 'n')) throw new Error('away');
    return await events.readMany(keys, consistency);
  };
  expect(await run(told('first', ...rows), { events: { ...events, readMany } })).toEqual([0]);
  expect(heard('alpha')).toEqual(['good first']);
  expect(problems).toEqual(['a message could not be fanned out']);
});

it('sets a row aside that cannot be read, and does not fail its message', async () => {
  const rows = [row('bad'), row('good')];
  const { run, events, heard } = await setUp(rows);
  events.spoil(row('bad').key);
  expect(await run(told('first', ...rows))).toEqual([]);
  expect(heard('alpha')).toEqual(['good first']);
});

it('asks again for a row that does not look normalized yet', async () => {
  const later: (() => void)[] = [];
  // The replica still has the accepted row and gets its normalization too late.
  const publishReplica = (_item: string, update: () => void): void => {
    if (later.length === 0) update();
    later.push(update);
  };
  const { run, events, heard } = await setUp([row('e')], { publishReplica });
  expect((await events.readMany([row('e').key], 'eventual')).rows).toMatchObject([{ state: 'accepted' }]);
  await run(told('first', row('e')));
  expect(heard('alpha')).toEqual(['e first']);
});

it('ends deliveries to a platform that is no more in the code; one that cannot be ended stops nothing', async () => {
  const verdicts = { retired: PENDING, alpha: PENDING };
  const rows = [row('bad', { verdicts }), row('e', { verdicts })];
  const { run, events, heard, problems } = await setUp(rows);
  const putDelivery: typeof events.putDelivery = async (seen, patch) => {
    if (seen.key.eventId === 'bad') throw new Error('away');
    return await events.putDelivery(seen, patch);
  };
  expect(await run(told('first', ...rows), { events: { ...events, putDelivery } })).toEqual([]);
  expect(heard('alpha')).toEqual(['bad first', 'e first']);
  const [bad, ended] = events.rows() as NormalizedRow[];
  expect(bad?.deliveries).toEqual({});
  expect(ended?.deliveries.retired).toMatchObject({ state: 'SKIPPED', reason: 'not_connected' });
  expect(problems).toEqual(['a delivery to retired, which is gone, was not ended']);
});

it('sends a held browser event when its wait is over, as the first: nobody can have sent it before', async () => {
  const untilMs = NOW_MS + 1_000;
  const held = { ...row('e', { channel: 'browser' }), heldUntilMs: untilMs, dueAtMs: untilMs };
  const { run, clock, heard } = await setUp([held]);
  await run(told(undefined, held));
  expect(heard('alpha')).toEqual([]);
  clock.advance(1_000);
  await run(told(undefined, held));
  expect(heard('alpha')).toEqual(['e first']);
});

it('puts as many rows into a message as fill the requests of one invocation', async () => {
  const rows = Array.from({ length: 250 }, (_, i) => row(`e${i}`));
  const { run, sent } = await setUp(rows);
  const platforms = SYNTHETIC_PLATFORMS.map((platform) =>
    platform.slug === 'bravo'
      ? { ...platform, limits: { ...platform.limits, batchSizeMax: 2_000 } }
      : platform,
  );
  await run(told('first', ...rows), { platforms });
  const sizes = (slug: string) => sent(slug).map(({ rows: pointers }) => pointers.length);
  expect(sizes('alpha')).toEqual([100, 100, 50]);
  expect(sizes('bravo')).toEqual([200, 50]);
});
