// Goal: what a reconciliation says of an order at a platform is what the platform counts. Method: the real pipeline in
// memory; orders are uploaded through the API's own handler and compared by the task stage. Crashes are in
// reconciliation-deaths.test.ts.
import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResult, Platform } from '#lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '#test/simulation/synthetic-platforms.ts';
import { allTaken, eventIds, reply } from '#test/support/delivery.ts';
import { testMerchant } from '#test/support/ingestion.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { PIPELINE_MERCHANT, type PipelineOptions } from '#test/support/memory-pipeline.ts';
import { withReconciliations } from '#test/support/reconciling.ts';
import { KEYLESS, withReplays } from '#test/support/replaying.ts';
import { openSyntheticShop } from '#test/support/synthetic-shop.ts';

const DAY_MS = 86_400_000;
const [alpha, bravo, carol] = SYNTHETIC_PLATFORMS as readonly [Platform, Platform, Platform];
/** Alpha remembers ids for two days, bravo counts orders, carol remembers ids for ever. */
const PLATFORMS: readonly Platform[] = [
  { ...alpha, dedup: { windowSec: 172_800 } },
  { ...bravo, dedup: { purchasesByOrder: () => true } },
  carol,
];

type Options = Partial<Pick<PipelineOptions, 'merchant' | 'rules' | 'credentials' | 'orders'>>;

/** While `isUnwell`, alpha refuses events whose id begins with `bad` and hangs on those with `slow`. */
function open(options: Options = {}) {
  let isUnwell = true;
  const answer = (request: HttpRequest): HttpResult => {
    if (!request.url.includes('alpha')) return allTaken(request);
    const said = ({ id }: WireEvent): string => {
      if (!isUnwell) return 'ok';
      return id.startsWith('bad') ? 'bad' : id.startsWith('slow') ? 'later' : 'ok';
    };
    const events = JSON.parse(request.body) as WireEvent[];
    return reply(200, { results: Object.fromEntries(events.map((event) => [event.nonce, said(event)])) });
  };
  const pipeline = openSyntheticShop({ platforms: PLATFORMS, answer, ...options });
  const replays = withReplays(pipeline, PLATFORMS);
  const host = withReconciliations(pipeline, PLATFORMS, replays);
  const purchase = (id: string, extra: object = {}, channel: 'server' | 'browser' = 'server') =>
    pipeline.take(
      id,
      { value: 59.98, currency: 'USD', order_id: id.replace(/^\w+-/, ''), ...extra },
      channel,
    );
  /** Purchases under these ids, worked off. */
  const purchased = async (...ids: readonly string[]) => {
    for (const id of ids) await purchase(id);
    await pipeline.drain();
  };
  /** What is said of the only order of an upload. */
  const seen = async (upload: object) => {
    const id = await host.begin([upload]);
    await host.finish();
    const [only] = await host.orders(id);
    return only;
  };
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) {
      await replays.drainPlans();
      await pipeline.drain();
      pipeline.clock.advance(10_000);
      await pipeline.sweep();
    }
    await pipeline.drain();
  };
  const recover = (): void => {
    isUnwell = false;
  };
  return { ...host, pipeline, replays, purchase, purchased, seen, pass, recover };
}

const MERCHANT = { ...testMerchant(), merchantId: PIPELINE_MERCHANT };

const everywhere = (status: string) => ({ alpha: status, bravo: status, carol: status });
const order = (order_id: string, more: object = {}) => ({ order_id, value: 59.98, currency: 'USD', ...more });

