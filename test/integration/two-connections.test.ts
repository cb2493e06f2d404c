// Goal: a merchant with two connections to one platform, such as two pixels: each gets every event once, one that fails or goes
// keeps nothing from the other, and whoever counts by platform counts the event once.
import { expect, it } from 'vitest';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';
import { CALL, KEYLESS, withReplays } from '../support/replaying.ts';

const MINUTE_MS = 60_000;
const wire = ({ body }: HttpRequest): WireEvent[] => JSON.parse(body) as WireEvent[];
const tokenOf = ({ headers }: HttpRequest): string => headers.authorization ?? '';
const answered = (status: number, body: unknown): HttpResult => ({
  kind: 'response',
  status,
  headers: {},
  body: JSON.stringify(body),
});
const each = (word: string) => (request: HttpRequest) =>
  answered(200, { results: Object.fromEntries(wire(request).map(({ nonce }) => [nonce, word])) });
const took = each('ok');

type Answers = Record<string, (request: HttpRequest) => HttpResult>;

/** What each connection is answered, by its token. */
function open(answers: Answers = {}) {
  const pipeline = createMemoryPipeline({
    platforms: SYNTHETIC_PLATFORMS,
    credentials: { alpha: { token: 'one' }, 'alpha#2': { token: 'two' } },
    answer: (request) => (answers[tokenOf(request)] ?? took)(request),
  });
  const replays = withReplays(pipeline, SYNTHETIC_PLATFORMS);
  return {
    pipeline,
    replays,
    accept: async (...ids: readonly string[]) => {
      for (const id of ids)
        await pipeline.accept({
          event_id: id,
          event_name: 'Purchase',
          event_time: Math.floor(pipeline.clock.now() / 1_000),
          user_data: { email: 'jane@example.com' },
          order_id: id,
          value: 1,
          currency: 'EUR',
        });
      await pipeline.drain();
    },
    pass: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        pipeline.clock.advance(MINUTE_MS);
        await pipeline.sweep();
        await pipeline.drain();
      }
    },
    /** `token id` of everything sent since the last look. */
    sent: () => {
      const all = pipeline.requests.flatMap((request) =>
        wire(request).map(({ id }) => `${tokenOf(request)} ${id}`),
      );
      pipeline.requests.length = 0;
      return all.sort();
    },
    states: (id: string) => {
      const row = pipeline.events.rows().find(({ key }) => key.eventId === id) as NormalizedRow;
      return ['alpha', 'alpha#2'].map((slot) => row.deliveries[slot]?.state);
    },
    counted: () =>
      pipeline.counters.rows().find(({ key }) => key.grain === 'day')?.counters.deliveries.alpha?.Purchase,
  };
}

it.each([1, 5])('sends each of %i events to both, once, and counts it once', async (count) => {
  const { accept, sent, states, counted, pass } = open();
  const ids = Array.from({ length: count }, (_, i) => `e${i}`);
  await accept(...ids);
  expect(sent()).toEqual(['one', 'two'].flatMap((token) => ids.map((id) => `${token} ${id}`)).sort());
  await pass(3);
  expect(sent()).toEqual([]);
  for (const id of ids) expect(states(id)).toEqual(['DELIVERED', 'DELIVERED']);
  expect(counted()).toEqual({ DELIVERED: count });
});

it.each([1, 5])(
  'keeps nothing from the other where one refuses its credentials, and sends %i events when repaired',
  async (count) => {
    const answers: Answers = { two: () => answered(401, {}) };
    const { pipeline, accept, sent, states, counted, pass } = open(answers);
    const ids = Array.from({ length: count }, (_, i) => `e${i}`);
    await accept(...ids);
    expect(pipeline.connections.get('alpha')?.status).toBe('active');
    const paused = pipeline.connections.get('alpha#2');
    expect(paused?.status).toBe('paused');
    for (const id of ids) expect(states(id)).toEqual(['DELIVERED', 'RETRY']);
    await pass(2);
    expect(counted()).toEqual({ RETRY: count });
    sent();
    answers.two = took;
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
    const down = (): HttpResult => answered(503, {});
    const answers: Answers = { one: down, two: down };
    const { pipeline, accept, states, pass } = open(answers);
    const ids = Array.from({ length: count }, (_, i) => `e${i}`);
    await accept(...ids);
    pipeline.connections.delete('alpha');
    answers.two = took;
    await pass(30);
    for (const id of ids) expect(states(id)).toEqual(['SKIPPED', 'DELIVERED']);
  },
);

it('finds both again where every queue was purged', async () => {
  const { pipeline, accept, states, pass, sent } = open();
  const { deliveries } = pipeline.queues;
  const queue = deliveries.get('alpha');
  if (queue === undefined) throw new Error('no queue');
  for (const id of ['e0', 'e1', 'e2'])
    await pipeline.accept({
      event_id: id,
      event_name: 'Lead',
      event_time: Math.floor(pipeline.clock.now() / 1_000),
      user_data: { email: 'jane@example.com' },
      order_id: id,
    });
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
  const answers: Answers = { one: each('bad') };
  const { replays, pipeline, accept, sent, states } = open(answers);
  await accept('e');
  expect(states('e')).toEqual(['FAILED', 'DELIVERED']);
  sent();
  answers.one = took;
  const retried = await replays.api.retryFailed({ ...CALL, params: { id: 'e' }, body: undefined });
  expect(retried).toMatchObject({ status: 202, body: { platforms: ['alpha'] } });
  await pipeline.drain();
  expect(sent()).toEqual(['one e']);
  expect(states('e')).toEqual(['SKIPPED', 'DELIVERED']);
  const body = { platforms: ['alpha'], dedupe: 'original' } as const;
  expect(
    await replays.api.forwardEvent({
      ...KEYLESS,
      params: { id: 'e' },
      body: { ...body, platforms: ['alpha'] },
    }),
  ).toMatchObject({ status: 202 });
  await pipeline.drain();
  expect(sent()).toEqual(['one e', 'two e']);
});
