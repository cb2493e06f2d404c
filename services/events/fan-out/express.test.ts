// Goal: what is new leaves with the invocation that would tell the queues, read once for all platforms; what is wrong with one
// platform is left to its queue and delays no other; and whatever may have been sent without an answer says so.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LEASE_MS, lease } from '#lib/events/domain/deliveries/transition.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { allTaken, eventIds } from '#test/support/delivery.ts';
import type { PipelineOptions } from '#test/support/memory-pipeline.ts';
import { openSyntheticShop, TOKENS } from '#test/support/synthetic-shop.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import type { NormalizedMessage } from './message.ts';

const SLUGS = ['alpha', 'bravo', 'carol'] as const;
type Slug = (typeof SLUGS)[number];
type Answer = (request: HttpRequest) => HttpResult | Promise<HttpResult>;

const slugOf = ({ url }: HttpRequest): string => new URL(url).hostname.split('.')[0] ?? '';

function setUp(
  answers: Partial<Record<Slug, Answer>> = {},
  slugs: readonly Slug[] = SLUGS,
  options: Partial<PipelineOptions> = {},
) {
  const waiting: (() => void)[] = [];
  const pipeline = openSyntheticShop({
    credentials: Object.fromEntries(slugs.map((slug) => [slug, TOKENS[slug]])),
    answer: (request) => (answers[slugOf(request) as Slug] ?? allTaken)(request),
    pause: () => new Promise((resolve) => void waiting.push(resolve)),
    ...options,
  });
  const { queues, stages, clock } = pipeline;
  const fanOut = async (bodies: readonly NormalizedMessage[], receiveCount = 1) =>
    await stages.fanOut(bodies.map((body) => ({ body, receiveCount, sentAtMs: clock.now() })));
  return {
    ...pipeline,
    answers,
    fanOut,
    /** Messages to fan-out about so many new events: alone where it is one, otherwise a batch. */
    normalized: async (count: number, prefix = 'e'): Promise<readonly NormalizedMessage[]> => {
      for (let i = 0; i < count; i++) await pipeline.take(`${prefix}${i}`);
      const leases = queues.accepted.receive(10_000);
      await stages.normalize(leases);
      for (const { receipt } of leases) queues.accepted.remove(receipt);
      const told = queues.normalized.receive(100);
      for (const { receipt } of told) queues.normalized.remove(receipt);
      return told.map(({ body }) => body);
    },
    /** Two seconds are over. */
    cutOff: () => {
      clock.advance(2_000);
      for (const resolve of waiting.splice(0)) resolve();
    },
    /** Until every platform was asked to take the event, and those that answer have. */
    everyoneAsked: async (id: string): Promise<void> => {
      const has = (slug: Slug) =>
        pipeline.requests.some((one) => slugOf(one) === slug && eventIds(one).includes(id));
      while (!slugs.every(has)) await turn();
      for (let i = 0; i < 20; i++) await turn();
    },
    /** What the queue of a platform has, and whether as the first. */
    queued: (slug: Slug): readonly DeliveryMessage[] =>
      (queues.deliveries.get(slug)?.receive(100) ?? []).map(({ body }) => body),
    sentTo: (slug: Slug) => pipeline.requests.filter((request) => slugOf(request) === slug).flatMap(eventIds),
    delivery: (id: string, slug: Slug) => pipeline.row(id).deliveries[slug],
  };
}

const NEVER = new Promise<HttpResult>(() => {});
const TAKEN = { alpha: 'DELIVERED', bravo: 'DELIVERED', carol: 'DELIVERED' };
const statesOf = (world: ReturnType<typeof setUp>, id: string) =>
  Object.fromEntries(SLUGS.map((slug) => [slug, world.delivery(id, slug)?.state]));

