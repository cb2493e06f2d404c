// What the API says of reconciliations: bad uploads are refused by row and field and leave nothing, and what is stored is sealed.
import { describe, expect, it } from 'vitest';
import { RECONCILIATION_LIMITS } from '#lib/events/domain/reconciliation/reconciliation.ts';
import samples from '#lib/events/platforms/sample-credentials.json' with { type: 'json' };
import {
  createReconciliation,
  listReconciledOrders,
  listReconciliations,
  readReconciliation,
  replayReconciliation,
} from '#lib/events/routes/orders/reconciliations.ts';
import { bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { finishReconciliations } from '#test/contract/reconciled.ts';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { testMerchant } from '#test/support/ingestion.ts';
import type { MemoryReconciliationStore } from '#test/support/memory/reconciliation-store.ts';

const URL = '/v1/reconciliations';
const CSV = { 'content-type': 'text/csv' };
const DAY_MS = 86_400_000;

async function open(platforms: readonly (keyof typeof samples)[] = ['meta']) {
  const host = await openApi();
  const token = host.session('admin');
  for (const platform of platforms) {
    const body = { platform, credentials: samples[platform], confirm_experimental: true };
    expect((await host.call('/v1/platforms', { method: 'POST', token, body })).status).toBe(201);
  }
  const stored = host.ports.reconciling.jobs as MemoryReconciliationStore;
  const post = (body: unknown, headers: Record<string, string> = {}, query = '') =>
    host.call(URL + query, { method: 'POST', token, body, headers });
  return {
    host,
    stored,
    post,
    json: (orders: unknown, query = '') => post({ orders }, {}, query),
    csv: (text: string | Uint8Array, query = '') => post(text, CSV, query),
    get: (path = '') => host.call(URL + path, { token }),
    finish: async () => {
      host.clock.advance(16_000);
      await finishReconciliations(host);
    },
  };
}

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ order_id: `o${i}` }));
const lines = (count: number) => ['order_id', ...many(count).map(({ order_id }) => order_id)].join('\r\n');
/** With a message that has these words in it. */
const detail = (path: string, words: string) => ({
  details: [{ path, message: expect.stringContaining(words) as unknown }],
});

