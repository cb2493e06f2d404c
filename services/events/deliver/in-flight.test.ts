// Goal: many requests run at once to a platform that takes few events each, and the promises about outages, pauses,
// memory and sockets still hold.
import { describe, expect, it } from 'vitest';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import { PLATFORMS, platformBySlug } from '#lib/events/platforms/registry.ts';
import { examples } from '#test/platforms/klaviyo/examples.ts';
import { createMemoryPipeline } from '#test/support/memory-pipeline.ts';
import { BREAKER_THRESHOLD } from './circuit/breaker.ts';
import { JOBS_AT_ONCE, requestsAtOnceMax, SOCKETS_MAX } from './in-flight.ts';

const EVENTS = 100;
const TOOK: HttpResult = { kind: 'response', status: 202, headers: {}, body: '' };
const HUNG: HttpResult = { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 'no answer' };

/**
 * A hundred events to a platform that takes one each; `answer` gets the number of the request. `before`: one earlier
 * event.
 */
async function delivered(answer: (nth: number) => HttpResult, before?: { readonly agoMs: number }) {
  const klaviyo = platformBySlug('klaviyo');
  if (klaviyo === undefined) throw new Error('there is no klaviyo');
  let underWay = 0;
  let most = 0;
  let nth = 0;
  const pipeline = createMemoryPipeline({
    platforms: [klaviyo],
    credentials: { klaviyo: examples[0]?.credentials },
    answer: async (_request: HttpRequest) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const result = answer(nth++);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return result;
    },
  });
  const send = async (name: string): Promise<void> => {
    const order = { event_id: name, event_name: 'Purchase', order_id: name, value: 10, currency: 'EUR' };
    const event_time = pipeline.clock.now() / 1_000 - 60;
    await pipeline.accept({ ...order, event_time, user_data: { email: `${name}@example.com` } });
  };
  if (before !== undefined) {
    await send('order-before');
    await pipeline.drain();
    pipeline.clock.advance(before.agoMs);
  }
  most = 0;
  const startsAt = pipeline.requests.length;
  for (let i = 0; i < EVENTS; i++) await send(`order-${i}`);
  await pipeline.drain();
  expect(pipeline.problems).toEqual([]);
  const rows = pipeline.events.rows().filter((row): row is NormalizedRow => row.state === 'normalized');
  const deliveries = rows.map((row) => row.deliveries.klaviyo);
  return { most, requests: pipeline.requests.length - startsAt, deliveries };
}

const stateOf = (deliveries: Awaited<ReturnType<typeof delivered>>['deliveries']) => {
  const byState = [...Map.groupBy(deliveries, (d) => d?.state)];
  return Object.fromEntries(byState.map(([state, all]) => [state, all.length]));
};

describe('a platform that takes one event a request', () => {
  it('gets 32 at once while it answers', async () => {
    const { most, requests, deliveries } = await delivered(() => TOOK);
    expect(stateOf(deliveries)).toEqual({ DELIVERED: EVENTS });
    expect(requests).toBe(EVENTS);
    expect(most).toBe(32);
  });

  it('gets no more than open its circuit while it hangs: every other event keeps its attempt', async () => {
    const { most, requests, deliveries } = await delivered(() => HUNG);
    expect(most).toBe(BREAKER_THRESHOLD);
    expect(requests).toBeLessThanOrEqual(2 * BREAKER_THRESHOLD - 1);
    expect(deliveries.filter((d) => d?.unknowns === 1)).toHaveLength(requests);
    const kept = deliveries.filter((d) => d?.attempts === 0 && d.reason === 'circuit_open');
    expect(kept).toHaveLength(EVENTS - requests);
  });

  it.each([
    ['as many as it was answering where it did so within a minute', 50_000, 32],
    ['no more than open its circuit where its last answer is older', 60_000, BREAKER_THRESHOLD],
  ])('that comes to hang gets %s', async (_what, agoMs, width) => {
    const { most } = await delivered((nth) => (nth === 0 ? TOOK : HUNG), { agoMs });
    expect(most).toBe(width);
  });

  it('that comes to hang keeps what was not sent: one circuit opens, whatever the width', async () => {
    const { requests, deliveries } = await delivered((nth) => (nth === 0 ? TOOK : HUNG), { agoMs: 1_000 });
    expect(requests).toBeLessThanOrEqual(32 + BREAKER_THRESHOLD - 1);
    expect(deliveries.filter((d) => d?.reason === 'circuit_open')).toHaveLength(EVENTS - requests);
  });

  it('gets nothing beyond what is under way once it asks for a pause', async () => {
    const busy = { kind: 'response', status: 429, headers: { 'retry-after': '60' }, body: '' } as const;
    const { most, requests, deliveries } = await delivered((nth) => (nth < 50 ? TOOK : busy));
    expect(most).toBe(32);
    expect(requests).toBeLessThanOrEqual(50 + 32);
    expect(stateOf(deliveries)).toEqual({ DELIVERED: 50, RETRY: EVENTS - 50 });
  });

  it('gets no more at once while it refuses the credentials', async () => {
    const { most } = await delivered(() => ({ kind: 'response', status: 401, headers: {}, body: '' }));
    expect(most).toBe(BREAKER_THRESHOLD);
  });
});

describe('requests at once', () => {
  const bodyBytes = ({ limits }: (typeof PLATFORMS)[number]): number =>
    Math.min(limits.bodySizeMaxBytes, limits.batchSizeMax * 262_144);

  it.each(PLATFORMS.map((platform) => [platform.slug, platform] as const))(
    'of %s: from 4 to 32, within 32 MiB of bodies or 4',
    (_slug, platform) => {
      const most = requestsAtOnceMax(platform);
      expect(most).toBeGreaterThanOrEqual(4);
      expect(most).toBeLessThanOrEqual(32);
      expect(most === 4 || most * bodyBytes(platform) <= 2 ** 25).toBe(true);
    },
  );

  it('are 32 at the platforms that take few events each', () => {
    const wide = PLATFORMS.filter((platform) => requestsAtOnceMax(platform) === 32).map(({ slug }) => slug);
    expect(wide).toEqual(expect.arrayContaining(['ga4', 'klaviyo']));
  });

  it('never wait for a socket', () => {
    for (const platform of PLATFORMS)
      expect(SOCKETS_MAX).toBeGreaterThanOrEqual(JOBS_AT_ONCE * requestsAtOnceMax(platform));
  });
});
