// Goal: nothing that was sent with a test key reaches what a platform counts, reports or learns from, nor a figure of ours, nor an
// event of a live key. Method: ingestion and the whole pipeline in memory, with every platform connected, and what left it.
import { describe, expect, it } from 'vitest';
import { formatApiKey } from '../../lib/core/tenancy/api-key.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import type { HttpRequest } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { canaryEvent } from '../support/canaries.ts';
import { openPipeline, took } from '../support/canary-pipeline.ts';
import { withErasures } from '../support/erasing.ts';
import { request, send, testMerchant } from '../support/ingestion.ts';
import { KEYLESS, withReplays } from '../support/replaying.ts';

const TEST_KEY = formatApiKey('evk_test', new Uint8Array(32).fill(9));
const TEST = { authorization: `Bearer ${TEST_KEY}` };
/** Where the vendor says that a test enters nothing it counts. */
const APART = ['ga4', 'google_ads', 'openai_ads', 'pinterest', 's3', 'snapchat', 'webhook'];

function open(answer = took) {
  const pipeline = openPipeline(answer);
  pipeline.addKey(TEST_KEY, ['events:write']);
  const event = (id: string, over: Record<string, unknown> = {}) => ({
    ...canaryEvent('zq1xv', Math.floor(pipeline.clock.now() / 1_000) - 5),
    ...{ event_id: id, order_id: `order ${id}`, ...over },
  });
  const post = async (body: unknown, headers: Record<string, string> = TEST, path = '/v1/events') => {
    const answered = await send(pipeline.app, request(path, body, headers));
    return { status: answered.status, body: JSON.parse(String(answered.body)) };
  };
  return {
    ...{ pipeline, event, post },
    row: (id: string) =>
      pipeline.storedRows.rows().find(({ key }) => key.eventId === id) as NormalizedRow | undefined,
    counters: () => pipeline.counters.rows().map(({ counters }) => counters),
  };
}

/** As the vendors' own documents mark a test. */
const isMarked = ({ url, body, packed }: HttpRequest): boolean =>
  url.includes('/debug/mp/collect') ||
  url.includes('test=true') ||
  url.includes('/events/validate') ||
  (packed !== undefined && url.includes('/tests/')) ||
  /"(?:validateOnly|validate_only|test)":true/.test(body);
const isToken = ({ url }: HttpRequest): boolean => /\/(?:oauth2|token)\b/.test(url);

