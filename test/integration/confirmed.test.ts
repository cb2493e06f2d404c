// Promise: what Google accepted is asked about half an hour on, once for each request and until it is done; a success becomes
// confirmed, a rejection of all changes the fate and the figures, a rejection of some is said of each; and what is never answered
// ends a day later, as never confirmed. Method: the pipeline on memory ports, against Google's sandbox.
import { beforeEach, describe, expect, it } from 'vitest';
import { laterOf } from '#lib/events/domain/analytics/later-words.ts';
import { sightingOf } from '#lib/events/pipeline/reconciling/sighting.ts';
import type { HttpRequest, HttpResult } from '#lib/events/platforms/platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { sandbox } from '#services/local/sandbox/platforms/google-ads/sandbox.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/google-ads/examples.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const googleAds = PLATFORMS.filter(({ slug }) => slug === 'google_ads');
const credentials = examples[0]?.credentials as Readonly<Record<string, unknown>>;
const own = String(credentials.customer_id);

let pipeline: ReturnType<typeof createMemoryPipeline>;
/** Instead of the sandbox, to questions alone. */
let answering: ((request: HttpRequest) => HttpResult) | undefined;
let known: (account: string) => boolean;

beforeEach(() => {
  answering = undefined;
  known = (account) => account === own || account === '';
  pipeline = createMemoryPipeline({
    platforms: googleAds,
    credentials: { google_ads: credentials },
    answer: (request) => {
      if (isQuestion(request) && answering !== undefined) return answering(request);
      const nowMs = pipeline.clock.now();
      const check = (account: string) => (known(account) ? 'ok' : 'unknown_account');
      const { answer } = sandbox.handle(asReceived(request), { nowMs, check });
      return { kind: 'response', ...answer };
    },
  });
});

const isQuestion = ({ url }: HttpRequest): boolean => url.includes('requestStatus');
const questions = () => pipeline.requests.filter(isQuestion);
const event = (id: string, more: object = {}) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Math.floor(pipeline.clock.now() / 1_000) - 60,
  value: 10,
  currency: 'USD',
  user_data: { email: `${id}@example.com` },
  ...more,
});
const bad = (id: string) => event(id, { user_data: { browser_ids: { gclid: `bad-${id}` } } });

async function take(...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) await pipeline.accept(body);
  await pipeline.drain();
}