describe('an upload', () => {
  it('is taken as JSON and as CSV, and read alike', async () => {
    const { json, csv } = await open();
    const reply = await json([
      { order_id: '1001', value: 59.98, currency: 'usd', time: '2026-11-19T12:00:00Z' },
      { event_id: 'e-2', value: '12.00' },
      { order_id: '1001', event_id: 'e-1', value: '59.980' },
    ]);
    expect(reply.status).toBe(202);
    const { reconciliation } = bodyOf(createReconciliation, reply);
    expect(reconciliation).toMatchObject({
      status: 'running',
      covers: { start: '2026-11-18T12:00:00.000Z', end: '2026-11-20T12:34:56.000Z' },
      upload: { orders: 2, repeated: 1, with_value: 2, with_currency: 1, with_time: 1 },
      progress: { events: 0, share: 0 },
      unlisted: 0,
      platforms: { meta: null },
    });
    const text = `\ufeffName,Value,ORDER_ID,event_id,currency,time,"e-mail"
"Jane ""J"" Doe, Esq.",59.98,1001,,usd,2026-11-19T12:00:00Z,jane@shop.example

,12.00,,e-2,,,
,59.980,1001,e-1,,,x`;
    const same = bodyOf(createReconciliation, await csv(text)).reconciliation;
    expect({ ...same, id: '' }).toEqual({ ...reconciliation, id: '' });
  });

  it('rests sealed, without what was not asked for, and is in no message', async () => {
    const { host, csv, stored } = await open();
    await csv('order_id,value,email\norder-zq1,4711.22,zq1@shop.example\n');
    const rests = JSON.stringify([stored.reconciliations(), [...stored.pieces()]]);
    expect(rests).not.toMatch(/zq1|4711/);
    expect([...stored.pieces()]).toHaveLength(1);
    host.clock.advance(16_000);
    const [job] = stored.reconciliations();
    const messages = host.taskWork.receive(10).map(({ body }) => body);
    expect(messages).toEqual([{ merchant: MINE, reconciliation: job?.id, version: job?.version }]);
    const sealed = [...stored.pieces().values()][0] ?? '';
    const { vault } = host.ports;
    const context = `reconciliation/${job?.id}/0/1`;
    expect(await vault.open(MINE, context, sealed)).not.toMatch(/zq1@/);
    await expect(vault.open(MINE, context.replace('/0/', '/1/'), sealed)).rejects.toThrow();
  });

  const orders = (...list: readonly object[]) => ({ orders: list });
  const one = (more: object) => orders({ order_id: '1', ...more });
  const NO_ID = 'must have an order_id or an event_id';
  const [oneA, oneB, two, twoA] = [
    { order_id: '1', event_id: 'a' },
    { order_id: '1', event_id: 'b' },
    { order_id: '2' },
    { order_id: '2', event_id: 'a' },
  ];
  it.each<readonly [string, unknown, string, string]>([
    ['no order', orders(), 'orders', 'must not be empty'],
    ['no list', {}, 'orders', 'is required'],
    ['a list alone', [{ order_id: '1' }], '', 'must be an object'],
    ['no id', orders({ value: 1 }), 'orders.0', NO_ID],
    ['a blank id', one({ order_id: '  ' }), 'orders.0', NO_ID],
    ['a long id', one({ order_id: 'x'.repeat(257) }), 'orders.0.order_id', 'at most 256 characters'],
    ['a misspelt field', one({ vlaue: 1 }), 'orders.0.vlaue', 'is not a known property'],
    ['a negative value', one({ value: -1 }), 'orders.0.value', 'must'],
    ['a value with a comma', one({ value: '1,5' }), 'orders.0.value', 'must'],
    ['a value like 1e3', one({ value: '1e3' }), 'orders.0.value', 'must'],
    ['a value of no money', one({ value: 1e15 + 1 }), 'orders.0.value', 'must'],
    ['a currency nobody has', one({ currency: 'ZZZ' }), 'orders.0.currency', 'ISO 4217'],
    ['a time without offset', one({ time: '2026-11-19T12:00:00' }), 'orders.0.time', 'ISO 8601'],
    ['a day that is none', one({ time: '2026-02-30' }), 'orders.0.time', 'ISO 8601'],
    ['text that is no JSON', '{"orders":', '', 'must be JSON'],
    ['half a sign', '{"orders":[{"order_id":"\\ud800"}]}', '', 'lone surrogates'],
    [
      'another value of one order',
      orders({ ...two, value: 1 }, { ...two, value: 2 }),
      'orders.1.value',
      'in orders.0',
    ],
    ['another event of one order', orders(oneA, oneB), 'orders.1.event_id', 'in orders.0'],
    ['one event of two orders', orders(oneA, twoA), 'orders.1.order_id', 'in orders.0'],
    ['one event of two orders that are known', orders(oneA, two, twoA), 'orders.2.event_id', 'orders.0'],
  ])('with %s is refused, by name, and nothing is left of it', async (_name, body, path, words) => {
    const { post, stored } = await open();
    const reply = await post(body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    expect(reply.body).toMatchObject(detail(path, words));
    expect([stored.reconciliations(), stored.pieces().size]).toEqual([[], 0]);
  });

  it.each<readonly [string, string | Uint8Array, string, string]>([
    ['nothing', '\n\n', '', 'is empty'],
    ['nothing but names', 'order_id,value\r\n', '', 'at least one order'],
    ['no names', '1001,59.98\n', 'lines.1', 'must name the columns'],
    ['semicolons', 'order_id;value\n1001;59.98\n', 'lines.1', 'commas'],
    ['a name twice', 'order_id,value,Value\n1,2,3\n', 'lines.1', 'the column value once'],
    ['a short row', 'order_id,value\n\n1001\n', 'lines.3', '2 fields'],
    ['an open quote', 'order_id,value\n"1001,5\n', 'lines.2', 'not closed'],
    ['a malformed amount', 'order_id,value\n1,5\n"2\n2","1.234,50"\n', 'lines.3.value', 'amount'],
    ['bytes that are no text', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe]), '', 'UTF-8'],
    ['NUL', 'order_id\n1\0\n', '', 'NUL'],
  ])('as CSV with %s is refused, by line', async (_name, text, path, words) => {
    const { csv, stored } = await open();
    const reply = await csv(text);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.body).toMatchObject(detail(path, words));
    expect(stored.reconciliations()).toEqual([]);
  });

  it('is refused as a file of another kind', async () => {
    const { post } = await open();
    const reply = await post('<orders/>', { 'content-type': 'application/xml' });
    expect([reply.status, codeOf(reply)]).toEqual([415, 'unsupported_media_type']);
    expect((await post('', { 'content-type': 'application/json' })).status).toBe(400);
  });

  it('holds ten thousand orders and none more', async () => {
    const { json, csv } = await open();
    const most = RECONCILIATION_LIMITS.ordersMax;
    const taken = [await json(many(most)), await csv(lines(most))];
    for (const reply of taken)
      expect(bodyOf(createReconciliation, reply).reconciliation.upload.orders).toBe(most);
    const limit = 'at most 10000';
    const more = await json(many(most + 1));
    expect([more.status, more.body]).toEqual([400, expect.objectContaining(detail('orders', limit))]);
    const long = await csv(lines(most + 1));
    const line = `lines.${most + 2}`;
    expect([long.status, long.body]).toEqual([400, expect.objectContaining(detail(line, limit))]);
    expect((await csv(lines(100_000))).status).toBe(400);
    const huge = await csv(`order_id\n${'x'.repeat(4_194_304)}`);
    expect([huge.status, codeOf(huge)]).toEqual([413, 'payload_too_large']);
  });

  it('names at most twenty problems', async () => {
    const { json } = await open();
    const reply = await json(many(50).map((order) => ({ ...order, time: 'soon' })));
    expect((reply.body as { details: unknown[] }).details).toHaveLength(20);
  });
});

