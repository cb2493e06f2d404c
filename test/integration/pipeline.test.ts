import { describe, expect, it } from 'vitest';
import type { HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { SYNTHETIC_PLATFORMS } from '../simulation/synthetic-platforms.ts';
import { allTaken, reply } from '../support/delivery.ts';
import { DELIVERED, DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

describe('the pipeline on memory ports', () => {
  it('delivers to every platform, in one request each, and closes the row', async () => {
    const pipeline = openSyntheticShop();
    for (const id of ['e1', 'e2', 'e3']) await pipeline.take(id);
    await pipeline.drain();
    expect(pipeline.problems).toEqual([]);
    expect(pipeline.requests).toHaveLength(3);
    for (const id of ['e1', 'e2', 'e3']) expect(pipeline.states(id)).toEqual(DELIVERED);
    const row = pipeline.row('e1');
    expect(row.dueAtMs).toBeUndefined();
    expect(row.verdicts).toEqual({ alpha: 'pending', bravo: 'pending', carol: 'pending' });
  });

  it('counts what the rows say: events, deliveries, money, at every grain', async () => {
    const pipeline = openSyntheticShop();
    for (let i = 0; i < 25; i++) await pipeline.take(`e${i}`);
    await pipeline.drain();
    pipeline.clock.advance(10_000);
    await pipeline.drain();
    const rows = pipeline.counters.rows();
    expect(rows.map((r) => r.key.grain).sort()).toEqual(['day', 'hour', 'minute']);
    for (const { counters } of rows)
      expect(counters).toMatchObject({
        events: 25,
        byName: { Purchase: 25 },
        deliveries: { alpha: { Purchase: { DELIVERED: 25 } } },
        latency: { count: 75 },
        revenue: { EUR: { orders: 25, minor: '26250' } },
      });
  });

  it('retries by the sweeper until the platform is back', async () => {
    let down = true;
    const pipeline = openSyntheticShop({
      answer: (request) => (down && request.url.includes('carol') ? DOWN : allTaken(request)),
    });
    await pipeline.take('e1');
    await pipeline.drain();
    expect(pipeline.states('e1')).toEqual({ ...DELIVERED, carol: 'RETRY' });
    await pipeline.pass(10);
    expect(pipeline.row('e1').deliveries.carol?.attempts).toBeGreaterThan(2);
    down = false;
    await pipeline.pass(30);
    expect(pipeline.states('e1')).toEqual(DELIVERED);
    expect(pipeline.requests.filter((r) => r.url.includes('alpha'))).toHaveLength(1);
  });

  it('skips what turns out not to be sendable with the credentials at hand, and says why', async () => {
    const platforms = SYNTHETIC_PLATFORMS.map((platform) =>
      platform.slug === 'bravo'
        ? {
            ...platform,
            unsendable: (_event: unknown, credentials?: unknown) =>
              credentials === undefined ? null : { verdict: 'invalid' as const, detail: 'user_data' },
          }
        : platform,
    );
    const pipeline = openSyntheticShop({ platforms });
    await pipeline.take('e1');
    await pipeline.drain();
    expect(pipeline.row('e1').deliveries.bravo).toMatchObject({
      state: 'SKIPPED',
      reason: 'invalid:user_data',
      attempts: 0,
      history: [],
    });
    expect(pipeline.requests.some((r) => r.url.includes('bravo'))).toBe(false);
    await pipeline.pass(2);
    const minute = pipeline.counters.rows().find((r) => r.key.grain === 'minute');
    expect(minute?.counters.deliveries.bravo).toEqual({ Purchase: { SKIPPED: 1 } });
  });

  it('takes a platform that refuses everything for broken, and fails no event for it beyond 64', async () => {
    const pipeline = openSyntheticShop({
      answer: (request) => (request.url.includes('bravo') ? reply(400, {}) : allTaken(request)),
    });
    // As many as share a request.
    for (let i = 0; i < 300; i++) await pipeline.take(`e${i}`);
    await pipeline.drain(2_000);
    const bravo = pipeline.normalizedRows().map(({ deliveries }) => deliveries.bravo?.state);
    expect(bravo.filter((state) => state === 'FAILED').length).toBeLessThanOrEqual(64);
    expect(bravo.filter((state) => state === 'RETRY').length).toBeGreaterThanOrEqual(236);
  });

  it('takes a 403 that is the page of a proxy for an outage: asks rarely, pauses nothing, and delivers when it is gone', async () => {
    const page: HttpResult = { kind: 'response', status: 403, headers: {}, body: '<h1>Request blocked</h1>' };
    let isBlocked = true;
    const pipeline = openSyntheticShop({
      platforms: PLATFORMS.filter(({ slug }) => slug === 'meta'),
      credentials: { meta: samples.meta },
      answer: ({ body }) =>
        isBlocked ? page : reply(200, { events_received: (JSON.parse(body) as { data: [] }).data.length }),
    });
    const ids = Array.from({ length: 40 }, (_, i) => `e${i}`);
    for (const id of ids) {
      await pipeline.take(id);
      await pipeline.drain();
    }
    await pipeline.pass(30);
    for (const id of ids) expect(pipeline.states(id)).toEqual({ meta: 'RETRY' });
    expect(pipeline.connections.get('meta')?.status).toBe('active');
    expect(pipeline.connections.get('meta')?.circuit).toBeDefined();
    // One request at a time finds out whether it is over.
    const asked = pipeline.requests.length;
    await pipeline.pass(5);
    expect(pipeline.requests.length - asked).toBeLessThanOrEqual(5);
    isBlocked = false;
    await pipeline.pass(120);
    for (const id of ids) expect(pipeline.states(id)).toEqual({ meta: 'DELIVERED' });
  });

  it('closes at once an event that is for nobody', async () => {
    const pipeline = openSyntheticShop();
    await pipeline.take('e1', { order_id: undefined });
    await pipeline.drain();
    expect(pipeline.requests).toHaveLength(0);
    expect(pipeline.row('e1')).toMatchObject({
      verdicts: { alpha: 'invalid:order_id', bravo: 'invalid:order_id', carol: 'invalid:order_id' },
    });
    expect(pipeline.row('e1').dueAtMs).toBeUndefined();
  });
});
