// Goal: one revenue figure in the merchant's own currency, the same wherever it is shown; what has no rate is named.
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { RATE_CURRENCIES_MAX, RATE_DAYS_MAX } from '#lib/events/domain/orders/exchange.ts';
import { getOverview } from '#lib/events/routes/analytics/analytics.ts';
import { getRevenueAttribution } from '#lib/events/routes/analytics/insights.ts';
import { listExchangeRates, putExchangeRates } from '#lib/events/routes/orders/exchange-rates.ts';
import { listOrders } from '#lib/events/routes/orders/orders.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { count } from '#test/contract/stored-rows.ts';
import { testMerchant } from '#test/support/ingestion.ts';

const TODAY = floorTo(NOW, DAY_MS);
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
  await shop({ reportingCurrency: 'EUR' });
});
const shop = (over: object) => host.config.putMerchant({ ...testMerchant(), merchantId: MINE, ...over });
const rate = (currency: string, day: string, value: string | null) => ({ currency, day, rate: value });
const put = (rates: readonly object[], as = token) =>
  host.call('/v1/account/rates', { method: 'PUT', token: as, body: { rates } });
const list = async (query = '') =>
  bodyOf(listExchangeRates, await host.call(`/v1/account/rates${query}`, { token }));
const get = (path: string) => host.call(path, { token });

describe('rates', () => {
  it('are kept as they were said, and a second time the same', async () => {
    const rates = [
      rate('usd', '2026-03-01', '0.92130'),
      rate('USD', '2026-03-02', '1'),
      rate('JPY', '2026-03-01', '0.006'),
    ];
    for (const _ of [1, 2])
      expect(bodyOf(putExchangeRates, await put(rates))).toEqual({
        success: true,
        reporting_currency: 'EUR',
        changed: 3,
      });
    const usd = {
      currency: 'USD',
      days: [
        { day: '2026-03-02', rate: '1' },
        { day: '2026-03-01', rate: '0.92130' },
      ],
    };
    expect((await list()).rates).toEqual([
      { currency: 'JPY', days: [{ day: '2026-03-01', rate: '0.006' }] },
      usd,
    ]);
    expect((await list('?currency=usd')).rates).toEqual([usd]);
    await put([rate('USD', '2026-03-01', null)]);
    expect((await list('?currency=USD')).rates[0]?.days).toEqual([{ day: '2026-03-02', rate: '1' }]);
  });

  it('stay for when another reporting currency is left again', async () => {
    await put([rate('USD', '2026-03-01', '0.9')]);
    await shop({ reportingCurrency: 'GBP' });
    expect(await list()).toMatchObject({ reporting_currency: 'GBP', rates: [] });
    await shop({ reportingCurrency: 'EUR' });
    expect((await list()).rates).toHaveLength(1);
  });

  it.each([
    ['a float', [rate('USD', '2026-03-01', '1e3')], 'must be digits'],
    ['nothing', [rate('USD', '2026-03-01', '0.000')], 'must be more than 0'],
    ['no currency', [rate('XXX', '2026-03-01', '1')], 'must be the code of a currency'],
    ['the currency itself', [rate('EUR', '2026-03-01', '1')], 'is the reporting currency itself'],
    ['no day', [rate('USD', '2026-02-30', '1')], 'must be a date like'],
    [
      'one day twice',
      [rate('USD', '2026-03-01', '1'), rate('USD', '2026-03-01', '2')],
      'is there twice for USD',
    ],
    ['none', [], 'rates'],
  ])('of %s are refused in words', async (_, rates, message) => {
    const reply = await put(rates);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining(message)]);
    expect((await list()).rates).toEqual([]);
  });

  it('need a reporting currency', async () => {
    await shop({});
    expect((await put([rate('USD', '2026-03-01', '1')])).status).toBe(400);
    expect(await list()).toMatchObject({ reporting_currency: null, rates: [] });
  });

  it('are bounded by days and by currencies, and nothing is written of what is too much', async () => {
    const days = Array.from({ length: RATE_DAYS_MAX }, (_, i) => rate('USD', dayAt(i * DAY_MS), '1'));
    for (const from of [0, 400]) await put(days.slice(from, from + 400));
    const more = [rate('JPY', '2026-03-01', '1'), rate('USD', '2026-03-01', '1')];
    expect((await put(more)).status).toBe(400);
    expect((await list()).rates.map(({ currency }) => currency)).toEqual(['USD']);
    const codes =
      'AED AUD BRL CAD CHF CLP CNY COP CZK DKK GBP HKD HUF IDR ILS INR JPY KRW KWD MXN NOK NZD PEN PHP PLN RON SEK SGD THB TRY';
    const many = codes.split(' ').map((code) => rate(code, '2026-03-01', '1'));
    expect(many).toHaveLength(RATE_CURRENCIES_MAX);
    expect((await put(many)).status).toBe(400);
    expect((await put(many.slice(1))).status).toBe(200);
  });
});