describe('a reconciliation', () => {
  it('takes dates, of the range and of orders, for days of the merchant', async () => {
    const { host, json } = await open();
    await host.config.putMerchant({ ...testMerchant(), merchantId: MINE, timeZone: 'Europe/Berlin' });
    const orders = [{ order_id: 'o', time: '2026-11-18' }];
    const { covers } = bodyOf(createReconciliation, await json(orders, '?end=2026-11-19')).reconciliation;
    // A day before the first order.
    expect(covers).toEqual({ start: '2026-11-16T23:00:00.000Z', end: '2026-11-18T23:00:00.000Z' });
  });

  it('is compared with the platforms asked for, in the range asked for', async () => {
    const { host, json, stored } = await open(['meta', 'ga4', 'google_ads', 'klaviyo']);
    const start = NOW - 3 * DAY_MS;
    const reply = await json(many(1), `?platforms=ga4,%20meta&start=${start}&end=2026-11-19`);
    const { covers, platforms } = bodyOf(createReconciliation, reply).reconciliation;
    expect(covers).toEqual({ start: new Date(start).toISOString(), end: '2026-11-19T00:00:00.000Z' });
    expect(Object.keys(platforms).sort()).toEqual(['ga4', 'meta']);
    await json(many(1));
    const [, all] = stored.reconciliations();
    const places = Object.fromEntries(
      (all?.places ?? []).map(({ slot, byOrder, windowSec }) => [slot, { byOrder, windowSec }]),
    );
    expect(places).toMatchObject({ meta: { windowSec: 172_800 }, ga4: { byOrder: true } });
    expect(places.google_ads).toEqual({ byOrder: undefined, windowSec: undefined });
    const google = await host.config.connection(MINE, 'google_ads');
    const token = host.session('admin');
    const body = { credentials: { transaction_id: 'order_id' } };
    await host.call(`/v1/platforms/${google?.id}`, { method: 'PATCH', token, body });
    await json(many(1), '?platforms=google_ads');
    expect(stored.reconciliations().at(-1)?.places).toMatchObject([{ slot: 'google_ads', byOrder: true }]);
  });

  it.each<readonly [string, string]>([
    ['?platforms=tiktok', 'platforms'],
    ['?platforms=nobody', 'platforms'],
    ['?platforms=', 'platforms'],
    ['?start=2026-11-21', 'start'],
    ['?start=2026-01-01', 'start'],
    ['?start=2026-11-19&end=2026-11-18', 'start'],
    ['?begin=2026-11-19', 'begin'],
  ])('with %s is refused', async (query, path) => {
    const { json, stored } = await open();
    const reply = await json(many(1), query);
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ path })] }),
    ]);
    expect(stored.reconciliations()).toEqual([]);
  });

  it('without a platform that is connected is refused, and so is one of orders to come', async () => {
    const none = await open([]);
    expect((await none.json(many(1))).body).toMatchObject({ details: [{ path: 'platforms' }] });
    const { json } = await open();
    const reply = await json([{ order_id: '1', time: NOW + 3 * DAY_MS }]);
    expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path: 'time' }] }]);
  });

  it('is one however often its request is repeated with a key, and two without', async () => {
    const { post, get } = await open();
    const key = { 'idempotency-key': 'upload-1' };
    const body = { orders: many(2) };
    const [first, again] = [await post(body, key), await post(body, key)];
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await post({ orders: many(3) }, key);
    expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_key_reused']);
    await post(body);
    expect(bodyOf(listReconciliations, await get()).reconciliations).toHaveLength(2);
  });

  it('is no more at once than one merchant may have', async () => {
    const { json, finish } = await open();
    for (let i = 0; i < RECONCILIATION_LIMITS.runningMax; i++) expect((await json(many(1))).status).toBe(202);
    const reply = await json(many(1));
    expect([reply.status, codeOf(reply), reply.headers['retry-after']]).toEqual([429, 'rate_limited', '300']);
    await finish();
    expect((await json(many(1))).status).toBe(202);
  });

  it('is listed, the newest first, page by page, until it has expired', async () => {
    const { host, json, get } = await open();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.unshift(bodyOf(createReconciliation, await json(many(1))).reconciliation.id);
      host.clock.advance(1_000);
    }
    const first = bodyOf(listReconciliations, await get('?limit=2'));
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    const last = bodyOf(listReconciliations, await get(`?limit=2&cursor=${cursor}`));
    expect([...first.reconciliations, ...last.reconciliations].map(({ id }) => id)).toEqual(ids);
    expect(last.next_cursor).toBeNull();
    expect((await get('?cursor=nonsense')).status).toBe(400);
    host.clock.advance(RECONCILIATION_LIMITS.keptDays * DAY_MS - 1_000);
    expect(bodyOf(listReconciliations, await get()).reconciliations).toHaveLength(0);
    expect((await get(`/${ids[0]}`)).status).toBe(404);
    expect((await get('/not-an-id')).status).toBe(404);
  });

  it('begins although its queue is away: the audit tells it', async () => {
    const host = await openApi((ports) => ({
      reconciling: { ...ports.reconciling, work: { send: () => Promise.reject(new Error('away')) } },
    }));
    const token = host.session();
    const body = { platform: 'meta', credentials: samples.meta };
    await host.call('/v1/platforms', { method: 'POST', token, body });
    const reply = await host.call(URL, { method: 'POST', token, body: { orders: many(1) } });
    expect(reply.status).toBe(202);
    expect(host.reports.map(({ problem }) => problem)).toEqual(['a reconciliation was not told to begin']);
  });
});