/** An event alone, and events of a batch, are stored and written apart. */
describe.each([1, 5])('%i new events', (count) => {
  const ids = Array.from({ length: count }, (_, i) => `e${i}`);
  const last = ids.at(-1) ?? '';

  it('are sent to every platform without a message to any of its queues', async () => {
    const world = setUp();
    expect((await world.fanOut(await world.normalized(count))).failedIndexes).toEqual([]);
    for (const slug of SLUGS) {
      expect(world.sentTo(slug)).toEqual(ids);
      expect(world.queued(slug)).toEqual([]);
    }
    for (const id of ids) expect(statesOf(world, id)).toEqual(TAKEN);
    expect(world.problems).toEqual([]);
  });

  it('are left to the queues where the message came back, not as the first', async () => {
    const world = setUp();
    await world.fanOut(await world.normalized(count), 2);
    expect(world.requests).toEqual([]);
    for (const slug of SLUGS) expect(world.queued(slug).map(({ first }) => first)).toEqual([undefined]);
    await world.drain();
  });

  it('are left to the queues where one invocation gets the message twice, once and not as the first', async () => {
    const world = setUp();
    const told = await world.normalized(count);
    await world.fanOut([...told, ...told]);
    expect(world.requests).toEqual([]);
    for (const slug of SLUGS) expect(world.queued(slug).map(({ first }) => first)).toEqual([undefined]);
  });

  it('wait for a platform no longer than two seconds; the others have theirs, and nothing is sent twice', async () => {
    let answer = (_: HttpResult): void => {};
    const world = setUp({
      bravo: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const invocation = world.fanOut(await world.normalized(count));
    await world.everyoneAsked(last);
    world.cutOff();
    expect((await invocation).failedIndexes).toEqual([]);
    const leaseUntilMs = world.clock.now() + LEASE_MS;
    for (const id of ids) {
      expect(statesOf(world, id)).toEqual({ ...TAKEN, bravo: 'SENDING' });
      expect(world.delivery(id, 'bravo')).toMatchObject({ unknowns: 0, leaseUntilMs });
    }
    expect(world.queued('bravo')).toEqual([]);
    // The answer comes after the invocation has ended: what it says is known after all.
    const [request] = world.requests.filter((one) => slugOf(one) === 'bravo');
    if (request !== undefined) answer(await allTaken(request));
    for (let i = 0; i < 20; i++) await turn();
    world.cutOff();
    for (let i = 0; i < 20; i++) await turn();
    for (const id of ids)
      expect(world.delivery(id, 'bravo')).toMatchObject({ state: 'DELIVERED', unknowns: 0 });
    await world.pass(5);
    expect(world.sentTo('bravo')).toEqual(ids);
  });

  it('are sent again where no answer came, once the lease has ended, and say so', async () => {
    const world = setUp({ bravo: () => NEVER });
    const invocation = world.fanOut(await world.normalized(count));
    await world.everyoneAsked(last);
    world.cutOff();
    await invocation;
    delete world.answers.bravo;
    await world.pass(5);
    expect(world.sentTo('bravo')).toEqual([...ids, ...ids]);
    for (const id of ids)
      expect(world.delivery(id, 'bravo')).toMatchObject({ state: 'DELIVERED', unknowns: 1 });
  });

  it('go through the queue of a platform that was cut off a moment ago, as the first', async () => {
    const world = setUp({ bravo: () => NEVER });
    const invocation = world.fanOut(await world.normalized(1, 'before'));
    await world.everyoneAsked('before0');
    world.cutOff();
    await invocation;
    const asked = world.sentTo('bravo').length;
    await world.fanOut(await world.normalized(count));
    expect(world.sentTo('bravo')).toHaveLength(asked);
    expect(world.queued('bravo').map(({ first }) => first)).toEqual([true]);
    expect(world.delivery(last, 'alpha')?.state).toBe('DELIVERED');
    world.clock.advance(30_001);
    delete world.answers.bravo;
    await world.fanOut(await world.normalized(1, 'after'));
    expect(world.delivery('after0', 'bravo')?.state).toBe('DELIVERED');
  });

  it.each([
    ['is paused', { status: 'paused' as const, pausedReason: 'auth' as const }],
    [
      'has an open circuit',
      { circuit: { openedAtMs: 0, probes: 0, nextProbeAtMs: Number.MAX_SAFE_INTEGER } },
    ],
    ['is due for a probe', { circuit: { openedAtMs: 0, probes: 0, nextProbeAtMs: 0 } }],
  ])('are left to its queue, untouched, where a connection %s', async (_what, change) => {
    const world = setUp();
    const connection = world.connections.get('bravo') ?? expect.unreachable();
    world.connections.set('bravo', { ...connection, ...change });
    await world.fanOut(await world.normalized(count));
    expect(world.sentTo('bravo')).toEqual([]);
    expect(world.queued('bravo').map(({ first }) => first)).toEqual([true]);
    for (const id of ids) expect(statesOf(world, id)).toEqual({ ...TAKEN, bravo: undefined });
    // The probe is the queue's.
    expect(world.connections.get('bravo')).toEqual({ ...connection, ...change });
  });

  it('are left to the queue of a connection that cannot be read, untouched, as the first', async () => {
    const world = setUp();
    const told = await world.normalized(count);
    const { connectionsOf } = world.config;
    world.config.connectionsOf = async (merchantId) => {
      const of = await connectionsOf(merchantId);
      return (slot) => {
        if (slot === 'bravo') throw new Error('it cannot be read');
        return of(slot);
      };
    };
    await world.fanOut(told);
    expect(world.queued('bravo').map(({ first }) => first)).toEqual([true]);
    for (const id of ids) expect(statesOf(world, id)).toEqual({ ...TAKEN, bravo: undefined });
  });

  it('are retried by the ladder where a platform fails, and reach the others at once', async () => {
    const world = setUp({ bravo: () => ({ kind: 'response', status: 503, headers: {}, body: '' }) });
    await world.fanOut(await world.normalized(count));
    for (const id of ids) expect(statesOf(world, id)).toEqual({ ...TAKEN, bravo: 'RETRY' });
    expect(world.queued('bravo')).toEqual([]);
    delete world.answers.bravo;
    await world.pass(5);
    for (const id of ids) expect(statesOf(world, id)).toEqual(TAKEN);
  });

  it('are handed over, not as the first, where what was left behind could not be noted', async () => {
    const world = setUp({ bravo: () => NEVER });
    const { putDelivery } = world.storedRows;
    const { writeOutcomes } = world.batches;
    const refused = () => Promise.reject(new Error('the table is down'));
    let isDown = false;
    Object.assign(world.storedRows, {
      putDelivery: (...args: Parameters<typeof putDelivery>) => (isDown ? refused() : putDelivery(...args)),
    });
    Object.assign(world.batches, {
      writeOutcomes: (...args: Parameters<typeof writeOutcomes>) =>
        isDown ? refused() : writeOutcomes(...args),
    });
    const invocation = world.fanOut(await world.normalized(count));
    await world.everyoneAsked(last);
    isDown = true;
    world.cutOff();
    await invocation;
    expect(world.queued('bravo').map(({ first }) => first)).toEqual([undefined]);
  });
});

it('are read once for all platforms: rows, what they share, and where they go', async () => {
  const counts = new Map<string, number>();
  const world = setUp();
  const count =
    <Args extends unknown[], R>(name: string, call: (...args: Args) => R) =>
    (...args: Args): R => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return call(...args);
    };
  const told = await world.normalized(5);
  Object.assign(world.storedRows, { readMany: count('rows', world.storedRows.readMany) });
  Object.assign(world.batches, {
    readMany: count('manifests', world.batches.readMany),
    ofBatch: count('batches', world.batches.ofBatch),
    writeOutcomes: count('outcomes', world.batches.writeOutcomes),
  });
  Object.assign(world.eventVault, { open: count('opened', world.eventVault.open) });
  await world.fanOut(told);
  expect(Object.fromEntries(counts)).toEqual({ rows: 1, manifests: 1, outcomes: 3, opened: 5 });
});

it('that stand alone are written once for all platforms, whatever each of them answered', async () => {
  const world = setUp({ bravo: () => ({ kind: 'response', status: 503, headers: {}, body: '' }) });
  const told = await world.normalized(1);
  const { putDelivery } = world.storedRows;
  let writes = 0;
  Object.assign(world.storedRows, {
    putDelivery: (...args: Parameters<typeof putDelivery>) => {
      writes += 1;
      return putDelivery(...args);
    },
  });
  await world.fanOut(told);
  expect(writes).toBe(1);
  expect(statesOf(world, 'e0')).toEqual({ ...TAKEN, bravo: 'RETRY' });
});

it('that stand alone are written platform by platform where another process wrote one of them meanwhile', async () => {
  const world = setUp();
  const told = await world.normalized(1);
  const { putDelivery } = world.storedRows;
  let isFirst = true;
  Object.assign(world.storedRows, {
    putDelivery: async (...args: Parameters<typeof putDelivery>) => {
      const [seen] = args;
      if (isFirst) {
        isFirst = false;
        const delivery = lease(undefined, world.clock.now(), true);
        await putDelivery(seen, { platform: 'bravo', delivery, dueAtMs: delivery.leaseUntilMs ?? null });
      }
      return await putDelivery(...args);
    },
  });
  await world.fanOut(told);
  // A success counts, also where another worker holds the lease; that worker's request may be a second copy. One of the two is noted
  // twice: its lease noted the other.
  expect(statesOf(world, 'e0')).toEqual(TAKEN);
  expect(world.delivery('e0', 'bravo')?.unknowns).toBe(2);
  expect(world.problems).toEqual([]);
});

it('are left to the queue from the start where they are more than one invocation sends in time, as the first', async () => {
  const world = setUp({}, ['carol']);
  const told = await world.normalized(1_500);
  await world.fanOut(told);
  const sent = new Set(world.sentTo('carol'));
  expect(sent.size).toBe(1_200);
  const queued = world.queued('carol');
  expect(queued.map(({ first }) => first)).toEqual(queued.map(() => true));
  expect(queued.length).toBeGreaterThan(0);
  for (const row of world.normalizedRows())
    expect(row.deliveries.carol?.state).toBe(sent.has(row.key.eventId) ? 'DELIVERED' : undefined);
});

it('of a batch that time runs out for, the rest goes to the queue, due at once and with nothing in doubt', async () => {
  const world = setUp(
    {
      // Its requests take ten events; five run at first.
      carol: (request) => {
        world.clock.advance(250);
        return allTaken(request);
      },
    },
    ['carol'],
  );
  const told = await world.normalized(90);
  await world.fanOut(told);
  const sent = world.sentTo('carol');
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThan(90);
  const left = world.normalizedRows().filter((row) => !sent.includes(row.key.eventId));
  for (const { deliveries } of left)
    expect(deliveries.carol).toMatchObject({ state: 'RETRY', reason: 'out_of_time', attempts: 0 });
  world.clock.advance(1_000);
  await world.drain();
  for (const row of world.normalizedRows())
    expect(row.deliveries.carol).toMatchObject({ state: 'DELIVERED', unknowns: 0 });
  expect(world.sentTo('carol').toSorted()).toEqual(
    world
      .normalizedRows()
      .map(({ key }) => key.eventId)
      .toSorted(),
  );
});

it('are untouched and go to the queue as the first where the platform takes no more this minute', async () => {
  const quotas = [{ counts: 'events', max: 4, perSec: 60 } as const];
  const platforms = SYNTHETIC_PLATFORMS.map((one) => (one.slug === 'bravo' ? { ...one, quotas } : one));
  const world = setUp({}, SLUGS, { platforms });
  // Half of it, and one that is free of each process; the queue has another quarter.
  for (let i = 0; i < 3; i++) await world.fanOut(await world.normalized(1, `first${i}`));
  expect(world.sentTo('bravo')).toHaveLength(3);
  for (let i = 0; i < 4; i++) await world.fanOut(await world.normalized(1, `next${i}-`));
  expect(statesOf(world, 'next0-0')).toEqual({ ...TAKEN, bravo: undefined });
  expect(world.queues.deliveries.get('bravo')?.size()).toBe(4);
  await world.drain();
  expect(world.delivery('next3-0', 'bravo')).toMatchObject({ reason: 'platform_limit', attempts: 0 });
  // Released by a sweep of the next minute.
  await world.pass(2);
  for (let i = 0; i < 4; i++) expect(statesOf(world, `next${i}-0`)).toEqual(TAKEN);
});