describe('an event of a test key', () => {
  it('goes only where tests are kept apart, and only as one', async () => {
    const { pipeline, event, post, row } = open();
    expect(await post(event('e1'))).toEqual({ status: 202, body: { success: true, event_id: 'e1' } });
    await pipeline.drain();
    const sent = pipeline.requests.filter((one) => !isToken(one));
    expect(sent.length).toBe(APART.length);
    expect(sent.filter((one) => !isMarked(one)).map(({ url }) => url)).toEqual([]);
    const { verdicts = {}, deliveries = {}, event: stored } = row('e1~test') ?? {};
    expect([stored?.test, stored?.replay, stored?.bot]).toEqual([true, true, undefined]);
    expect(Object.keys(deliveries).sort()).toEqual(APART);
    for (const slug of APART) expect([slug, deliveries[slug]?.state]).toEqual([slug, 'DELIVERED']);
    for (const { slug } of PLATFORMS)
      if (!APART.includes(slug)) expect([slug, verdicts[slug]]).not.toEqual([slug, 'test_mode:pending']);
    expect(verdicts.meta).toBe('test_mode');
    expect(pipeline.problems).toEqual([]);
  });

  it('is nothing to a release that does not know the mark', async () => {
    const { pipeline, event, post, row } = open();
    await post(event('e1'));
    // Accepted by this release and normalized by the one before, which reads `bot` and not `test`.
    const accepted = pipeline.storedRows.rows()[0];
    expect(accepted).toMatchObject({ body: { internal: { bot: true, replay: true, test: true } } });
    await pipeline.drain();
    // Normalized by this release and sent by the one before, which sends what is `pending`.
    expect(Object.values(row('e1~test')?.verdicts ?? { none: 'pending' })).not.toContain('pending');
    expect(row('e1~test')?.place).toBeUndefined();
  });

  it.each(['/v1/ingest', '/v1/batch'])('is one too in a list at %s', async (path) => {
    const { pipeline, event, post } = open();
    const track = { type: 'track', event: 'Order Completed', userId: 'u1', properties: { total: 5 } };
    const list =
      path === '/v1/ingest'
        ? { events: ['e1', 'e2', 'e3'].map((id) => event(id)) }
        : {
            batch: ['e1', 'e2'].map((messageId) => ({
              ...track,
              messageId,
              integrations: { All: false, webhook: true },
            })),
          };
    expect((await post(list, TEST, path)).status).toBeLessThan(300);
    await pipeline.drain();
    const sent = pipeline.requests.filter((one) => !isToken(one));
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter((one) => !isMarked(one)).map(({ url }) => url)).toEqual([]);
  });

  it('never meets the live event of its id', async () => {
    const { pipeline, event, post, row } = open();
    for (const turn of [1, 2])
      expect((await post(event('e1'))).status, `test ${turn}`).toBe(turn === 1 ? 202 : 409);
    expect((await post(event('e1'), {})).status).toBe(202);
    await pipeline.drain();
    expect(row('e1')?.event.dedupId).toBe('e1');
    expect(row('e1~test')?.event.dedupId).toBe('e1~test');
    expect(row('e1')?.verdicts.meta).toBe('pending');
    const live = pipeline.requests.filter((one) => !isToken(one) && !isMarked(one));
    expect(live.filter(({ body }) => body.includes('~test'))).toEqual([]);
    expect((await post(event('mine~test'), {})).status).toBe(400);
  });

  it('counts nowhere but as a test, and is in no order', async () => {
    const { pipeline, event, post, counters } = open();
    await post(event('e1', { event_name: 'Purchase', value: 20, currency: 'EUR' }));
    await post(event('r1', { event_name: 'Refund', order_id: 'order e1', value: 5, currency: 'EUR' }));
    for (let turn = 0; turn < 4; turn++) {
      await pipeline.drain();
      pipeline.clock.advance(90_000);
      await pipeline.sweep();
    }
    await pipeline.reconcile();
    const counted = counters();
    expect(counted.length).toBeGreaterThan(0);
    for (const { tests, ...others } of counted) {
      expect(tests).toBe(2);
      expect(others).toMatchObject({ events: 0, bots: 0, deliveries: {}, revenue: {}, bySource: {} });
      expect([others.replays, others.refunds, others.credits]).toEqual([undefined, undefined, undefined]);
    }
    expect(await pipeline.attribution.items()).toEqual([]);
  });

  it('is tried once, and what the platform says of it concerns no live event', async () => {
    const refused = { kind: 'response', status: 401, headers: {}, body: '{}', latencyMs: 1 } as const;
    const { pipeline, event, post, row } = open((asked) => (isMarked(asked) ? refused : took(asked)));
    for (const id of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']) await post(event(id));
    await pipeline.drain();
    const states = Object.values(row('e1~test')?.deliveries ?? {}).map(({ state }) => state);
    expect([...new Set(states)]).toEqual(['FAILED']);
    for (const { status, circuit } of pipeline.connections.values())
      expect([status, circuit]).toEqual(['active', undefined]);
    pipeline.requests.length = 0;
    await post(event('live'), {});
    await pipeline.drain();
    expect(row('live')?.deliveries.pinterest?.state).toBe('DELIVERED');
  });

  it('says nothing of which events come from servers', async () => {
    const { pipeline, event, post } = open();
    const names: string[] = [];
    Object.assign(pipeline.config, {
      merchant: async () => testMerchant(),
      addServerEventName: async (_merchant: string, name: string) => void names.push(name),
    });
    await post(event('e1'));
    await pipeline.drain();
    expect(names).toEqual([]);
    await post(event('e1'), {});
    await pipeline.drain();
    expect(names).toEqual(['Purchase']);
  });

  it('is erased with its person', async () => {
    const { pipeline, event, post, row } = open();
    const { user_data: person } = canaryEvent('zq1xv', 0);
    await post(event('e1'));
    await pipeline.drain();
    expect(row('e1~test')?.event.sealed).toBeDefined();
    const erasures = withErasures(pipeline);
    await erasures.begin({ email: person.email });
    await erasures.finish();
    expect(row('e1~test')).toMatchObject({ erasedBy: expect.any(String) });
    expect(row('e1~test')?.event.sealed).toBeUndefined();
  });

  it('waits for no paused connection', async () => {
    const { pipeline, event, post, row } = open();
    const pinterest = pipeline.connections.get('pinterest');
    if (pinterest !== undefined)
      pipeline.connections.set('pinterest', { ...pinterest, status: 'paused', pausedReason: 'manual' });
    await post(event('e1'));
    await pipeline.drain();
    expect(row('e1~test')?.deliveries.pinterest).toMatchObject({
      state: 'SKIPPED',
      reason: 'test_mode:connection_paused',
    });
    expect(pipeline.requests.filter(({ url }) => url.includes('pinterest'))).toEqual([]);
  });

  it('is not sent again, by a plan or by hand', async () => {
    const { pipeline, event, post } = open();
    await post(event('e1'));
    await pipeline.drain();
    const before = pipeline.storedRows.rows().length;
    pipeline.clock.advance(300_000);
    const { api, drainPlans } = withReplays(pipeline, PLATFORMS);
    const body = { filter: {}, only: 'all', rate: 500, dedupe: 'original', dry_run: false };
    const made = await api.createReplay({ ...KEYLESS, params: undefined, body } as never);
    expect(made).toMatchObject({ status: 202 });
    await drainPlans();
    await pipeline.drain();
    expect(pipeline.storedRows.rows().length).toBe(before);
    for (const id of ['e1', 'e1~test'])
      expect(await api.replayEvent({ ...KEYLESS, params: { id }, body: undefined } as never)).toEqual({
        failure: 'event_test',
      });
  });
});
