import { describe, expect, it } from 'vitest';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const credentials = { alpha: { token: 'a' }, bravo: { token: 'b' }, carol: { token: 'c' } };
const wire = (request: HttpRequest): WireEvent[] => JSON.parse(request.body) as WireEvent[];
const ok = (body: unknown, status = 200): HttpResult => ({
  kind: 'response',
  status,
  headers: {},
  body: JSON.stringify(body),
});

function took(request: HttpRequest): HttpResult {
  const events = wire(request);
  if (request.url.includes('alpha'))
    return ok({ results: Object.fromEntries(events.map((e) => [e.nonce, 'ok'])) });
  return request.url.includes('bravo') ? ok({ ok: true }) : ok({ accepted: events.length });
}

const event = (id: string, extra: Record<string, unknown> = {}) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Date.UTC(2026, 10, 21, 11, 59, 0) / 1000,
  user_data: { email: 'jane@example.com' },
  order_id: id,
  value: 10.5,
  currency: 'EUR',
  ...extra,
});

const pipelineWith = (answer: (request: HttpRequest) => HttpResult | Promise<HttpResult>) =>
  createMemoryPipeline({ platforms: SYNTHETIC_PLATFORMS, credentials, answer });

type Pipeline = ReturnType<typeof pipelineWith>;

function rowOf(pipeline: Pipeline, id: string): NormalizedRow {
  const row = pipeline.events.rows().find((r) => r.key.eventId === id);
  if (row?.state !== 'normalized') throw new Error(`${id} is not normalized`);
  return row;
}

const states = (pipeline: Pipeline, id: string) =>
  Object.fromEntries(Object.entries(rowOf(pipeline, id).deliveries).map(([slug, d]) => [slug, d.state]));

/** Lets time pass, sweeping every minute, until nothing is due for `minutes`. */
async function pass(pipeline: Pipeline, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    pipeline.clock.advance(60_000);
    await pipeline.sweep();
    await pipeline.drain();
  }
}

const DELIVERED = { alpha: 'DELIVERED', bravo: 'DELIVERED', carol: 'DELIVERED' };