describe('an order', () => {
  it('is matched, missing, wrong, waiting or withheld at each platform', async () => {
    const host = open();
    await host.purchase('e-1');
    await host.purchase('bad-2');
    await host.purchase('slow-3');
    await host.purchase('e-4', { value: 12 });
    await host.purchase('e-5', { currency: 'EUR' });
    await host.purchase('e-6', { consent: { ad_user_data: 'denied' } });
    await host.purchase('e-7', { event_name: 'AddToCart' });
    await host.purchase('e-8', { value: undefined, currency: undefined });
    await host.pipeline.drain();
    const uploaded = ['1', '2', '3', '4', '5', '6', '7', '8', 'nobody'].map((id) => order(id));
    expect(await host.standings(uploaded)).toEqual({
      1: everywhere('matched'),
      2: { alpha: 'missing', bravo: 'matched', carol: 'matched' },
      3: { alpha: 'waiting', bravo: 'matched', carol: 'matched' },
      4: everywhere('wrong_value'),
      5: everywhere('wrong_currency'),
      6: await withheld(host),
      7: everywhere('missing'),
      8: everywhere('wrong_currency'),
      nobody: everywhere('missing'),
    });
    const [job] = host.pipeline.reconciliations.reconciliations();
    const seen = await host.orders(job?.id ?? '');
    expect(seen[1]).toMatchObject({
      events: [{ event_id: 'bad-2', trust: 'server' }],
      platforms: { alpha: { times: 0, reason: 'refused' } },
    });
    const sent = { value: '12', currency: 'USD' };
    expect(seen[3]?.platforms.carol).toEqual({ status: 'wrong_value', times: 1, sent });
    expect(seen.at(-1)).toMatchObject({ events: [], platforms: { alpha: { status: 'missing', times: 0 } } });
    expect((await host.read(job?.id ?? '')).platforms.alpha).toMatchObject({
      missing: 3,
      wrong_value: 1,
      waiting: 1,
    });
    expect(host.pipeline.problems).toEqual([]);
  });

  it('is compared by what was uploaded of it, and by nothing else', async () => {
    const host = open();
    await host.purchase('e-1', { value: 0.1 + 0.2 });
    await host.purchase('e-2', { value: 1200, currency: 'JPY' });
    await host.pipeline.drain();
    const at = async (upload: object) => (await host.seen(upload))?.platforms.alpha?.status;
    expect(await at({ order_id: '1' })).toBe('matched');
    expect(await at({ order_id: '1', value: 0.3 })).toBe('matched');
    expect(await at({ order_id: '1', value: '0.300' })).toBe('matched');
    expect(await at({ order_id: '1', value: 0.31 })).toBe('wrong_value');
    expect(await at({ order_id: '1', currency: 'usd' })).toBe('matched');
    expect(await at({ order_id: '1', currency: 'EUR' })).toBe('wrong_currency');
    expect(await at({ order_id: '2', value: 1200.4, currency: 'JPY' })).toBe('matched');
    expect(await at({ order_id: '2', value: 1200.5, currency: 'JPY' })).toBe('wrong_value');
    expect(await at({ event_id: 'e-1', value: 0.3 })).toBe('matched');
    expect(await at({ order_id: 'else', event_id: 'e-1' })).toBe('matched');
  });

  it('of any spelling is found by exactly that spelling', async () => {
    const host = open();
    const ids = ['№-北京/7', '🛍️', 'A b', 'a b', '__proto__', 'constructor', 'é', 'e\u0301', '"x",y'];
    for (const [i, order_id] of ids.entries()) await host.purchase(`e${i}`, { order_id });
    await host.purchase('padded', { order_id: '  padded  ' });
    await host.pipeline.drain();
    const standings = await host.standings([...ids, 'padded'].map((id) => order(id)));
    for (const id of [...ids, 'padded'])
      expect([id, Object.entries(standings).find(([key]) => key === id)?.[1]]).toEqual([
        id,
        everywhere('matched'),
      ]);
    expect(await host.standings([order('A B')])).toEqual({ 'A B': everywhere('missing') });
  });

  it('whose event is not normalized yet waits; that of a crawler is withheld', async () => {
    const host = open();
    await host.purchase('e-1');
    host.pipeline.queues.accepted.purge();
    const id = await host.begin([order('1')]);
    host.pipeline.clock.advance(16_000);
    const [message] = host.pipeline.queues.tasks.receive(1);
    if (message === undefined) throw new Error('nobody was told');
    await host.pipeline.stages.tasks([message]);
    expect((await host.orders(id))[0]?.platforms.alpha).toEqual({ status: 'waiting', times: 0 });
  });

  it('without an event, and of a time that was not looked at, is not said to be missing', async () => {
    const host = open();
    const nowMs = host.pipeline.clock.now();
    await host.purchased('e-1');
    host.pipeline.clock.advance(1_000);
    const upload = [
      order('1', { time: new Date(nowMs - 200 * DAY_MS).toISOString() }),
      order('2', { time: new Date(nowMs - 150 * DAY_MS).toISOString() }),
      order('3', { time: Math.floor(nowMs / 1_000) - 60 }),
      order('4', { time: nowMs + DAY_MS }),
      order('5'),
    ];
    expect(await host.standings(upload, { query: { platforms: 'alpha' } })).toEqual({
      1: { alpha: 'matched' },
      2: { alpha: 'out_of_range' },
      3: { alpha: 'missing' },
      4: { alpha: 'out_of_range' },
      5: { alpha: 'missing' },
    });
  });
});