describe('orders of a reconciliation', () => {
  async function compared() {
    const opened = await open(['meta', 'tiktok']);
    const { host, json, finish } = opened;
    const delivery = deliveryIn('DELIVERED');
    const failed = { ...delivery, state: 'FAILED', reason: 'meta.100' } as const;
    const row = (orderId: string, deliveries: object, event: object = {}) =>
      normalizedRow({
        eventId: `e-${orderId}`,
        event: { orderId, value: '10', currency: 'USD', ...event },
        deliveries: deliveries as never,
      });
    await store(
      host.events,
      row('1', { meta: delivery, tiktok: delivery }),
      row('2', { meta: failed, tiktok: delivery }),
      row('3', { meta: delivery, tiktok: delivery }, { value: '12.5' }),
    );
    const orders = ['1', '2', '3', '4'].map((order_id) => ({ order_id, value: 10, currency: 'USD' }));
    const { id } = bodyOf(createReconciliation, await json(orders)).reconciliation;
    expect(codeOf(await opened.get(`/${id}/orders`))).toBe('reconciliation_running');
    await finish();
    return { ...opened, id };
  }

  it('are counted and listed by platform and standing, page by page', async () => {
    const { id, get } = await compared();
    const { reconciliation } = bodyOf(readReconciliation, await get(`/${id}`));
    expect(reconciliation).toMatchObject({
      status: 'done',
      progress: { events: 3, share: 1 },
      platforms: {
        meta: { matched: 1, missing: 2, wrong_value: 1 },
        tiktok: { matched: 2, missing: 1, wrong_value: 1 },
      },
    });
    const list = async (query: string) => bodyOf(listReconciledOrders, await get(`/${id}/orders${query}`));
    const ids = (page: Awaited<ReturnType<typeof list>>) => page.orders.map(({ order_id }) => order_id);
    expect(ids(await list(''))).toEqual(['2', '3', '4']);
    expect(ids(await list('?status=matched'))).toEqual(['1', '2']);
    expect(ids(await list('?status=missing&platform=meta'))).toEqual(['2', '4']);
    const [wrong] = (await list('?status=wrong_value&platform=tiktok')).orders;
    expect(wrong).toEqual({
      order_id: '3',
      value: '10',
      currency: 'USD',
      events: [{ event_id: 'e-3', trust: 'server' }],
      platforms: { tiktok: { status: 'wrong_value', times: 1, sent: { value: '12.5', currency: 'USD' } } },
    });
    const first = await list('?limit=2');
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    expect(ids(await list(`?limit=2&cursor=${cursor}`))).toEqual(['4']);
    expect((await get(`/${id}/orders?status=missing&cursor=${cursor}`)).status).toBe(400);
    expect((await get(`/${id}/orders?platform=ga4`)).status).toBe(400);
    expect((await get(`/${id}/orders?status=lost`)).status).toBe(400);
  });

  it('that a platform misses become a replay, once for a key', async () => {
    const { host, id } = await compared();
    const token = host.session('admin');
    const ask = (platform: string, key: string) => {
      const body = { platform, dry_run: true };
      const headers = { 'idempotency-key': key };
      return host.call(`${URL}/${id}/replay`, { method: 'POST', token, headers, body });
    };
    const made = bodyOf(replayReconciliation, await ask('meta', 'k1'));
    expect(made).toMatchObject({
      orders: 1,
      next_cursor: null,
      replay: { dry_run: true, only: 'undelivered', dedupe: 'original' },
    });
    expect(made.replay.filter.event_ids).toEqual(['e-2']);
    expect((await ask('meta', 'k1')).body).toEqual(made);
    expect(await host.ports.replaying.plans.listPlans(MINE, 10)).toHaveLength(1);
    expect(codeOf(await ask('tiktok', 'k2'))).toBe('nothing_to_replay');
    expect((await ask('ga4', 'k3')).body).toMatchObject({ details: [{ path: 'platform' }] });
    const [meta] = await host.config.listConnections(MINE);
    expect(meta?.platform).toBe('meta');
    await host.call(`/v1/platforms/${meta?.id}`, { method: 'DELETE', token });
    expect((await ask('meta', 'k4')).body).toMatchObject({ details: [{ path: 'platform' }] });
  });
});