describe('the pipeline on memory ports', () => {
  it('delivers to every platform, in one request each, and closes the row', async () => {
    const pipeline = pipelineWith(took);
    for (const id of ['e1', 'e2', 'e3']) await pipeline.accept(event(id));
    await pipeline.drain();
    expect(pipeline.problems).toEqual([]);
    expect(pipeline.requests).toHaveLength(3);
    for (const id of ['e1', 'e2', 'e3']) expect(states(pipeline, id)).toEqual(DELIVERED);
    const row = rowOf(pipeline, 'e1');
    expect(row.dueAtMs).toBeUndefined();
    expect(row.verdicts).toEqual({ alpha: 'pending', bravo: 'pending', carol: 'pending' });
  });

  it('counts what the rows say: events, deliveries, money, at every grain', async () => {
    const pipeline = pipelineWith(took);
    for (let i = 0; i < 25; i++) await pipeline.accept(event(`e${i}`));
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
    const pipeline = pipelineWith((request) =>
      down && request.url.includes('carol')
        ? { kind: 'response', status: 503, headers: {}, body: '' }
        : took(request),
    );
    await pipeline.accept(event('e1'));
    await pipeline.drain();
    expect(states(pipeline, 'e1')).toEqual({ ...DELIVERED, carol: 'RETRY' });
    await pass(pipeline, 10);
    expect(rowOf(pipeline, 'e1').deliveries.carol?.attempts).toBeGreaterThan(2);
    down = false;
    await pass(pipeline, 30);
    expect(states(pipeline, 'e1')).toEqual(DELIVERED);
    expect(pipeline.requests.filter((r) => r.url.includes('alpha'))).toHaveLength(1);
  });

  it('survives the purge of every queue at every stage', async () => {
    for (const stage of ['accepted', 'normalized', 'deliveries'] as const) {
      const pipeline = pipelineWith(took);
      await pipeline.accept(event('e1'));
      const { accepted, normalized, deliveries } = pipeline.queues;
      if (stage === 'accepted') accepted.purge();
      else {
        await pipeline.stages.normalize(accepted.receive(10));
        accepted.purge();
        if (stage === 'normalized') normalized.purge();
        else {
          await pipeline.stages.fanOut(normalized.receive(10));
          normalized.purge();
          for (const queue of deliveries.values()) queue.purge();
        }
      }
      await pass(pipeline, 3);
      expect(states(pipeline, 'e1')).toEqual(DELIVERED);
    }
  });

  it('processes a pointer once, however often it arrives', async () => {
    const pipeline = pipelineWith(took);
    await pipeline.accept(event('e1'));
    const leases = pipeline.queues.accepted.receive(10);
    for (let i = 0; i < 5; i++) await pipeline.stages.normalize(leases);
    await pipeline.drain();
    expect(states(pipeline, 'e1')).toEqual(DELIVERED);
    expect(pipeline.requests).toHaveLength(3);
  });

  it('pauses a connection whose credentials are refused and costs the event no attempt', async () => {
    let refused = true;
    const pipeline = pipelineWith((request) =>
      refused && request.url.includes('alpha')
        ? { kind: 'response', status: 401, headers: {}, body: '{}' }
        : took(request),
    );
    await pipeline.accept(event('e1'));
    await pipeline.drain();
    expect(pipeline.connections.get('alpha')).toMatchObject({ status: 'paused', pausedReason: 'auth' });
    expect(rowOf(pipeline, 'e1').deliveries.alpha).toMatchObject({
      state: 'RETRY',
      attempts: 0,
      reason: 'connection_paused',
    });
    refused = false;
    const connection = pipeline.connections.get('alpha');
    if (connection !== undefined) pipeline.connections.set('alpha', { ...connection, status: 'active' });
    await pass(pipeline, 40);
    expect(states(pipeline, 'e1')).toEqual(DELIVERED);
  });

  it('ends deliveries of a removed connection as skipped', async () => {
    const pipeline = pipelineWith(took);
    await pipeline.accept(event('e1'));
    await pipeline.stages.normalize(pipeline.queues.accepted.receive(10));
    pipeline.connections.delete('bravo');
    await pipeline.drain();
    expect(states(pipeline, 'e1')).toEqual({ ...DELIVERED, bravo: 'SKIPPED' });
    expect(rowOf(pipeline, 'e1').deliveries.bravo?.reason).toBe('not_connected');
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
    const pipeline = createMemoryPipeline({ platforms, credentials, answer: took });
    await pipeline.accept(event('e1'));
    await pipeline.drain();
    expect(rowOf(pipeline, 'e1').deliveries.bravo).toMatchObject({
      state: 'SKIPPED',
      reason: 'invalid:user_data',
      attempts: 0,
      history: [],
    });
    expect(pipeline.requests.some((r) => r.url.includes('bravo'))).toBe(false);
    await pass(pipeline, 2);
    const minute = pipeline.counters.rows().find((r) => r.key.grain === 'minute');
    expect(minute?.counters.deliveries.bravo).toEqual({ Purchase: { SKIPPED: 1 } });
  });

  it.each([
    [1, 21],
    [10, 151],
  ])('isolates %i poison events among 1000 in at most %i calls', async (poisons, callsMax) => {
    const poison = new Set(Array.from({ length: poisons }, (_, i) => `e${i * 97 + 13}`));
    const pipeline = pipelineWith((request) =>
      request.url.includes('bravo') && wire(request).some((e) => poison.has(e.id))
        ? { kind: 'response', status: 400, headers: {}, body: '{}' }
        : took(request),
    );
    for (let i = 0; i < 1000; i++) await pipeline.accept(event(`e${i}`));
    await pipeline.drain(2_000);
    const calls = pipeline.requests.filter((r) => r.url.includes('bravo')).length;
    expect(calls).toBeLessThanOrEqual(callsMax);
    const failed = pipeline.events
      .rows()
      .filter((r) => r.state === 'normalized' && r.deliveries.bravo?.state === 'FAILED');
    expect(failed.map((r) => r.key.eventId).sort()).toEqual([...poison].sort());
  });

  it('takes a platform that refuses everything for broken, and fails no event for it beyond 64', async () => {
    const pipeline = pipelineWith((request) =>
      request.url.includes('bravo')
        ? { kind: 'response', status: 400, headers: {}, body: '{}' }
        : took(request),
    );
    for (let i = 0; i < 500; i++) await pipeline.accept(event(`e${i}`));
    await pipeline.drain(2_000);
    const bravo = pipeline.events
      .rows()
      .map((r) => (r.state === 'normalized' ? r.deliveries.bravo?.state : undefined));
    expect(bravo.filter((state) => state === 'FAILED').length).toBeLessThanOrEqual(64);
    expect(bravo.filter((state) => state === 'RETRY').length).toBeGreaterThanOrEqual(436);
  });

  it('closes at once an event that is for nobody', async () => {
    const pipeline = pipelineWith(took);
    await pipeline.accept(event('e1', { order_id: undefined }));
    await pipeline.drain();
    expect(pipeline.requests).toHaveLength(0);
    expect(rowOf(pipeline, 'e1')).toMatchObject({
      verdicts: { alpha: 'invalid:order_id', bravo: 'invalid:order_id', carol: 'invalid:order_id' },
    });
    expect(rowOf(pipeline, 'e1').dueAtMs).toBeUndefined();
  });

  it('counts a browser copy once, as the server event it belongs to', async () => {
    const pipeline = pipelineWith(took);
    await pipeline.accept(event('e1'), 'browser');
    await pipeline.drain();
    await pipeline.accept(event('e1'), 'server');
    await pipeline.drain();
    await pass(pipeline, 5);
    const day = pipeline.counters.rows().find((r) => r.key.grain === 'day');
    expect(day?.counters).toMatchObject({ events: 1, merged: 1, revenue: { EUR: { orders: 1 } } });
  });
});