/** Minute after minute, as in AWS. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) {
    pipeline.clock.advance(MINUTE_MS);
    await pipeline.sweep();
    await pipeline.drain();
  }
}

const read = (eventId: string) =>
  pipeline.events.read({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId });
const deliveryOf = async (eventId: string) => {
  const row = await read(eventId);
  return row?.state === 'normalized' ? row.deliveries.google_ads : undefined;
};
const wordOf = async (eventId: string) => (await deliveryOf(eventId))?.confirmation?.word;

describe('what Google accepted', () => {
  it('is asked about half an hour on, and not before, and then is confirmed', async () => {
    await take(event('a'));
    expect(await deliveryOf('a')).toMatchObject({ state: 'DELIVERED', confirmation: { word: 'waiting' } });
    await pass(29 * MINUTE_MS);
    expect(questions()).toEqual([]);
    await pass(2 * MINUTE_MS);
    expect(questions()).toHaveLength(1);
    const delivery = await deliveryOf('a');
    const confirmation = { word: 'confirmed', request: expect.stringMatching(/^sandbox-/) };
    expect(delivery).toMatchObject({ state: 'DELIVERED', confirmation });
    // Not when it was confirmed.
    expect(pipeline.clock.now() - (delivery?.deliveredAtMs ?? 0)).toBe(31 * MINUTE_MS);
    await pass(26 * HOUR_MS);
    expect(questions()).toHaveLength(1);
    expect(pipeline.problems).toEqual([]);
  });

  it('is asked about once for all events of a request', async () => {
    await take(...Array.from({ length: 20 }, (_, i) => event(`e${i}`)));
    expect(pipeline.requests.filter(({ url }) => url.includes(':ingest'))).toHaveLength(1);
    await pass(31 * MINUTE_MS);
    expect(questions()).toHaveLength(1);
    expect(await Promise.all(['e0', 'e19'].map(wordOf))).toEqual(['confirmed', 'confirmed']);
  });

  it('has failed where Google rejects all of it later, and the figures say so', async () => {
    await take(bad('x'), bad('y'));
    await pass(HOUR_MS);
    for (const id of ['x', 'y']) {
      const delivery = await deliveryOf(id);
      expect(delivery).toMatchObject({ state: 'FAILED', reason: 'google_ads.INVALID_GCLID' });
      expect(delivery?.confirmation?.word).toBe('rejected');
      expect(delivery).not.toHaveProperty('deliveredAtMs');
      expect(delivery?.history).toMatchObject([{ outcome: 'delivered', status: 200 }]);
      // A comparison of orders counts it as missing there.
      const row = await read(id);
      const place = { slot: 'google_ads', platform: 'google_ads', sinceVersion: 1 } as const;
      expect(sightingOf(row ?? expect.unreachable(), [place]).places.google_ads).toEqual({
        ...{ kind: 'kept', reason: 'google_ads.INVALID_GCLID' },
      });
    }
    const { counters } = await minuteOf();
    expect(counters?.deliveries.google_ads).toEqual({ Purchase: { FAILED: 2 } });
    expect(counters?.latency.count).toBe(0);
    expect(counters?.later).toEqual({ google_ads: { 'rejected:google_ads.INVALID_GCLID': 2 } });
  });

  it('is said of each event of the request where some were rejected, since Google names none', async () => {
    await take(bad('x'), event('y'), event('z'));
    await pass(31 * MINUTE_MS);
    for (const id of ['x', 'y', 'z'])
      expect(await deliveryOf(id)).toMatchObject({
        state: 'DELIVERED',
        confirmation: { word: 'partly', rejected: 1, of: 3, reason: 'google_ads.INVALID_GCLID' },
      });
    const { counters } = await minuteOf();
    expect(counters?.deliveries.google_ads).toEqual({ Purchase: { DELIVERED: 3 } });
    const { later = {} } = counters ?? {};
    expect(laterOf([later.google_ads ?? {}])).toEqual([
      { word: 'partly', reason: 'google_ads.INVALID_GCLID', events: 3, rejected: 1 },
    ]);
  });

  it('counts alike from batches and from their rows, by an audit that finds nothing to repair', async () => {
    await take(bad('x'), event('y'));
    await take(bad('alone'));
    await pass(90 * MINUTE_MS);
    expect(await pipeline.reconcile()).toMatchObject({ merchants: 1, drift: 0, late: 0, failed: 0 });
    const { counters } = await minuteOf();
    expect(counters?.deliveries.google_ads).toEqual({ Purchase: { DELIVERED: 2, FAILED: 1 } });
  });

  it('changes figures that were sealed long before, also where the hint to count them is lost', async () => {
    answering = () => ({ kind: 'response', status: 503, headers: {}, body: '' });
    await take(bad('x'));
    await pass(3 * HOUR_MS);
    answering = undefined;
    expect((await minuteOf()).counters?.deliveries.google_ads).toEqual({ Purchase: { DELIVERED: 1 } });
    const { counterRefresh } = pipeline.queues;
    for (let minute = 0; minute < 60; minute++) {
      await pass(MINUTE_MS);
      for (const { receipt } of counterRefresh.receive(10)) counterRefresh.remove(receipt);
    }
    expect((await minuteOf()).counters?.deliveries.google_ads).toEqual({ Purchase: { FAILED: 1 } });
  });
});

const minuteOf = async () => {
  const row = pipeline.storedRows.rows()[0];
  if (row === undefined) throw new Error('no row');
  const startMs = Math.floor(row.receivedAtMs / MINUTE_MS) * MINUTE_MS;
  const counted = await pipeline.counters.read({ merchantId: PIPELINE_MERCHANT, grain: 'minute', startMs });
  return { counters: counted?.counters };
};

describe('an answer that does not come', () => {
  const never = (reason: string) => ({
    state: 'DELIVERED',
    confirmation: { word: 'never', reason, request: expect.any(String) },
  });
  const json = (status: number, body: unknown): HttpResult => ({
    kind: 'response',
    ...{ status, headers: {}, body: JSON.stringify(body) },
  });

  it('is asked for at growing distances, and given up after a day', async () => {
    answering = () => json(200, { requestStatusPerDestination: [] });
    await take(event('a'));
    const asked: number[] = [];
    for (let minute = 1; minute <= 25 * 60; minute++) {
      const before = questions().length;
      await pass(MINUTE_MS);
      if (questions().length > before) asked.push(minute);
    }
    expect(asked).toEqual([30, 90, 210, 450, 930, 1_440]);
    expect(await deliveryOf('a')).toMatchObject(never('never_done'));
  });

  it.each([
    ['unknown', 404, { error: { code: 404, status: 'NOT_FOUND' } }, 'unknown_request'],
    ['of another account', 403, { error: { code: 403, status: 'PERMISSION_DENIED' } }, 'another_account'],
  ])('is not asked for again where the request is %s', async (_, status, body, reason) => {
    answering = () => json(status, body);
    await take(event('a'));
    await pass(3 * HOUR_MS);
    expect(questions()).toHaveLength(1);
    expect(await deliveryOf('a')).toMatchObject(never(reason));
    expect(pipeline.connections.get('google_ads')?.status).toBe('active');
  });

  it('is another account’s where the connection was given other credentials since', async () => {
    await take(event('a'));
    known = (account) => account === '';
    await pass(31 * MINUTE_MS);
    expect(await deliveryOf('a')).toMatchObject(never('another_account'));
  });

  it('is not asked for where the connection is gone', async () => {
    await take(event('a'));
    pipeline.connections.delete('google_ads');
    await pass(31 * MINUTE_MS);
    expect(questions()).toEqual([]);
    expect(await deliveryOf('a')).toMatchObject(never('not_connected'));
  });

  it('costs neither the event nor the connection anything while Google is down', async () => {
    answering = () => ({ kind: 'failure', code: 'timeout', maybeDelivered: true, message: 't' });
    await take(event('a'), event('b'));
    await pass(40 * MINUTE_MS);
    expect(await deliveryOf('a')).toMatchObject({ state: 'DELIVERED', attempts: 1, unknowns: 0 });
    expect(pipeline.connections.get('google_ads')).toMatchObject({ status: 'active' });
    expect(pipeline.connections.get('google_ads')).not.toHaveProperty('circuit');
    answering = undefined;
    await pass(HOUR_MS);
    expect(await wordOf('b')).toBe('confirmed');
  });
});
