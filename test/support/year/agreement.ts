// What every place that shows revenue says of a year, against the books: amounts to the last minor unit.
import { expect } from 'vitest';
import type { Success } from '#lib/core/http/handler.ts';
import type { listOrders } from '#lib/events/routes/orders/orders.ts';
import { createSeededRandom, type SeededRandom } from '../memory/random.ts';
import { PIPELINE_MERCHANT } from '../memory-pipeline.ts';
import { CALL } from '../replaying.ts';
import { type Books, type Rates, unitOf } from './books.ts';
import { dayIn, midnightOf, runYear, type Year, type YearOptions } from './run-year.ts';

type Listed = Success<typeof listOrders>['body']['orders'][number];

const DAY_MS = 86_400_000;

/** Days from the one up to the other. */
interface Window {
  readonly from: string;
  readonly to: string;
  readonly start: string;
  readonly end: string;
}

function windowOf(zone: string, fromMs: number, toMs: number): Window {
  const [startMs, endMs] = [midnightOf(zone, fromMs - DAY_MS), midnightOf(zone, toMs - DAY_MS)];
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { from: dayIn(zone, startMs), to: dayIn(zone, endMs), start: iso(startMs), end: iso(endMs) };
}

/** Rates of most days, and of one currency none before spring. */
async function putRates(year: Year, random: SeededRandom): Promise<Rates> {
  const rates = new Map<string, Map<string, string>>();
  for (const [currency, about] of [
    ['USD', 0.9],
    ['JPY', 0.006],
    ['KWD', 3],
  ] as const) {
    const days = new Map<string, string>();
    for (let day = currency === 'KWD' ? 120 : -1; day < 366; day += 1 + random.below(3)) {
      const date = new Date(year.startMs + day * DAY_MS).toISOString().slice(0, 10);
      days.set(date, (about * (0.9 + random.next() / 5)).toFixed(6));
    }
    rates.set(currency, days);
    await year.rates.changeExchangeRates(PIPELINE_MERCHANT, 'EUR', currency, Object.fromEntries(days));
  }
  return rates;
}

type Money = Readonly<
  Record<string, { readonly orders: number; readonly amount: number; readonly refunded: number }>
>;

/** As the books have them; currencies of which nothing came are left out of both. */
const inMinor = (money: Money) =>
  Object.fromEntries(
    Object.entries(money)
      .filter(([, { orders, refunded }]) => orders > 0 || refunded > 0)
      .map(([currency, { orders, amount, refunded }]) => {
        const minor = (value: number): bigint => BigInt(Math.round(value * unitOf(currency)));
        return [currency, { orders, gross: minor(amount), refunded: minor(refunded) }];
      }),
  );

const booked = (books: Books, { from, to }: Window) =>
  Object.fromEntries(
    Object.entries(books.sum(from, to)).filter(([, { orders, refunded }]) => orders > 0 || refunded > 0n),
  );

const cents = (amount: number): bigint => BigInt(Math.round(amount * 100));

async function expectFigures(year: Year, window: Window, rates: Rates): Promise<void> {
  const { analytics, books } = year;
  const query = { start: Date.parse(window.start), end: Date.parse(window.end) };
  const overview = await analytics.getOverview({ ...CALL, params: undefined, body: undefined, query });
  const credit = await analytics.getRevenueAttribution({
    ...CALL,
    params: undefined,
    body: undefined,
    query: { ...query, model: 'first_click' },
  });
  if ('failure' in overview || 'failure' in credit) throw new Error('it was refused');
  const expected = booked(books, window);
  expect([window, inMinor(overview.body.revenue_by_currency)]).toEqual([window, expected]);
  expect([window, inMinor(credit.body.total.revenue)]).toEqual([window, expected]);
  const own = books.reported(window.from, window.to, 'EUR', rates);
  expect([window, cents(overview.body.revenue_tracked)]).toEqual([window, own.gross - own.refunded]);
  const { reported } = credit.body.total;
  expect([cents(reported?.amount ?? 0), cents(reported?.refunded ?? 0)]).toEqual([own.gross, own.refunded]);
  const orders = credit.body.platforms.reduce((sum, platform) => sum + platform.orders, 0);
  expect(orders).toBe(Object.values(expected).reduce((sum, one) => sum + one.orders, 0));
}

async function expectOrders(year: Year, window: Window, rates: Rates): Promise<void> {
  const { books, orders } = year;
  const listed: Listed[] = [];
  let cursor: string | undefined;
  do {
    const query = { start: { day: window.from }, end: { day: window.to }, limit: 100, cursor };
    const page = await orders.listOrders({ ...CALL, params: undefined, body: undefined, query });
    if ('failure' in page) throw new Error(JSON.stringify(page));
    const { totals, next_cursor } = page.body;
    if (cursor === undefined) {
      expect(inMinor(totals?.revenue ?? {})).toEqual(booked(books, window));
      const own = books.reported(window.from, window.to, 'EUR', rates);
      expect(cents(totals?.reported?.net ?? 0)).toBe(own.gross - own.refunded);
    }
    listed.push(...page.body.orders);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  const shown = listed.map(({ event_id, currency = '', value = 0, net = 0 }) => {
    const minor = (amount: number): bigint => BigInt(Math.round(amount * unitOf(currency)));
    return [event_id, { minor: minor(value), left: minor(net), currency }] as const;
  });
  expect(shown.toSorted(byId)).toEqual([...books.orders(window.from, window.to)].sort(byId));
}

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The whole of it, quarters, and the days on which clocks change. */
const FIGURES = [
  [0, 366],
  [0, 90],
  [90, 180],
  [127, 129],
  [180, 270],
  [270, 366],
  [344, 347],
] as const;
const ORDERS = [
  [0, 90],
  [90, 180],
  [180, 270],
  [270, 366],
] as const;

export async function expectYear(options: YearOptions): Promise<void> {
  const year = await runYear(options);
  const { startMs, shop, books } = year;
  const rates = await putRates(year, createSeededRandom(`${options.seed} rates`));
  const at = (day: number): number => startMs + day * DAY_MS;
  const days = (from: number, to: number): Window => windowOf(options.zone, at(from), at(to));
  for (const [from, to] of FIGURES) await expectFigures(year, days(from, to), rates);
  for (const [from, to] of ORDERS) await expectOrders(year, days(from, to), rates);
  const { usage, period } = await year.usage();
  const [startOfMonth, endOfMonth] = [Date.parse(period.start), Date.parse(period.end)];
  expect([usage.events, usage.replayed_events]).toEqual([
    books.events(startOfMonth, endOfMonth),
    year.replayed(startOfMonth, endOfMonth),
  ]);
  await expectReconciled(year);
  expect(shop.problems).toEqual([]);
}

/** Orders of the last weeks that were reported once, as the shop has them: each platform has each as it is. */
async function expectReconciled(year: Year): Promise<void> {
  const { reconciling, shop, once } = year;
  const fromMs = shop.clock.now() - 80 * DAY_MS;
  const plain = once.filter(({ atMs }) => atMs >= fromMs);
  const upload = plain.map(({ orderId, value, currency }) => ({
    order_id: orderId,
    value: Number(value),
    currency,
  }));
  expect(upload.length).toBeGreaterThan(0);
  const standings = await reconciling.standings(upload, { query: { start: fromMs } });
  const matched = { alpha: 'matched', bravo: 'matched', carol: 'matched' };
  expect(standings).toEqual(Object.fromEntries(plain.map(({ orderId }) => [orderId, matched])));
}
