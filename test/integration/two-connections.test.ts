// Goal: a merchant with two connections to one platform, such as two pixels: each gets every event once, one that fails or goes
// keeps nothing from the other, and whoever counts by platform counts the event once.
import { expect, it } from 'vitest';
import { EMPTY_COUNTERS } from '../../lib/events/domain/analytics/analytics.ts';
import { connectionCounts, placeAndVersion } from '../../lib/events/domain/analytics/connection-counts.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { allTaken, eventIds, reply } from '../support/delivery.ts';
import { CALL, KEYLESS, withReplays } from '../support/replaying.ts';
import { DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const tokenOf = ({ headers }: HttpRequest): string => headers.authorization ?? '';
const allRefused = ({ body }: HttpRequest): HttpResult =>
  reply(200, {
    results: Object.fromEntries((JSON.parse(body) as WireEvent[]).map(({ nonce }) => [nonce, 'bad'])),
  });

type Answers = Record<string, (request: HttpRequest) => HttpResult>;

/** What each connection is answered, by its token. */
function open(answers: Answers = {}, options: { readonly express?: boolean } = {}) {
  const pipeline = openSyntheticShop({
    ...options,
    credentials: { alpha: { token: 'one' }, 'alpha#2': { token: 'two' } },
    answer: (request) => (answers[tokenOf(request)] ?? allTaken)(request),
  });
  return {
    pipeline,
    replays: withReplays(pipeline, SYNTHETIC_PLATFORMS),
    pass: pipeline.pass,
    accept: async (...ids: readonly string[]) => {
      for (const id of ids) await pipeline.take(id);
      await pipeline.drain();
    },
    /** `token id` of everything sent since the last look. */
    sent: () => {
      const all = pipeline.requests.flatMap((request) =>
        eventIds(request).map((id) => `${tokenOf(request)} ${id}`),
      );
      pipeline.requests.length = 0;
      return all.sort();
    },
    states: (id: string) => ['alpha', 'alpha#2'].map((target) => pipeline.row(id).deliveries[target]?.state),
    /** Of each place, by what its connection got. */
    countedAt: () =>
      Object.fromEntries(
        Object.entries(connectionCounts(pipeline.dayCounters() ?? EMPTY_COUNTERS)).map(([key, counts]) => [
          placeAndVersion(key)[0],
          counts.deliveries.Purchase,
        ]),
      ),
    counted: () => pipeline.dayCounters()?.deliveries.alpha?.Purchase,
  };
}

it.each([1, 5])('sends each of %i events to both, once, and counts it once', async (count) => {
  const { accept, sent, states, counted, countedAt, pass } = open();
  const ids = Array.from({ length: count }, (_, i) => `e${i}`);
  await accept(...ids);
  expect(sent()).toEqual(['one', 'two'].flatMap((token) => ids.map((id) => `${token} ${id}`)).sort());
  await pass(3);
  expect(sent()).toEqual([]);
  for (const id of ids) expect(states(id)).toEqual(['DELIVERED', 'DELIVERED']);
  expect(counted()).toEqual({ DELIVERED: count });
  expect(countedAt()).toEqual({ alpha: { DELIVERED: count }, 'alpha#2': { DELIVERED: count } });
});

it.each([1, 5])(
  'keeps nothing from the other where one refuses its credentials, and sends %i events when repaired',
  async (count) => {
    const answers: Answers = { two: () => reply(401, {}) };
    const { pipeline, accept, sent, states, counted, countedAt, pass } = open(answers);
    const ids = Array.from({ length: count }, (_, i) => `e${i}`);
    await accept(...ids);
    expect(pipeline.connections.get('alpha')?.status).toBe('active');
    const paused = pipeline.connections.get('alpha#2');
    expect(paused?.status).toBe('paused');
    for (const id of ids) expect(states(id)).toEqual(['DELIVERED', 'RETRY']);
    await pass(2);
    expect(counted()).toEqual({ RETRY: count });
    expect(countedAt()).toEqual({ alpha: { DELIVERED: count }, 'alpha#2': { RETRY: count } });
    sent();
    answers.two = allTaken;
    if (paused !== undefined) pipeline.connections.set('alpha#2', { ...paused, status: 'active' });
    const before = pipeline.sent.length;
    await pass(4);
    expect(sent()).toEqual(ids.map((id) => `two ${id}`));
    // Straight to the platform's queue: fan-out would only read everything once more.
    const pointers = pipeline.sent.slice(before) as { body: Record<string, unknown> }[];
    expect(pointers.filter(({ body }) => 'rows' in body && body.platform === undefined)).toEqual([]);
    for (const id of ids) expect(states(id)).toEqual(['DELIVERED', 'DELIVERED']);
    expect(counted()).toEqual({ DELIVERED: count });
  },
);

it.each([1, 5])(
  'ends what waits for one that is removed, of %i events, and leaves the other alone',
  async (count) => {
    const answers: Answers = { one: () => DOWN, two: () => DOWN };
    const { pipeline, accept, states, pass } = open(answers);
    const ids = Array.from({ length: count }, (_, i) => `e${i}`);
    await accept(...ids);
    pipeline.connections.delete('alpha');
    answers.two = allTaken;
    await pass(30);
    for (const id of ids) expect(states(id)).toEqual(['SKIPPED', 'DELIVERED']);
  },
);

it('finds both again where every queue was purged', async () => {
  const { pipeline, accept, states, pass, sent } = open({}, { express: false });
  const { deliveries } = pipeline.queues;
  const queue = deliveries.get('alpha');
  if (queue === undefined) throw new Error('no queue');
  for (const id of ['e0', 'e1', 'e2']) await pipeline.take(id);
  for (const lease of pipeline.queues.accepted.receive(10)) {
    await pipeline.stages.normalize([lease]);
    pipeline.queues.accepted.remove(lease.receipt);
  }
  for (const lease of pipeline.queues.normalized.receive(10)) {
    await pipeline.stages.fanOut([lease]);
    pipeline.queues.normalized.remove(lease.receipt);
  }
  for (const lease of queue.receive(10)) queue.remove(lease.receipt);
  await accept();
  expect(sent()).toEqual([]);
  await pass(5);
  for (const id of ['e0', 'e1', 'e2']) expect(states(id)).toEqual(['DELIVERED', 'DELIVERED']);
});

it('sends a retry by hand to the one that failed, a forward to both', async () => {
  const answers: Answers = { one: allRefused };
  const { replays, pipeline, accept, sent, states } = open(answers);
  await accept('e');
  expect(states('e')).toEqual(['FAILED', 'DELIVERED']);
  sent();
  answers.one = allTaken;
  const retried = await replays.api.retryFailed({ ...CALL, params: { id: 'e' }, body: undefined });
  expect(retried).toMatchObject({
    status: 202,
    body: { platforms: ['alpha'], connections: [pipeline.connections.get('alpha')?.id] },
  });
  await pipeline.drain();
  expect(sent()).toEqual(['one e']);
  expect(states('e')).toEqual(['SKIPPED', 'DELIVERED']);
  const body = { platforms: ['alpha'], dedupe: 'original' as const };
  const forwarded = await replays.api.forwardEvent({ ...KEYLESS, params: { id: 'e' }, body });
  expect(forwarded).toMatchObject({ status: 202 });
  await pipeline.drain();
  expect(sent()).toEqual(['one e', 'two e']);
});

it.each(['alpha', 'alpha#2'])(
  'sends a retry by hand of what came when there was only %s to it alone',
  async (target) => {
    const answers: Answers = { one: allRefused, two: allRefused };
    const { replays, pipeline, accept, sent } = open(answers);
    const other = target === 'alpha' ? 'alpha#2' : 'alpha';
    const held = pipeline.connections.get(other);
    if (held === undefined) throw new Error('no connection');
    pipeline.connections.delete(other);
    await accept('e');
    pipeline.connections.set(other, held);
    sent();
    await replays.api.retryFailed({ ...CALL, params: { id: 'e' }, body: undefined });
    await pipeline.drain();
    expect(sent()).toEqual([target === 'alpha' ? 'one e' : 'two e']);
  },
);

it.each(['alpha', 'alpha#2'])('forwards to %s alone, by its id', async (target) => {
  const { replays, pipeline, accept, sent } = open();
  await accept('e');
  sent();
  const named = pipeline.connections.get(target)?.id ?? '';
  const body = { platforms: [named], dedupe: 'original' as const };
  const forwarded = await replays.api.forwardEvent({ ...KEYLESS, params: { id: 'e' }, body });
  expect(forwarded).toMatchObject({ status: 202, body: { platforms: [named] } });
  await pipeline.drain();
  expect(sent()).toEqual([target === 'alpha' ? 'one e' : 'two e']);
});

it('replays to one by its id what that one has not taken, whatever the other has', async () => {
  const answers: Answers = { two: allRefused };
  const { replays, pipeline, accept, sent } = open(answers);
  await accept('e');
  sent();
  answers.two = allTaken;
  const [first, second] = ['alpha', 'alpha#2'].map((target) => pipeline.connections.get(target)?.id ?? '');
  const ask = async (platforms: string[], only: 'undelivered' | 'all') => {
    const body = { filter: {}, platforms, only, rate: 500, dedupe: 'original' as const, dry_run: false };
    const made = await replays.api.createReplay({ ...KEYLESS, body } as never);
    if (!('body' in made)) throw new Error(JSON.stringify(made));
    const { id } = made.body.replay;
    await replays.drainPlans();
    await pipeline.drain();
    const read = await replays.api.readReplay({ ...CALL, params: { id }, body: undefined } as never);
    if (!('body' in read)) throw new Error(JSON.stringify(read));
    const { counts } = read.body.replay;
    return Object.fromEntries(
      Object.entries(counts).map(([name, words]) => [
        name,
        Object.entries(words).flatMap(([word, count]) => (count === 0 ? [] : [word])),
      ]),
    );
  };
  pipeline.clock.advance(60_000);
  expect(await ask([first ?? ''], 'undelivered')).toEqual({ [first ?? '']: ['already_delivered'] });
  expect(sent()).toEqual([]);
  expect(await ask([second ?? ''], 'undelivered')).toEqual({ [second ?? '']: ['will_send'] });
  expect(sent()).toEqual(['two e']);
});