describe('sums in the reporting currency', () => {
  /** EUR 100.00 and USD 10.00 on each of two days, of which USD 5.00 came back on the second; KWD 1.234 on the second. */
  const plant = async (shiftMs = 0): Promise<void> => {
    const usd = { orders: 1, minor: '1000' };
    for (const day of [2, 1]) {
      const eur = { orders: 1, minor: '10000' };
      const refunds = day === 1 ? { refunds: { USD: { orders: 1, minor: '500' } } } : {};
      await count(host.counters, 'hour', TODAY - day * DAY_MS + shiftMs, {
        events: 3,
        revenue: { EUR: eur, USD: usd, ...(day === 1 ? { KWD: { orders: 1, minor: '1234' } } : {}) },
        credits: {
          meta: { orders: 1, unlinked: 0, revenue: { USD: usd }, ...refunds },
          direct: { orders: 1, unlinked: 0, revenue: { EUR: eur } },
        },
        ...refunds,
      });
    }
  };
  const ratesOf = (first: string, second: string) =>
    put([rate('USD', dayAt(TODAY - 2 * DAY_MS), first), rate('USD', dayAt(TODAY - DAY_MS), second)]);

  it('are one figure in the overview, in attribution and in the totals of orders', async () => {
    await plant();
    await ratesOf('0.9', '0.95');
    const overview = bodyOf(getOverview, await get('/v1/analytics/overview?range=7d'));
    // 200.00 + 9.00 + 9.50 less 4.75; dinars have no rate.
    expect(overview).toMatchObject({
      revenue_tracked: 213.75,
      revenue_currency: 'EUR',
      revenue_not_included: ['KWD'],
    });
    expect(overview.revenue_by_currency.KWD).toEqual({ orders: 1, amount: 1.234, refunded: 0, net: 1.234 });
    const { total, platforms } = bodyOf(
      getRevenueAttribution,
      await get('/v1/analytics/revenue-attribution?range=7d'),
    );
    const sum = { currency: 'EUR', amount: 218.5, refunded: 4.75, net: 213.75 };
    expect(total.reported).toEqual({ ...sum, without_rate: [] });
    const of = (platform: string) => platforms.find((one) => one.platform === platform)?.reported?.net;
    expect([of('meta'), of('direct')]).toEqual([13.75, 200]);
    const { totals } = bodyOf(listOrders, await get('/v1/orders'));
    expect(totals?.reported).toEqual({ ...sum, without_rate: ['KWD'] });
    expect(totals?.revenue.USD).toMatchObject({ orders: 2, amount: 20, refunded: 5, net: 15 });
  });

  it('take the newest rate at or before the day, and none that is later', async () => {
    await plant();
    await put([rate('USD', dayAt(TODAY - DAY_MS), '0.5')]);
    const { revenue_tracked, revenue_not_included } = bodyOf(
      getOverview,
      await get('/v1/analytics/overview?range=7d'),
    );
    expect([revenue_tracked, revenue_not_included]).toEqual([202.5, ['KWD', 'USD']]);
    await put([rate('USD', '2020-01-01', '0.8')]);
    const { totals } = bodyOf(listOrders, await get('/v1/orders'));
    expect(totals?.reported?.net).toBe(210.5);
  });

  it('take the rate of the merchant’s day', async () => {
    await plant(23 * HOUR_MS);
    await ratesOf('0.9', '0.95');
    expect(bodyOf(getOverview, await get('/v1/analytics/overview?range=7d')).revenue_tracked).toBe(213.75);
    await shop({ reportingCurrency: 'EUR', timeZone: 'Europe/Berlin' });
    // An hour before midnight UTC the second day has begun there, and the third after it.
    expect(bodyOf(getOverview, await get('/v1/analytics/overview?range=7d')).revenue_tracked).toBe(214.25);
  });

  it('are compared with the range before in the same currency', async () => {
    await plant();
    await count(host.counters, 'day', TODAY - 8 * DAY_MS, {
      events: 1,
      revenue: { USD: { orders: 1, minor: '100' } },
    });
    await put([rate('USD', '2020-01-01', '2')]);
    const { deltas, revenue_tracked } = bodyOf(getOverview, await get('/v1/analytics/overview?range=7d'));
    expect([revenue_tracked, deltas.revenue_tracked]).toEqual([230, 228]);
  });

  it('are none without a reporting currency: the one of most orders stands, and the others are named', async () => {
    await shop({});
    await plant();
    const overview = bodyOf(getOverview, await get('/v1/analytics/overview?range=7d'));
    expect([overview.revenue_currency, overview.revenue_not_included]).toEqual(['EUR', ['KWD', 'USD']]);
    expect(bodyOf(listOrders, await get('/v1/orders')).totals?.reported).toBeNull();
  });
});