async function withheld(host: ReturnType<typeof open>) {
  const [row] = host.pipeline.events.rows().filter(({ key }) => key.eventId === 'e-6');
  if (row?.state !== 'normalized') throw new Error('not normalized');
  const { verdicts } = row;
  return Object.fromEntries(
    ['alpha', 'bravo', 'carol'].map((slug) => [slug, verdicts[slug] === 'pending' ? 'matched' : 'withheld']),
  );
}

describe('an order of several events', () => {
  it('goes out as one, and is doubled nowhere', async () => {
    const host = open();
    await host.purchased('e-1', 'f-1', 'e-2');
    expect(await host.standings([order('1'), order('2')])).toEqual({
      1: everywhere('matched'),
      2: everywhere('matched'),
    });
  });

  it('is doubled where the platform cannot tell that they are one', async () => {
    const host = open({ orders: NO_ORDERS_KNOWN });
    await host.purchased('e-1', 'f-1', 'e-2');
    expect(await host.standings([order('1'), order('2')])).toEqual({
      1: { alpha: 'doubled', bravo: 'matched', carol: 'doubled' },
      2: everywhere('matched'),
    });
  });

  it('counts copies from browser and server of one id once', async () => {
    const host = open();
    await host.purchase('e-1', {}, 'browser');
    await host.purchased('e-1');
    const seen = await host.seen(order('1'));
    expect(seen?.platforms).toMatchObject({ alpha: { status: 'matched', times: 1 } });
    expect(seen?.events).toEqual(
      expect.arrayContaining([
        { event_id: 'e-1', trust: 'browser' },
        { event_id: 'e-1', trust: 'server' },
      ]),
    );
  });

  it('is doubled where a browser said something else under the id, and the server’s went out under another', async () => {
    const host = open({ merchant: MERCHANT });
    await host.purchase('e-1', { value: 1 }, 'browser');
    await host.pipeline.drain();
    await host.purchased('e-1');
    const seen = await host.seen(order('1'));
    const doubled = { status: 'doubled', times: 2, sent: { value: '1', currency: 'USD' } };
    expect(seen?.platforms).toEqual({ alpha: doubled, bravo: doubled, carol: doubled });
  });

  it('has the value of the copy that the platform took first', async () => {
    const host = open();
    await host.purchase('e-1', { value: 1 }, 'browser');
    await host.pipeline.drain();
    host.pipeline.clock.advance(5);
    await host.purchased('e-1');
    expect(await host.standings([order('1')])).toEqual({ 1: everywhere('wrong_value') });
  });

  it('finds the server’s event of a browser’s that yielded to it, although it does not name the order', async () => {
    const host = open({ merchant: { ...MERCHANT, serverEventNames: { Purchase: 0 } } });
    await host.purchase('e-1', {}, 'browser');
    await host.pipeline.drain();
    await host.purchase('e-1', { order_id: 'INT-77' });
    await host.pass(180);
    const [browser] = host.pipeline.events.rows().filter(({ key }) => key.channel === 'browser');
    expect(browser).toMatchObject({ verdicts: everywhere('server_copy') });
    const seen = await host.seen(order('1'));
    expect(seen?.platforms.alpha).toEqual({ status: 'matched', times: 1 });
  });

  it('of which one failed and one did not is no missing one', async () => {
    const host = open({ orders: NO_ORDERS_KNOWN });
    await host.purchased('bad-1');
    await host.purchased('f-1');
    expect(await host.standings([order('1')])).toEqual({
      1: { alpha: 'matched', bravo: 'matched', carol: 'doubled' },
    });
  });

  it('beyond all bounds is still one order, and no more is kept of it', async () => {
    const host = open({ orders: NO_ORDERS_KNOWN });
    await host.purchased(...Array.from({ length: 40 }, (_, i) => `e${i}-1`));
    const seen = await host.seen(order('1'));
    expect(seen?.platforms).toMatchObject({ alpha: { status: 'doubled', times: 10 }, bravo: { times: 1 } });
    expect(seen?.events).toHaveLength(5);
  });

  it('counts an id that was taken again after its window where the platform has forgotten it', async () => {
    const host = open();
    await host.purchased('e-1');
    host.pipeline.clock.advance(3 * DAY_MS);
    await host.purchased('e-1');
    expect(host.pipeline.storedRows.archived().size).toBe(1);
    expect(await host.standings([order('1')])).toEqual({
      1: { alpha: 'doubled', bravo: 'matched', carol: 'matched' },
    });
  });

  it('at two places of a platform stands as it does at the worse', async () => {
    const host = open({
      credentials: { alpha: { token: 'a' }, 'carol#2': { token: 'd' }, carol: { token: 'c' } },
    });
    await host.purchased('e-1');
    const connection = host.pipeline.connections.get('carol#2');
    expect(await host.standings([order('1')])).toEqual({ 1: { alpha: 'matched', carol: 'matched' } });
    if (connection === undefined) throw new Error('not connected');
    host.pipeline.connections.set('carol#3', { ...connection, slot: 'carol#3', sinceVersion: 9 });
    const seen = await host.seen(order('1'));
    expect(seen?.platforms.carol).toEqual({ status: 'missing', times: 0, reason: 'not_connected' });
  });
});

describe('a replay of what a platform misses', () => {
  it('sends those orders, to that platform, once, and the next reconciliation finds them', async () => {
    const host = open();
    for (const id of ['bad-1', 'bad-2', 'e-3', 'bad-4', 'badly-4']) {
      await host.purchased(id);
      host.pipeline.clock.advance(1);
    }
    const upload = ['1', '2', '3', '4', '5'].map((id) => order(id));
    const id = await host.begin(upload);
    expect(await host.replay(id, 'alpha')).toEqual({ failure: 'reconciliation_running' });
    await host.finish();
    host.recover();
    const before = host.pipeline.requests.length;
    const dry = await host.replay(id, 'alpha', { dry_run: true });
    const made = await host.replay(id, 'alpha');
    if ('failure' in made || 'failure' in dry) throw new Error('no replay was made');
    expect(made.body).toMatchObject({
      orders: 3,
      next_cursor: null,
      replay: {
        platforms: ['alpha'],
        only: 'undelivered',
        filter: { event_ids: ['bad-1', 'bad-2', 'bad-4'] },
      },
    });
    await host.pass(60);
    const plan = async (planId: string) => await host.replays.plans.plan(PIPELINE_MERCHANT, planId);
    expect((await plan(dry.body.replay.id))?.progress.counts).toEqual({ alpha: { will_send: 3 } });
    expect((await plan(made.body.replay.id))?.progress.counts).toEqual({ alpha: { will_send: 3 } });
    const sent = host.pipeline.requests.slice(before);
    expect(sent.every(({ url }) => url.includes('alpha'))).toBe(true);
    expect(sent.flatMap(eventIds).sort()).toEqual(['bad-1', 'bad-2', 'bad-4']);
    expect(await host.standings(upload)).toMatchObject({
      1: everywhere('matched'),
      2: everywhere('matched'),
      4: { alpha: 'matched' },
      5: everywhere('missing'),
    });
    const [latest] = (await host.ports.reconciling.jobs.listReconciliations(PIPELINE_MERCHANT, 1)).slice(-1);
    expect(await host.replay(latest?.id ?? '', 'alpha')).toEqual({ failure: 'nothing_to_replay' });
    expect(await host.replay(id, 'delta')).toMatchObject({ failure: 'invalid_request' });
  });

  it('under an id of its own doubles the order, and is found to', async () => {
    const host = open();
    await host.purchased('e-1');
    const { api } = host.replays;
    await api.replayEvent({ ...KEYLESS, params: { id: 'e-1' }, body: { dedupe: 'original' } });
    await host.pipeline.drain();
    expect(await host.standings([order('1')])).toEqual({ 1: everywhere('matched') });
    await api.replayEvent({ ...KEYLESS, params: { id: 'e-1' }, body: { dedupe: 'new' } });
    await host.pipeline.drain();
    expect(await host.standings([order('1')])).toEqual({
      1: { alpha: 'doubled', bravo: 'matched', carol: 'doubled' },
    });
  });

  it('takes five hundred orders, and the rest with a cursor', async () => {
    const host = open();
    const numbers = Array.from({ length: 501 }, (_, i) => `${i}`);
    await host.purchased(...numbers.map((number) => `bad-${number}`));
    const id = await host.begin(numbers.map((number) => order(number)));
    await host.finish();
    const first = await host.replay(id, 'alpha', { dry_run: true });
    if ('failure' in first) throw new Error(first.failure);
    expect(first.body.orders).toBe(500);
    const rest = await host.replay(id, 'alpha', { dry_run: true, cursor: first.body.next_cursor ?? '' });
    if ('failure' in rest) throw new Error(rest.failure);
    expect([rest.body.orders, rest.body.next_cursor]).toEqual([1, null]);
    expect(rest.body.replay.filter.event_ids).toEqual(['bad-500']);
    expect(await host.replay(id, 'bravo', { cursor: first.body.next_cursor ?? '' })).toMatchObject({
      failure: 'invalid_request',
    });
  });
});
